import { describe, expect, test } from 'vitest';
import { askHogql, type AskOptions } from '../../../../test/support/ask-hogql.ts';
import { openTestStore } from '../../../../test/support/store.ts';
import type { Value } from '../../../db/db.ts';

/** Expressions of a SELECT without a table, and what they give. */
type Cases = readonly (readonly [expression: string, value: Value, options?: AskOptions])[];

/** What expressions give that is not what they should. */
async function wrongOf(cases: Cases): Promise<unknown[]> {
  const store = await openTestStore();
  try {
    const wrong: unknown[] = [];
    for (const [expression, value, options] of cases) {
      const { results } = await askHogql(store, `select ${expression}`, options);
      const got = results[0]![0];
      if (JSON.stringify(got) !== JSON.stringify(value)) wrong.push({ expression, got, value });
    }
    return wrong;
  } finally {
    await store.close();
  }
}

const BERLIN = { timezone: 'Europe/Berlin' };
/** Text, number and moment that may be null. */
const t = (value: string): string => `(select ${value} as v)`;

describe('expressions', () => {
  test('comparisons are true or false: null equals only null', async () => {
    expect(
      await wrongOf([
        ['1 = 1', true],
        ['1 = null', false],
        ['null = null', true],
        ['null != 1', true],
        [`${t('null')} = 1`, false],
        [`${t('null')} != 1`, true],
        [`${t('null')} < 1`, false],
        [`not (${t('null')} < 1)`, true],
        [`${t('null')} is null`, true],
        [`${t('1')} is not null`, true],
        [`${t('null')} in (1, 2)`, false],
        [`${t('null')} not in (1, 2)`, true],
        [`${t('null')} like 'a%'`, false],
        [`${t('null')} not like 'a%'`, true],
      ]),
    ).toEqual([]);
  });

  test('numeric texts are compared with numbers as numbers', async () => {
    expect(
      await wrongOf([
        [`'10' > 9`, true],
        [`'9' > 10`, false],
        [`'1.0' = 1`, true],
        [`'abc' = 1`, false],
        [`'abc' > 1`, true],
        [`true = 'true'`, true],
        [`true = 1`, true],
      ]),
    ).toEqual([]);
  });

  test('arithmetic: division returns a float, and null operands return null', async () => {
    expect(
      await wrongOf([
        ['7 / 2', 3.5],
        ['6 / 2', 3],
        ['7 % 4', 3],
        ['-7 % 4', -3],
        ['-(3)', -3],
        ['1 + 2 * 3', 7],
        ['(1 + 2) * 3', 9],
        ['1 - null', null],
        [`'4' + 1`, 5],
        ['5 % 0', null],
        [`'a' || 'b' || 1`, 'ab1'],
        ['null ?? 5', 5],
      ]),
    ).toEqual([]);
  });

  test('times: differences are seconds, intervals follow the calendar, days start in the zone', async () => {
    expect(
      await wrongOf([
        [`toDateTime('2026-11-20 10:00:00') - toDateTime('2026-11-20 09:00:00')`, 3600],
        [`toDate('2026-11-20') - toDate('2026-11-18')`, 2],
        [`toString(toDate('2026-11-20') + interval 1 day)`, '2026-11-21'],
        [`toDateTime('2026-03-28 12:00:00') + interval 1 day`, '2026-03-29T10:00:00.000000Z', BERLIN],
        [`toDateTime('2026-03-28 12:00:00') + interval 24 hour`, '2026-03-29T11:00:00.000000Z', BERLIN],
        [`toDateTime('2026-10-24 12:00:00') + interval 1 day`, '2026-10-25T11:00:00.000000Z', BERLIN],
        [`toDateTime('2026-11-20 09:00:00') > '2026-11-20'`, true],
        [`toDateTime('2026-11-20 00:00:00') = '2026-11-20'`, true, BERLIN],
        [`toDateTime('2026-11-20 09:00:00') between '2026-11-20' and '2026-11-21'`, true],
        [`toDate('2026-11-20') = '2026-11-20'`, true],
        [`toDateTime('2026-11-20 09:00:00') >= toDate('2026-11-20')`, true],
      ]),
    ).toEqual([]);
  });

  test('patterns and regular expressions', async () => {
    expect(
      await wrongOf([
        [`'shoes' like 'sh%'`, true],
        [`'Shoes' like 'sh%'`, false],
        [`'Shoes' ilike 'sh%'`, true],
        [`'50%' like '50\\\\%'`, true],
        [`'505' like '50\\\\%'`, false],
        [`'shoes' =~ '^sh'`, true],
        [`'shoes' !~ '^sh'`, false],
        [`'SHOES' =~* '^sh'`, true],
      ]),
    ).toEqual([]);
  });

  test('lists, arrays, tuples and lambdas', async () => {
    expect(
      await wrongOf([
        ['2 in (1, 2)', true],
        [`'2' in (1, 2)`, true],
        ['2 not in (1, 2)', false],
        ['2 in (1, null)', false],
        ['not (2 in (1, null))', true],
        [`2 in (${Array.from({ length: 40 }, (_, at) => at + 10).join(', ')})`, false],
        [`'k7' in (${Array.from({ length: 40 }, (_, at) => `'k${at}'`).join(', ')})`, true],
        [`'ä7' in (${Array.from({ length: 40 }, (_, at) => `lowerUTF8('Ä${at}')`).join(', ')})`, true],
        [`'Ä7' in (${Array.from({ length: 40 }, (_, at) => `lowerUTF8('Ä${at}')`).join(', ')})`, false],
        ['2 in [1, 2]', true],
        ['in(2, (1, 2))', true],
        ['notIn(2, [1, 3])', true],
        ['(1, 2) in ((1, 2), (3, 4))', true],
        ['(1, 2) in (select 1, 3)', false],
        ['[10, 20][2]', 20],
        ['[10, 20][3]', 0],
        ['[1, 2, 3, 4][2:3]', [2, 3]],
        [`(1, 'a')`, [1, 'a']],
        [`(1, 'a').2`, 'a'],
        ['[1, 2.5]', [1, 2.5]],
        ['arrayMap(x -> x * 2, [1, 2])', [2, 4]],
        ['arrayMap((x, y) -> x + y, [1, 2], [10, 20])', [11, 22]],
        ['arrayFilter(x -> x > 1 and x < 3, [1, 2, 3])', [2]],
      ]),
    ).toEqual([]);
  });

  test('branches and casts', async () => {
    expect(
      await wrongOf([
        [`case when 1 = 2 then 'a' when 1 = 1 then 'b' else 'c' end`, 'b'],
        [`case 2 when 1 then 'one' when 2 then 'two' end`, 'two'],
        [`if(1 > 2, 'x', 'y')`, 'y'],
        [`'5'::int`, 5],
        [`'x'::int`, null],
        ['5::text', '5'],
        [`'1.5'::float`, 1.5],
        [`cast('2026-01-02' as date)`, '2026-01-02'],
        [`'2026-01-02 00:00:00'::datetime`, '2026-01-01T23:00:00.000000Z', BERLIN],
        [`'true'::boolean`, true],
      ]),
    ).toEqual([]);
  });

  test('and, or and not, of conditions and of numbers', async () => {
    expect(
      await wrongOf([
        ['1 and 0', false],
        ['1 or 0', true],
        ['not 0', true],
        ['true and not false', true],
      ]),
    ).toEqual([]);
  });
});
