import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { filesWith } from '../../../test/support/files-with.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-erasure-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that writes texts as they are: compressed ones could not be searched for. */
async function openPlainStore(folder: string): Promise<Store> {
  const store = await openTestStore({ path: join(folder, 'burrow.duckdb') });
  await store.db.run("SET GLOBAL force_compression = 'uncompressed'");
  return store;
}

/** Events of as many persons, and of some with a name. */
async function capture(app: TestApp, from: number, count: number, named: readonly object[]): Promise<void> {
  const batch = Array.from({ length: count }, (_, n) => ({
    event: 'seen',
    distinct_id: `user-${from + n}`,
    properties: { page: `page-${(from + n) * 7919}`, $set: { email: `u${from + n}@example.com` } },
  }));
  const body = { api_key: TEST_TOKEN, batch: [...batch, ...named] };
  expect((await app.ask('/batch/', { method: 'POST', key: null, body })).status).toBe(200);
}

async function deletePerson(app: TestApp, distinctId: string, deleteEvents: boolean): Promise<void> {
  const path = '/api/projects/1/persons/';
  const { results } = (await app.ask(`${path}?distinct_id=${distinctId}`)).json;
  expect(results).toHaveLength(1);
  const answer = await app.ask(`${path}${results[0].id}/?delete_events=${deleteEvents}`, {
    method: 'DELETE',
  });
  expect(answer.status).toBeLessThan(300);
}

async function untilErased(store: Store): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if ((await store.db.all('SELECT 1 FROM erasures')).length === 0) return;
    await sleep(100);
  }
  throw new Error('The erasure did not end');
}

function person(distinctId: string, email: string, secret: string): object {
  return { event: 'bought', distinct_id: distinctId, properties: { secret, $set: { email } } };
}

const WHOLE = person('zz-Vq81kTw0Lm', 'Hw3vXk8Yz2Qd@example.com', 'Jx7fPn2Rb9cQ');
const ALONE = person('00-Ub6mSe4Na1', 'Gt5rCf0Bj7Wp@example.com', 'Le9aZi3Oy6Kh');
/** Of distinct ids also what the statistics of a column keep: the first eight bytes of the least and the greatest. */
const WHOLE_MARKS = ['zz-Vq81k', 'Hw3vXk8Yz2Qd', 'Jx7fPn2Rb9cQ'];
const ALONE_MARKS = ['Gt5rCf0Bj7Wp'];

/** DuckDB refuses while another transaction writes, as compaction does now and then. */
async function checkpoint(store: Store): Promise<void> {
  const isDone = () =>
    store.db.run('CHECKPOINT').then(
      () => true,
      () => false,
    );
  await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
}

/** Both persons pass through every stage: written by commits and checkpoints, compacted, settled, still recent. */
async function openWithPersons(folder: string): Promise<{ store: Store; app: TestApp }> {
  const store = await openPlainStore(folder);
  const app = await openTestApp({ store });
  await capture(app, 0, 3_000, [WHOLE, ALONE]);
  await checkpoint(store);
  await capture(app, 3_000, 4_000, [WHOLE, ALONE]);
  await expect
    .poll(() => store.db.first('SELECT count(*) AS n FROM events'), { timeout: 10_000 })
    .toEqual({ n: 7_004 });
  await capture(app, 7_000, 500, [WHOLE, ALONE]);
  await checkpoint(store);
  await capture(app, 7_500, 500, [WHOLE, ALONE]);
  for (const mark of [...WHOLE_MARKS, ...ALONE_MARKS]) expect(await filesWith(folder, mark)).not.toEqual([]);
  return { store, app };
}

async function expectTheRest(store: Store): Promise<void> {
  const sql =
    'SELECT count(*) AS n, count(DISTINCT uuid) AS uuids, count(DISTINCT distinct_id) AS ids FROM all_events';
  expect(await store.db.first(sql)).toEqual({ n: 8_004, uuids: 8_004, ids: 8_001 });
  expect(await store.db.first('SELECT count(*) AS n FROM persons')).toEqual({ n: 8_000 });
  expect(
    await store.db.first(`SELECT count(*) AS n FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
      WHERE json_extract_string(p.properties, '$.email') = 'u' || d.distinct_id[6:] || '@example.com'`),
  ).toEqual({ n: 8_000 });
}

test(
  'no file contains a deleted person; of one deleted without events, only its events',
  { tags: ['deep'], timeout: 180_000 },
  async () => {
    const folder = await newFolder();
    const { store, app } = await openWithPersons(folder);
    onTestFinished(() => store.close());
    await writeFile(join(folder, 'burrow.duckdb.before-0007'), WHOLE_MARKS.join(' '));
    const setAside = join(folder, 'burrow.duckdb.before-restore-20261120-093000');
    await writeFile(setAside, 'somebody wants to go back to it');

    await deletePerson(app, 'zz-Vq81kTw0Lm', true);
    await deletePerson(app, '00-Ub6mSe4Na1', false);
    await untilErased(store);

    for (const mark of WHOLE_MARKS) expect(await filesWith(folder, mark), mark).toEqual([]);
    expect(existsSync(setAside)).toBe(true);
    const left = await store.db.first<{ n: number }>(
      "SELECT count(*) AS n FROM all_events WHERE distinct_id = '00-Ub6mSe4Na1' AND properties LIKE '%Gt5rCf0Bj7Wp%'",
    );
    expect(left).toEqual({ n: 4 });
    await expectTheRest(store);
    expect(await store.db.all("SELECT 1 FROM duckdb_tables() WHERE table_name = 'erasure_fill'")).toEqual([]);
  },
);

test(
  'a store that closes during an erasure finishes it, and one that opens with one restarts it',
  { tags: ['deep'], timeout: 180_000 },
  async () => {
    const folder = await newFolder();
    const { store, app } = await openWithPersons(folder);
    await deletePerson(app, 'zz-Vq81kTw0Lm', true);
    await deletePerson(app, '00-Ub6mSe4Na1', false);
    await store.close();
    for (const mark of WHOLE_MARKS) expect(await filesWith(folder, mark), mark).toEqual([]);
    const again = await openTestStore({ path: join(folder, 'burrow.duckdb') });
    onTestFinished(() => again.close());
    await expectTheRest(again);
    await again.db.run('INSERT INTO erasures (requested_at, in_pass) VALUES (now()::TIMESTAMP, true)');
    await again.db.run('CREATE TABLE erasure_fill (a UUID)');
    await untilErased(again);
    await expectTheRest(again);
  },
);

test('an erasure in an in-memory store is finished immediately', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  await store.db.run('INSERT INTO erasures (requested_at) VALUES (now()::TIMESTAMP)');
  await untilErased(store);
  expect(await store.db.all('SELECT * FROM erasures')).toEqual([]);
});
