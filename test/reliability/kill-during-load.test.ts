import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom } from '../bench/random.mjs';
import type { RunningServer } from '../support/start-server.ts';
import { openTestStore } from '../support/store.ts';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { contradictionsIn } from './management-store.ts';
import { ManagementWriter } from './management-writer.ts';
import { PersonWriter, walkPersons } from './person-writer.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';
import { isBrokenConnection } from './write-model.ts';

/** `BURROW_RELIABILITY=full` takes all of them, otherwise a tenth. */
const KILLS = process.env['BURROW_RELIABILITY'] === 'full' ? 200 : 20;
/** Three connections send batches, two single events, beside those that write persons and objects. */
const SIZES = [50, 50, 50, 1, 1];

interface Round {
  event: string;
  sent: Batch[];
  acknowledged: Set<number>;
}

test(`${KILLS} kills in a row lose no acknowledged event, person or object, and the file opens each time`, async () => {
  const dataDir = await newDataFolder();
  const random = createRandom(20_261_120);
  const rounds: Round[] = [];
  const persons = ['p1', 'p2'].map((name, n) => new PersonWriter(name, createRandom(81 + n)));
  const managers = ['m1', 'm2'].map((name, n) => new ManagementWriter(name, createRandom(91 + n), n === 0));

  async function expectModels(server: RunningServer): Promise<void> {
    const stored = await walkPersons(server);
    for (const writer of persons) writer.settle(stored);
    for (const writer of managers) await writer.settle(server);
  }

  for (let n = 0; n < KILLS; n += 1) {
    const server = await run({ dataDir });
    // what a kill leaves is no damaged log.
    await expectNoNotices(server);
    const last = rounds.at(-1);
    if (last === undefined) for (const writer of managers) await writer.prepare(server);
    else await expectRoundIsWhole(server, last);
    await expectModels(server);
    const round: Round = { event: `round-${n}`, sent: [], acknowledged: new Set() };
    rounds.push(round);
    const writing = [
      ...SIZES.map((size) => sendUntilKilled(server, round, size)),
      ...[...persons, ...managers].map((writer) => writer.writeUntilKilled(server)),
    ];
    await sleep(100 + random() * 700);
    // On a busy machine the first answer may take longer than that.
    await expect.poll(() => round.acknowledged.size).toBeGreaterThan(0);
    await server.kill();
    await Promise.all(writing);
  }

  const server = await run({ dataDir });
  for (const round of rounds) await expectRoundIsWhole(server, round);
  await expectModels(server);
  await server.stop();
  const store = await openTestStore({ path: join(dataDir, DATABASE) });
  expect(await contradictionsIn(store.db)).toEqual([]);
  await store.close();
  expectEnoughWasTried([...persons, ...managers]);
  const events = rounds.flatMap(({ sent, acknowledged }) =>
    sent.filter((batch) => acknowledged.has(batch.number)),
  );
  console.log(
    `${KILLS} kills; ${events.reduce((sum, { uuids }) => sum + uuids.length, 0)} events acknowledged`,
    JSON.stringify([...persons, ...managers].map(({ model, counts }) => ({ ...counts, ...model.ended }))),
  );
}, 3_600_000);

/** A full run acknowledges every kind of write for every kind of object, and its requests in flight end both ways. */
function expectEnoughWasTried(writers: readonly (PersonWriter | ManagementWriter)[]): void {
  const kinds = new Set(writers.flatMap(({ counts }) => Object.keys(counts)));
  expect([...kinds]).toEqual(expect.arrayContaining(['$set', '$identify', '$create_alias']));
  expect(writers.every(({ model }) => model.acknowledged > 0)).toBe(true);
  if (KILLS < 200) return;
  const objects = ['insights', 'dashboards', 'feature_flags', 'annotations', 'cohorts'];
  const wanted = ['create', 'change', 'delete'].flatMap((verb) => objects.map((path) => `${verb} ${path}`));
  expect([...kinds]).toEqual(expect.arrayContaining(['change settings', ...wanted]));
  for (const { model } of writers)
    expect(Math.min(model.ended.whole, model.ended.nothing)).toBeGreaterThan(0);
}

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

async function expectRoundIsWhole(
  server: RunningServer,
  { event, sent, acknowledged }: Round,
): Promise<void> {
  expectNothingLost(await walkEvents(server, event), sent, acknowledged);
}
