import { expect, test } from 'vitest';
import { TEST_TOKEN, openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { createFlag, filtersOn } from '../../../test/support/app-flags.ts';
import type { FlagSubjectTables, StoredSubject } from '../../warehouse/duckdb/flag-subject-tables.ts';
import { createPersonsAhead } from './persons-ahead.ts';

/** Tables of so many persons, each with properties of ten characters, and what was asked of them. */
function tablesOf(count: number) {
  const asked: string[] = [];
  const personOf = (id: number): StoredSubject => ({ id, uuid: `u${id}`, properties: '{"a":1234}' });
  const tables = {
    async readPersons(ids) {
      asked.push(ids.join());
      return ids.filter((id) => id <= count).map(personOf);
    },
    async readPersonsBetween(from, to) {
      const first = Math.max(1, from);
      return Array.from({ length: Math.max(0, to - first + 1) }, (_, n) => personOf(first + n));
    },
    lastPersonId: async () => count,
  } as FlagSubjectTables;
  return { tables, asked };
}

const atOnce = (work: () => Promise<void>): Promise<void> => work();

test('persons that were read ahead need no question; one that a commit has changed does', async () => {
  const { tables, asked } = tablesOf(10_000);
  const ahead = createPersonsAhead(tables);
  await ahead.fill(atOnce);
  expect((await ahead.readPersons([1, 5_000, 10_000])).map(({ id }) => id)).toEqual([1, 5_000, 10_000]);
  expect(asked).toEqual([]);
  ahead.forget(5_000);
  expect((await ahead.readPersons([4_999, 5_000])).map(({ id }) => id)).toEqual([4_999, 5_000]);
  expect(asked).toEqual(['5000']);
});

test('the newest are read, as far as the memory for them goes, and no further than so many numbers back', async () => {
  const { tables, asked } = tablesOf(50_000);
  const few = createPersonsAhead(tables, { persons: 5_000, characters: 1e9, passedIds: 1e6 });
  await few.fill(atOnce);
  await few.readPersons([50_000, 45_001, 1]);
  const short = createPersonsAhead(tables, { persons: 1e6, characters: 30_000, passedIds: 1e6 });
  await short.fill(atOnce);
  await short.readPersons([50_000, 2]);
  const near = createPersonsAhead(tables, { persons: 1e6, characters: 1e9, passedIds: 4_096 });
  await near.fill(atOnce);
  await near.readPersons([50_000, 3]);
  expect(asked).toEqual(['1', '2', '3']);
});

test('7.10 what was read ahead of a person is forgotten when a commit changes it, before anybody asked', async () => {
  const app = await openTestApp();
  await createFlag(app, 'pro', { filters: filtersOn([{ key: 'plan', value: 'pro', type: 'person' }]) });
  const set = (id: string, plan: string) =>
    app.ask('/capture/', {
      method: 'POST',
      key: null,
      body: { api_key: TEST_TOKEN, event: '$set', distinct_id: id, $set: { plan } },
    });
  /** Takes what commits remember of others out of their memory, which would answer instead. */
  const pushOut = async () => {
    for (let n = 0; n < 10; n++) await set(`large-${n}`, 'x'.repeat(900_000));
  };
  await set('asked', 'solo');
  await set('waits', 'solo');
  await pushOut();
  expect(await isPro(app, 'asked')).toBe(false);
  // Long enough for what follows the first answer.
  await app.ask('/api/projects/1/persons/');
  await set('waits', 'pro');
  await pushOut();
  expect(await isPro(app, 'waits')).toBe(true);
});

async function isPro(app: TestApp, id: string): Promise<unknown> {
  const body = { api_key: TEST_TOKEN, distinct_id: id };
  return (await app.ask('/decide/?v=3', { method: 'POST', key: null, body })).json.featureFlags.pro;
}
