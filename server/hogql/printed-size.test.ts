import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askHogql, testHogqlContext } from '../../test/support/ask-hogql.ts';
import { parseHogql } from '../../test/support/parse-hogql.ts';
import { openTestStore } from '../../test/support/store.ts';
import type { Store } from '../db/client.ts';
import { compileHogql } from './compile.ts';
import { compileForClickhouse } from './print/clickhouse/compile.ts';

const items = (count: number, item: (at: number) => string, separator = ', '): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(separator);

/** Long enough that a function which reads it several times names it. */
const text = (at: number): string => `nullIf(toString(number), '${at}')`;
const list = (): string => 'range(number + 1, number + 3)';
const condition = (at: number): string => `number = ${at}`;

/** Everything that takes as many values as a query likes. */
const CALLS: Readonly<Record<string, (count: number) => string>> = {
  'concat of texts': (count) => `concat(${items(count, text)})`,
  'concat of numbers': (count) => `concat(${items(count, (at) => `number / ${at + 1}`)})`,
  'concat of lists': (count) => `concat(${items(count, list)})`,
  '||': (count) => items(count, text, ' || '),
  concatWithSeparator: (count) => `concatWithSeparator('-', ${items(count, text)})`,
  format: (count) => `format('${'{}'.repeat(count)}', ${items(count, text)})`,
  arrayConcat: (count) => `arrayConcat(${items(count, list)})`,
  'an array of texts': (count) => `[${items(count, text)}]`,
  'an array of lists': (count) => `[${items(count, list)}]`,
  'a tuple of texts': (count) => `(${items(count, text)})`,
  'a tuple of lists': (count) => `tuple(${items(count, list)})`,
  map: (count) => `map(${items(count, (at) => `'${at}', ${text(at)}`)})`,
  arrayZip: (count) => `arrayZip(${items(count, list)})`,
  coalesce: (count) => `coalesce(${items(count, text)})`,
  '??': (count) => items(count, text, ' ?? '),
  greatest: (count) => `greatest(${items(count, text)})`,
  least: (count) => `least(${items(count, (at) => `number + ${at}`)})`,
  multiIf: (count) => `multiIf(${items(count, (at) => `${condition(at)}, ${text(at)}`)}, '')`,
  'case when': (count) => `case ${items(count, (at) => `when ${condition(at)} then ${at}`, ' ')} else 0 end`,
  'case of a value': (count) =>
    `case number ${items(count, (at) => `when ${at} then 'x'`, ' ')} else 'y' end`,
  and: (count) => items(count, condition, ' and '),
  or: (count) => `or(${items(count, condition)})`,
  xor: (count) => `xor(${items(count, condition)})`,
  'a sum': (count) => items(count, (at) => `number * ${at}`, ' + '),
  quotients: (count) => items(count, (at) => `(number + ${at})`, ' / '),
  in: (count) => `number in (${items(count, String)})`,
  'in, of pairs': (count) => `(number, 'x') in (${items(count, (at) => `(${at}, 'x')`)})`,
  'tuples compared': (count) => `(${items(count, text)}) < (${items(count, text)})`,
  'like or like': (count) => items(count, (at) => `${text(at)} like '%${at}%'`, ' or '),
  multiSearchAny: (count) => `multiSearchAny(${text(0)}, [${items(count, (at) => `'${at}'`)}])`,
  cityHash64: (count) => `cityHash64(${items(count, text)})`,
  uniq: (count) => `uniq(${items(count, text)})`,
  'count distinct': (count) => `count(distinct ${items(count, text)})`,
};

/** How many lambdas lie in one another at most. */
function lambdaDepth(sql: string): number {
  const open: boolean[] = [];
  let most = 0;
  for (const token of sql.match(/[([{}\])]|\blambda\b/g) ?? []) {
    if (token === 'lambda') open[open.length - 1] = true;
    else if ('([{'.includes(token)) open.push(false);
    else open.pop();
    most = Math.max(most, open.filter(Boolean).length);
  }
  return most;
}

describe('printed SQL grows with the number of values, and no faster', () => {
  test.each(Object.entries(CALLS))('%s', async (_, call) => {
    const printed = async (count: number): Promise<{ duckdb: string; clickhouse: string }> => {
      const query = await parseHogql(`select ${call(count)} from numbers(3)`);
      return {
        duckdb: compileHogql(query, testHogqlContext()).sql,
        clickhouse: compileForClickhouse(query, testHogqlContext(), { database: 'burrow' }).sql,
      };
    };
    // Beyond these no function has another way for more values.
    const [few, more, many] = await Promise.all([printed(10), printed(20), printed(100)]);
    for (const engine of ['duckdb', 'clickhouse'] as const) {
      const ofTen = more[engine].length - few[engine].length;
      // Longer numbers have longer names.
      expect(many[engine].length - few[engine].length).toBeLessThan(9 * ofTen * 1.25);
    }
    expect(lambdaDepth(many.duckdb)).toBe(lambdaDepth(few.duckdb));
  });
});

describe('a function of a hundred values', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.close());
  const ask = async (text: string): Promise<unknown> => (await askHogql(store, text)).results[0]![0];

  test('joins texts and lists, missing ones too', async () => {
    const letters = items(100, (at) => `if(number = 7, 'x', leftPad(toString(${at} + number), 3, '0'))`);
    const joined = items(100, (at) => String(at).padStart(3, '0'), '');
    expect(await ask(`select concat(${letters}) from numbers(1)`)).toBe(joined);
    expect(await ask(`select concat(${letters}, nullIf(toString(number), '0'), 'end') from numbers(1)`)).toBe(
      `${joined}end`,
    );
    expect(
      await ask(`select concatWithSeparator('', ${letters}, nullIf(toString(number), '0')) from numbers(1)`),
    ).toBe(null);
    expect(await ask(`select length(arrayConcat(${items(100, list)})) from numbers(1)`)).toBe(200);
    expect(await ask(`select length([${letters}]), 1 from numbers(1)`)).toBe(100);
    expect(await ask(`select (${letters}).100 from numbers(1)`)).toBe('099');
  });

  test('is refused when its result would be too large', async () => {
    const large = items(100, () => `repeat(toString(number), 1000)`);
    for (const call of [`concat(${large})`, `concatWithSeparator(',', ${large})`]) {
      await expect(ask(`select length(${call}) from numbers(2)`), call).rejects.toThrow(/too large/);
    }
    const lists = items(100, () => `range(number, number + 1000)`);
    await expect(ask(`select length(arrayConcat(${lists})) from numbers(2)`)).rejects.toThrow(/too large/);
    const values = items(100, () => `repeat(toString(number), 10000)`);
    await expect(ask(`select length([${values}]) from numbers(2)`)).rejects.toThrow(/too large/);
  });
});
