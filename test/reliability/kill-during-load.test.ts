import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom } from '../bench/random.mjs';
import type { RunningServer } from '../support/start-server.ts';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

/** `BURROW_RELIABILITY=full` takes all of them, otherwise a tenth. */
const KILLS = process.env['BURROW_RELIABILITY'] === 'full' ? 200 : 20;
/** Four connections send batches, four single events. */
const SIZES = [50, 50, 50, 50, 1, 1, 1, 1];

interface Round {
  event: string;
  sent: Batch[];
  acknowledged: Set<number>;
}

test(`${KILLS} kills in a row during load lose no acknowledged event, and the file opens each time`, async () => {
  const dataDir = await newDataFolder();
  const random = createRandom(20_261_120);
  const rounds: Round[] = [];
  for (let n = 0; n < KILLS; n += 1) {
    const server = await run({ dataDir });
    // what a kill leaves is no damaged log.
    await expectNoNotices(server);
    const last = rounds.at(-1);
    if (last !== undefined) await expectRoundIsWhole(server, last);
    const round: Round = { event: `round-${n}`, sent: [], acknowledged: new Set() };
    rounds.push(round);
    const senders = SIZES.map((size) => sendUntilKilled(server, round, size));
    await sleep(100 + random() * 700);
    // On a busy machine the first answer may take longer than that.
    await expect.poll(() => round.acknowledged.size).toBeGreaterThan(0);
    await server.kill();
    await Promise.all(senders);
  }

  const server = await run({ dataDir });
  for (const round of rounds) await expectRoundIsWhole(server, round);
  expect(rounds.every(({ acknowledged }) => acknowledged.size > 0)).toBe(true);
  await server.stop();
});

async function expectNoNotices(server: RunningServer): Promise<void> {
  const headers = { Authorization: `Bearer ${server.personalApiKey}` };
  const answer = await fetch(`${server.url}/api/burrow/notices/`, { headers });
  expect(await answer.json()).toEqual({ results: [] });
}

async function sendUntilKilled(server: RunningServer, round: Round, size: number): Promise<void> {
  for (;;) {
    const { event, sent, acknowledged } = round;
    const batch = makeBatch({ projectApiKey: server.projectApiKey, event, number: sent.length, size });
    sent.push(batch);
    try {
      const { status } = await send(`${server.url}/batch/`, { body: batch.body });
      expect(status).toBe(200);
      acknowledged.add(batch.number);
    } catch (error) {
      if (isBrokenConnection(error)) return;
      throw error;
    }
  }
}

function isBrokenConnection(error: unknown): boolean {
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function expectRoundIsWhole(
  server: RunningServer,
  { event, sent, acknowledged }: Round,
): Promise<void> {
  expectNothingLost(await walkEvents(server, event), sent, acknowledged);
}
