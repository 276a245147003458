import { afterEach, expect, test } from 'vitest';
import { openTestStore } from '../../test/support/store.ts';
import { DatabaseError, InterruptedError } from './db.ts';
import type { Store } from './client.ts';

let store: Store;
afterEach(() => store.close());

test('a statement returns rows as plain values: times as ISO text with microseconds, uuids as text, numbers as numbers', async () => {
  store = await openTestStore();
  const rows = await store.db.all(
    `SELECT TIMESTAMP '2026-11-20 09:10:11.123456' AS at, UUID '0190f0c1-2222-7000-8000-0000000000ff' AS id,
       $whole AS whole, $part AS part, 9007199254740991 AS big, [1, 2] AS list, NULL AS nothing, $flag AS flag, $text AS text`,
    { whole: 7, part: 0.5, flag: true, text: "it's" },
  );
  expect(rows).toEqual([
    {
      at: '2026-11-20T09:10:11.123456Z',
      id: '0190f0c1-2222-7000-8000-0000000000ff',
      whole: 7,
      part: 0.5,
      big: 9007199254740991,
      list: [1, 2],
      nothing: null,
      flag: true,
      text: "it's",
    },
  ]);
});

test('times before 1970 have microseconds', async () => {
  store = await openTestStore();
  expect(await store.db.first("SELECT TIMESTAMP '1969-12-31 23:59:59.999999' AS at")).toEqual({
    at: '1969-12-31T23:59:59.999999Z',
  });
});

