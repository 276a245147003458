import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const SENDERS = 8;

test('SIGTERM during load answers accepted requests, stores their events, checkpoints and ends with 0', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir });
  const sent: Batch[] = [];
  const acknowledged = new Set<number>();
  const senders = Array.from({ length: SENDERS }, () => sendUntilRefused(server, sent, acknowledged));
  await sleep(500);

  expect(await server.stop()).toEqual({ code: 0, signal: null });
  await Promise.all(senders);
  expect(acknowledged.size).toBeGreaterThan(0);
  await expect(stat(join(dataDir, `${DATABASE}.wal`)), 'no log is left to replay').rejects.toThrow('ENOENT');

  const next = await run({ dataDir });
  expectNothingLost(await walkEvents(next, 'drained'), sent, acknowledged);
});

test('a large request that has arrived before SIGTERM is answered 200 and stored', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir });
  const { projectApiKey } = server;
  const batch = makeBatch({ projectApiKey, event: 'last', number: 0, size: 20_000, padding: 500 });
  const answer = send(`${server.url}/batch/`, { body: batch.body });
  await sleep(300);

  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect((await answer).status).toBe(200);
  const next = await run({ dataDir });
  expectNothingLost(await walkEvents(next, 'last'), [batch], new Set([0]));
});

async function sendUntilRefused(
  server: RunningServer,
  sent: Batch[],
  acknowledged: Set<number>,
): Promise<void> {
  for (;;) {
    const { projectApiKey } = server;
    const batch = makeBatch({ projectApiKey, event: 'drained', number: sent.length, size: 50 });
    sent.push(batch);
    try {
      const { status } = await send(`${server.url}/batch/`, { body: batch.body });
      expect(status).toBe(200);
      acknowledged.add(batch.number);
    } catch (error) {
      // A connection that the closed port never took.
      expect((error as NodeJS.ErrnoException).code).toMatch(/^(?:ECONNREFUSED|ECONNRESET)$/);
      return;
    }
  }
}
