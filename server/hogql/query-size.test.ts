import { afterAll, beforeAll, expect, test } from 'vitest';
import { askHogql } from '../../test/support/ask-hogql.ts';
import { openTestStore } from '../../test/support/store.ts';
import type { Store } from '../db/client.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const ask = async (text: string): Promise<unknown> => (await askHogql(store, text)).results[0]![0];

/** Queries of WITH of which each reads the one before it twice. */
function doubled(levels: number): string {
  const queries = Array.from(
    { length: levels },
    (_, at) => `w${at + 1} as (select x from w${at} union all select x from w${at})`,
  );
  return `with w0 as (select number as x from numbers(1)), ${queries.join(', ')} select count() from w${levels}`;
}

test('WITH queries that grow when they are inlined are refused with number and limit', async () => {
  expect(await ask(doubled(10))).toBe(1024);
  for (const levels of [20, 30, 60])
    await expect(ask(doubled(levels))).rejects.toThrow(
      /The query has at least \d+ characters of SQL after its WITH clauses are expanded. The limit is 1000000/,
    );
});

test('aliases that each name another twice are refused before they are written out, also behind arrayJoin of aggregates', async () => {
  const doubling = (levels: number, last: string): string => {
    const aliases = Array.from({ length: levels }, (_, at) => `a${at} + a${at} as a${at + 1}`);
    return `select ${last.replace('$', `a${levels}`)} as j, number as a0, ${aliases.join(', ')} from numbers(3) group by a0`;
  };
  expect(await ask(doubling(5, 'arrayJoin(groupArray($))'))).toBeTypeOf('number');
  for (const levels of [25, 60])
    for (const last of ['arrayJoin(groupArray($))', 'sum($)'])
      await expect(ask(doubling(levels, last))).rejects.toThrow(/too large|too long|too deep/);
});

test(
  'size limits of the select list and the tables of FROM are errors with the limit',
  { tags: ['deep'] },
  async () => {
    const refusals: readonly (readonly [string, RegExp])[] = [
      [
        `select ${Array.from({ length: 2001 }, (_, at) => `arrayMap(x -> x + ${at}, [1])`).join(', ')}`,
        /2001 lambdas, the limit is 2000/,
      ],
      [
        `select count() from ${Array.from({ length: 51 }, (_, at) => `numbers(1) as t${at}`).join(' cross join ')}`,
        /up to 50 tables/,
      ],
      [
        `select count() from numbers(1) group by cube(${Array.from({ length: 9 }, (_, at) => `number + ${at}`).join(', ')})`,
        /up to 8 keys/,
      ],
      [`${'select * from ('.repeat(70)}select 1 as x${')'.repeat(70)}`, /more than 64 nested subqueries/],
    ];
    for (const [text, reason] of refusals) await expect(ask(text)).rejects.toThrow(reason);
  },
);

test('aliases that double each other are refused before they fill the memory', async () => {
  const doubling = Array.from({ length: 40 }, (_, at) => `concat(a${at}, a${at}) as a${at + 1}`);
  await expect(ask(`select 'x' as a0, ${doubling.join(', ')}`)).rejects.toThrow(/too large/);
});