test('a transaction that throws is rolled back, and the next one works', async () => {
  store = await openTestStore();
  await store.db.run('CREATE TABLE t (a INTEGER)');
  await expect(
    store.db.transaction(async (tx) => {
      await tx.run('INSERT INTO t VALUES (1)');
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await store.db.transaction((tx) => tx.run('INSERT INTO t VALUES (2)'));
  expect(await store.db.all('SELECT a FROM t')).toEqual([{ a: 2 }]);
});

test('transactions run one after another, so that the reads and writes of one are isolated', async () => {
  store = await openTestStore();
  await store.db.run('CREATE TABLE counter (n INTEGER)');
  await store.db.run('INSERT INTO counter VALUES (0)');
  await Promise.all(
    Array.from({ length: 20 }, () =>
      store.db.transaction(async (tx) => {
        const row = await tx.first<{ n: number }>('SELECT n FROM counter');
        await tx.run('UPDATE counter SET n = $n', { n: row!.n + 1 });
      }),
    ),
  );
  expect(await store.db.first('SELECT n FROM counter')).toEqual({ n: 20 });
});

test('an invalid statement is a DatabaseError, and the connection stays usable', async () => {
  store = await openTestStore();
  await expect(store.db.all('SELECT nothing FROM nowhere')).rejects.toBeInstanceOf(DatabaseError);
  expect(await store.db.first('SELECT 1 AS one')).toEqual({ one: 1 });
});

const ENDLESS = 'SELECT count(*) AS n FROM range(100000000) a, range(100000) b WHERE a.range * b.range = -1';

test('an analytic statement is interrupted when its signal is aborted', async () => {
  store = await openTestStore();
  const controller = new AbortController();
  const query = store.analytics.all(ENDLESS, {}, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await expect(query).rejects.toBeInstanceOf(InterruptedError);
});

test('a statement canceled during its start is interrupted too, at any point of the start', async () => {
  store = await openTestStore();
  for (let round = 0; round < 60; round++) {
    const controller = new AbortController();
    const query = store.analytics.all(ENDLESS, {}, { signal: controller.signal });
    const failure = query.catch((error: unknown) => error);
    for (let step = 0; step < round % 12; step++) await new Promise(setImmediate);
    controller.abort();
    expect(await failure).toBeInstanceOf(InterruptedError);
  }
});

test('an analytic statement ends at its time limit, and one that waited in the queue completes', async () => {
  store = await openTestStore();
  const endless = Promise.allSettled(
    [1, 2, 3].map(() => store.analytics.all(ENDLESS, {}, { timeoutMs: 100 })),
  );
  const waiting = store.analytics.all('SELECT 1 AS one');
  for (const query of await endless) {
    expect(query.status === 'rejected' && query.reason).toBeInstanceOf(InterruptedError);
  }
  expect(await waiting).toEqual([{ one: 1 }]);
});

test('a stream delivers every row once, in chunks, and may be abandoned', async () => {
  store = await openTestStore();
  let count = 0;
  let pieces = 0;
  for await (const piece of store.analytics.stream<{ range: number }>('SELECT range FROM range(20000)')) {
    pieces++;
    for (const row of piece) expect(row.range).toBe(count++);
  }
  expect(count).toBe(20_000);
  expect(pieces).toBeGreaterThan(1);
  for await (const piece of store.analytics.stream('SELECT range FROM range(1000000)')) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  expect(await store.analytics.all('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

const FAILING_LATE = `SELECT CASE WHEN range = 150000 THEN error('no such number') ELSE 'yes' END AS yes FROM range(200000)`;

test('a query that fails after some rows is an error, not a short result', async () => {
  store = await openTestStore();
  await expect(store.analytics.all(FAILING_LATE)).rejects.toThrow('no such number');
  let rows = 0;
  const read = async (): Promise<void> => {
    for await (const piece of store.analytics.stream(FAILING_LATE)) rows += piece.length;
  };
  await expect(read()).rejects.toThrow(DatabaseError);
  expect(rows).toBeGreaterThan(0);
});

test('a query whose time limit ends while its rows are read is interrupted, not a short result', async () => {
  store = await openTestStore();
  const read = async (): Promise<void> => {
    const rows = store.analytics.stream('SELECT range FROM range(1000000000)', {}, { timeoutMs: 300 });
    for await (const piece of rows) expect(piece.length).toBeGreaterThan(0);
  };
  await expect(read()).rejects.toThrow(InterruptedError);
  expect(await store.analytics.all('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a query whose rows are not read to the end stops at its time limit, and does not block a later checkpoint', async () => {
  store = await openTestStore();
  const { db, analytics } = store;
  await db.run('CREATE TABLE t AS SELECT range AS a FROM range(500000)');
  await db.run('CREATE TABLE settings AS SELECT 1 AS a');
  const stalled = [1, 2, 3].map(() =>
    analytics.stream('SELECT a FROM t', {}, { timeoutMs: 300 })[Symbol.asyncIterator](),
  );
  for (const rows of stalled) expect((await rows.next()).done).toBe(false);
  await db.run('UPDATE settings SET a = 2');
  expect(await analytics.all('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect.poll(() => db.run('CHECKPOINT').then(() => 'made', String)).toBe('made');
  for (const rows of stalled)
    await expect(
      (async () => {
        while (!(await rows.next()).done);
      })(),
    ).rejects.toThrow(InterruptedError);
});

test('a query that fails, is abandoned or reaches its limit leaves no transaction that blocks a checkpoint', async () => {
  store = await openTestStore();
  const { db, analytics } = store;
  await db.run('CREATE TABLE t AS SELECT range AS a FROM range(500000)');
  const endings = {
    failing: () => expect(analytics.all(FAILING_LATE)).rejects.toThrow('no such number'),
    'failing at its first row': () =>
      expect(analytics.all(`SELECT error('no') FROM t`)).rejects.toThrow('no'),
    'left early': async () => {
      for await (const piece of analytics.stream('SELECT a FROM t')) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
    },
    limited: () => expect(analytics.all(ENDLESS, {}, { timeoutMs: 50 })).rejects.toThrow(InterruptedError),
    'failing, and kept for the next time': () =>
      expect(analytics.all('SELECT error($why) FROM t', { why: 'no' })).rejects.toThrow('no'),
    'left early, and kept for the next time': async () => {
      for await (const piece of analytics.stream('SELECT a + $b FROM t', { b: 1 })) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
    },
  };
  for (const [ending, ask] of Object.entries(endings)) {
    await ask();
    await db.run('UPDATE t SET a = a + 1');
    const isWritten = () =>
      db.run('CHECKPOINT').then(
        () => true,
        () => false,
      );
    await expect.poll(isWritten, { message: ending }).toBe(true);
  }
});

test('a repeated statement sees changes, also when its first result was empty', async () => {
  store = await openTestStore();
  await store.db.run('CREATE TABLE t (a INTEGER)');
  await store.db.run('INSERT INTO t VALUES (5)');
  const constant = 'SELECT a FROM t WHERE a = 1';
  const parameter = 'SELECT a FROM t WHERE a = 1 AND a = $a';
  const ask = (): Promise<unknown[][]> =>
    Promise.all(
      [store.db, store.analytics].flatMap((lanes) => [
        lanes.all(constant),
        lanes.all(parameter, { a: 1 }),
        // A value of the type that the statement names could be put into a plan that is there.
        lanes.all('SELECT a FROM t WHERE a = $a::BIGINT', { a: 1 }),
      ]),
    );
  for (const rows of await ask()) expect(rows).toEqual([]);
  await store.db.run('INSERT INTO t VALUES (1)');
  for (const rows of await ask()) expect(rows).toEqual([{ a: 1 }]);
  await store.db.run('ALTER TABLE t ALTER a TYPE VARCHAR');
  for (const rows of await ask()) expect(rows).toEqual([{ a: '1' }]);
});

test('a query repeated after a failure, an early end or its time limit returns a complete result', async () => {
  store = await openTestStore();
  const { analytics } = store;
  const failing = `SELECT CASE WHEN range = $at THEN error('no such number') ELSE range END AS n FROM range(200000)`;
  const endless = 'SELECT count(*) AS n FROM range($times) a, range(100000) b WHERE a.range * b.range = -1';
  for (let round = 0; round < 3; round++) {
    await expect(analytics.all(failing, { at: 150_000 })).rejects.toThrow('no such number');
    for await (const piece of analytics.stream(failing, { at: -1 })) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(await analytics.all(failing, { at: -1 })).toHaveLength(200_000);
    await expect(analytics.all(endless, { times: 1e8 }, { timeoutMs: 50 })).rejects.toThrow(InterruptedError);
    expect(await analytics.all(endless, { times: 1 })).toEqual([{ n: 0 }]);
  }
});

test('a connection works with more statements than it caches, and with one too long to cache', async () => {
  store = await openTestStore();
  const { analytics } = store;
  const long = `SELECT $n + 1 AS n -- ${'-'.repeat(30_000)}`;
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 100; n++)
      expect(await analytics.all(`SELECT $n AS "n${n}"`, { n })).toEqual([{ [`n${n}`]: n }]);
    expect(await analytics.all(long, { n: round })).toEqual([{ n: round + 1 }]);
  }
});
