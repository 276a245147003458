import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../test/support/store.ts';
import type { Db } from './db.ts';
import { createCachedReads } from './cached-reads.ts';

const READ = `SELECT value FROM server_settings WHERE name = $name`;
const WRITE = `INSERT OR REPLACE INTO server_settings BY NAME SELECT 'colour' AS name, $value AS value,
  now()::TIMESTAMP AS updated_at`;
const COLOUR = { name: 'colour' };

/** A store, reads that are kept, and how many of them reached the store. */
async function opened(between: (db: Db) => Promise<void> = async () => {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const { db } = store;
  const counted = { sent: 0 };
  const all: Db['all'] = async (sql, params) => {
    counted.sent++;
    const rows = await db.all<never>(sql, params);
    await between(db);
    return rows;
  };
  const reads = createCachedReads({ ...db, all });
  return { db, reads, counted };
}

test('a repeated read is served from the cache, and a different one is not', async () => {
  const { db, reads, counted } = await opened();
  await db.run(WRITE, { value: '"red"' });
  expect(await reads.first(READ, COLOUR)).toEqual({ value: '"red"' });
  expect(await reads.all(READ, COLOUR)).toEqual([{ value: '"red"' }]);
  expect(counted.sent).toBe(1);
  expect(await reads.first(READ, { name: 'shape' })).toBeNull();
  expect(counted.sent).toBe(2);
});

test('each write invalidates the cache: a statement, one that returns rows, a transaction', async () => {
  const { db, reads } = await opened();
  const seen = async () => (await reads.first<{ value: string }>(READ, COLOUR))?.value;
  await db.run(WRITE, { value: '1' });
  expect(await seen()).toBe('1');
  await db.run(WRITE, { value: '2' });
  expect(await seen()).toBe('2');
  await db.all(`${WRITE} RETURNING value`, { value: '3' });
  expect(await seen()).toBe('3');
  await db.transaction(async (tx) => {
    await tx.run(WRITE, { value: '4' });
    expect(await seen()).toBe('3');
  });
  expect(await seen()).toBe('4');
});

test('rows that were read during a write are not cached', async () => {
  let isFirst = true;
  const { reads } = await opened(async (db) => {
    if (isFirst) await db.run(WRITE, { value: '"new"' });
    isFirst = false;
  });
  expect(await reads.first(READ, COLOUR)).toBeNull();
  expect(await reads.first(READ, COLOUR)).toEqual({ value: '"new"' });
});

test('rows removed from a returned array stay in the cache', async () => {
  const { db, reads } = await opened();
  await db.run(WRITE, { value: '"red"' });
  (await reads.all(READ, COLOUR)).pop();
  expect(await reads.all(READ, COLOUR)).toHaveLength(1);
});

test('big integers and special numbers have separate cache entries', async () => {
  const { reads, counted } = await opened();
  const ask = (value: bigint | number) => reads.first('SELECT $value::VARCHAR AS text', { value });
  expect(await ask(9_007_199_254_740_993n)).toEqual({ text: '9007199254740993' });
  expect(await ask(9_007_199_254_740_995n)).toEqual({ text: '9007199254740995' });
  expect(await ask(9_007_199_254_740_993n)).toEqual({ text: '9007199254740993' });
  expect(counted.sent).toBe(2);
});
