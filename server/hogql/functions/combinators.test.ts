import { afterAll, beforeAll, expect, test } from 'vitest';
import { askHogql } from '../../../test/support/ask-hogql.ts';
import { createCoverageTable } from '../../../test/support/coverage-table.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';
import { COMBINATOR_ENDINGS } from './combinators.ts';
import { findFunction, FUNCTIONS } from './find-function.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** A value, and another beside it. */
type Row = readonly [k: number, w: number];
const ROWS: readonly Row[] = [
  [1, 4],
  [2, 1],
  [2, 1],
  [5, 3],
  [9, 2],
];
const TABLE = `(SELECT r.1 AS k, r.2 AS w FROM (SELECT arrayJoin([${ROWS.map(([k, w]) => `tuple(${k}, ${w})`).join(', ')}]) AS r))`;

type Result = number | null | readonly Result[];
type Model = (rows: readonly Row[]) => Result;

const ks = (rows: readonly Row[]): number[] => rows.map(([k]) => k);
const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const unique = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((one) => [String(one), one])).values(),
];
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;
/** Null of no rows. */
const some =
  (of: (rows: readonly Row[]) => Result): Model =>
  (rows) =>
    rows.length === 0 ? null : of(rows);
/** Zero of no rows, as a type without NULL has it. */
const orZero =
  (of: (rows: readonly Row[]) => Result): Model =>
  (rows) =>
    rows.length === 0 ? 0 : of(rows);
const spread = (rows: readonly Row[], x: 0 | 1, y: 0 | 1): number => {
  const [a, b] = [mean(rows.map((row) => row[x])), mean(rows.map((row) => row[y]))];
  return sum(rows.map((row) => (row[x] - a) * (row[y] - b)));
};
const atLeastTwo =
  (of: (rows: readonly Row[]) => Result): Model =>
  (rows) =>
    rows.length < 2 ? null : of(rows);
const extreme = (rows: readonly Row[], sign: 1 | -1): number =>
  rows.reduce((best, row) => (sign * (row[1] - best[1]) > 0 ? row : best))[0];
const mode = (numbers: readonly number[]): number =>
  unique(numbers).toSorted(
    (a, b) => numbers.filter((one) => one === b).length - numbers.filter((one) => one === a).length,
  )[0]!;

/** Aggregates with the arguments that they are tried with, and what they are in plain TypeScript. */
const MODELS: Readonly<Record<string, readonly [args: string, model: Model]>> = {
  count: ['k', (rows) => rows.length],
  ...Object.fromEntries(
    ['uniq', 'uniqExact', 'uniqHLL12', 'uniqCombined', 'uniqCombined64', 'uniqTheta', 'countDistinct'].map(
      (name) => [name, ['k', (rows: readonly Row[]) => unique(ks(rows)).length] as const],
    ),
  ),
  sum: ['k', (rows) => sum(ks(rows))],
  avg: ['k', some((rows) => mean(ks(rows)))],
  avgWeighted: ['k, w', some((rows) => sum(rows.map(([k, w]) => k * w)) / sum(rows.map(([, w]) => w)))],
  min: ['k', orZero((rows) => Math.min(...ks(rows)))],
  max: ['k', orZero((rows) => Math.max(...ks(rows)))],
  anyHeavy: ['k', orZero((rows) => mode(ks(rows)))],
  argMin: ['k, w', orZero((rows) => extreme(rows, -1))],
  argMax: ['k, w', orZero((rows) => extreme(rows, 1))],
  stddevPop: ['k', some((rows) => Math.sqrt(spread(rows, 0, 0) / rows.length))],
  stddevSamp: ['k', atLeastTwo((rows) => Math.sqrt(spread(rows, 0, 0) / (rows.length - 1)))],
  varPop: ['k', some((rows) => spread(rows, 0, 0) / rows.length)],
  varSamp: ['k', atLeastTwo((rows) => spread(rows, 0, 0) / (rows.length - 1))],
  covarPop: ['k, w', some((rows) => spread(rows, 0, 1) / rows.length)],
  covarSamp: ['k, w', atLeastTwo((rows) => spread(rows, 0, 1) / (rows.length - 1))],
  groupBitAnd: ['k', orZero((rows) => ks(rows).reduce((a, b) => a & b))],
  groupBitOr: ['k', orZero((rows) => ks(rows).reduce((a, b) => a | b))],
  groupBitXor: ['k', orZero((rows) => ks(rows).reduce((a, b) => a ^ b))],
  median: [
    'k',
    some((rows) => {
      const numbers = sorted(ks(rows));
      const half = (numbers.length - 1) / 2;
      return (numbers[Math.floor(half)]! + numbers[Math.ceil(half)]!) / 2;
    }),
  ],
  groupArray: ['k', (rows) => sorted(ks(rows))],
  groupUniqArray: ['k', (rows) => sorted(unique(ks(rows)))],
};

const CONDITIONS: readonly [text: string, holds: (row: Row) => boolean][] = [
  ['k < 4', ([k]) => k < 4],
  ['w > 1', ([, w]) => w > 1],
  ['k = 5', ([k]) => k === 5],
  ['k > 100', () => false],
];

const isList = (name: string): boolean => name.startsWith('group') && name.endsWith('Array');
/** Of values that are all there once none is the most frequent. */
const takesDistinct = (name: string, args: string): boolean => args === 'k' && name !== 'anyHeavy';
const call = (name: string, ending: string, args: string): string =>
  isList(name) ? `arraySort(${name}${ending}(${args}))` : `${name}${ending}(${args})`;

/** Expressions with what they must give, for each aggregate with each combinator that it takes. */
function cases(): [key: string, expression: string, expected: Result][] {
  return Object.entries(MODELS).flatMap(([name, [args, model]]) => {
    const of = (ending: string, more: string, expected: Result): [string, string, Result] => [
      `${name}-${ending.startsWith('Or') ? ending.replace(/If$/, '') : ending}`,
      call(name, ending, more),
      expected,
    ];
    const distinct = unique(ROWS);
    const noRows: Result = isList(name) ? [] : 0;
    const takes = (ending: string): boolean => findFunction(`${name}${ending}`) !== null;
    const sums = (rows: readonly Row[]): Result => [model(rows), model(rows.map(([k, w]): Row => [w, k]))];
    const isFirst = ([k]: Row): boolean => k < 4;
    /** Each of several results in order, where it is a list. */
    const each = (text: string): string => (isList(name) ? `arrayMap(l -> arraySort(l), ${text})` : text);
    /** What is kept per \`w\`, finished over all of them. */
    const merged = (state: string, result: string, expected: Result): [string, string, Result] => {
      const shown = isList(name) ? `arraySort(${result})` : result;
      return [
        `${name}-Merge`,
        `(SELECT ${shown} FROM (SELECT w, ${state} AS state FROM ${TABLE} GROUP BY w))`,
        expected,
      ];
    };
    const several = (ending: string, text: string, rows: readonly Row[]): [string, string, Result] => [
      `${name}-${ending}`,
      each(text),
      rows.length === 0 ? [] : sums(rows),
    ];
    return [
      ...CONDITIONS.map(([text, holds]) => of('If', `${args}, ${text}`, model(ROWS.filter(holds)))),
      ...(takesDistinct(name, args)
        ? [
            of('Distinct', args, model(distinct)),
            of('DistinctIf', `${args}, k < 4`, model(distinct.filter(([k]) => k < 4))),
          ]
        : []),
      ...(takes('State')
        ? [
            merged(`${name}State(${args})`, `${name}Merge(state)`, model(ROWS)),
            merged(`${name}StateIf(${args}, k < 4)`, `${name}Merge(state)`, model(ROWS.filter(isFirst))),
            merged(
              `${name}State(${args})`,
              `${name}MergeIf(state, w > 1)`,
              model(ROWS.filter(([, w]) => w > 1)),
            ),
            merged(`${name}StateIf(${args}, k > 100)`, `${name}Merge(state)`, model([])),
            merged(`${name}State(${args})`, `${name}MergeIf(state, w > 100)`, model([])),
          ]
        : []),
      of('OrNull', args, model(ROWS)),
      of('OrNullIf', `${args}, k > 100`, isList(name) ? [] : null),
      of('OrDefault', args, model(ROWS)),
      of('OrDefaultIf', `${args}, k > 100`, noRows),
      ...(takes('ForEach')
        ? [
            several('ForEach', `${name}ForEach([k, w])`, ROWS),
            several('ForEach', `${name}ForEachIf([k, w], k < 4)`, ROWS.filter(isFirst)),
            several('ForEach', `${name}ForEachIf([k, w], k > 100)`, []),
            several('Map', `mapValues(${name}Map(map('a', k, 'b', w)))`, ROWS),
            several('Map', `mapValues(${name}MapIf(map('b', w, 'a', k), k < 4))`, ROWS.filter(isFirst)),
            of('ArgMin', 'k, w', model(ROWS.filter(([, w]) => w === 1))),
            of('ArgMinIf', 'k, w, k > 100', model([])),
            of('ArgMax', 'k, w % 3', model(ROWS.filter(([, w]) => w % 3 === 2))),
            of('ArgMaxIf', 'k, 1, k < 4', model(ROWS.filter(isFirst))),
          ]
        : []),
      ...(findFunction(`${name}Array`) === null
        ? []
        : [
            of('Array', `[k, k]`, model(ROWS.flatMap((row) => [row, row]))),
            of(
              'ArrayIf',
              `[k, w], k < 4`,
              model(
                ROWS.filter(([k]) => k < 4).flatMap(([k, w]): Row[] => [
                  [k, 0],
                  [w, 0],
                ]),
              ),
            ),
          ]),
    ];
  });
}

const close = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(close) : typeof value === 'number' ? Number(value.toPrecision(10)) : value;

test('every combinator of every aggregate equals plain TypeScript', { tags: ['deep'] }, async () => {
  const all = cases();
  const found: [string, unknown][] = [];
  for (let at = 0; at < all.length; at += 40) {
    const part = all.slice(at, at + 40);
    const { results } = await askHogql(
      store,
      `SELECT ${part.map(([, text]) => text).join(', ')} FROM ${TABLE}`,
    );
    found.push(...part.map(([, text], n): [string, unknown] => [text, close(results[0]![n])]));
  }
  expect(found).toEqual(all.map(([, text, expected]) => [text, close(expected)]));
  const keys = Object.entries(MODELS).flatMap(([name, [args]]) =>
    COMBINATOR_ENDINGS.filter(
      (ending) =>
        // What is kept is seen by -Merge alone.
        ending !== 'State' &&
        (ending !== 'Distinct' || takesDistinct(name, args)) &&
        findFunction(`${name}${ending}`) !== null,
    ).map((ending) => `${name}-${ending}`),
  );
  const table = createCoverageTable('Aggregates with combinators', keys);
  for (const [key] of all) {
    const known = keys.find((one) => key === one || key === `${one}If`);
    if (known !== undefined) table.saw(known);
  }
  expect(table.missing()).toEqual([]);
});

test('each aggregate is in the table, except those that pick any row, or have their own test', () => {
  const elsewhere = FUNCTIONS.filter((row) => row.aggregate === true)
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(MODELS, name));
  expect(
    elsewhere.filter(
      (name) =>
        !/^(any|first|last|quantile|bool|array_agg|topK|groupConcat|corr|simple|median|skew|kurt|groupArray|groupBitmap|deltaSum|percentile|personSet|uniqUpTo|cramersV|contingency|theilsU|maxIntersections|string_agg|json_agg|every|windowFunnel|retention|sequence|exponential|(sum|min|max)Map|sumWith)/i.test(
          name,
        ),
    ),
  ).toEqual([]);
});

/** How an answer writes a map. */
const entries = (map: Readonly<Record<string, number>>): [string, number][] => Object.entries(map);

/** What is kept of each of two parts of the rows, finished over both. */
async function finished(keep: string, merge: string): Promise<unknown> {
  const rows = `SELECT arrayJoin([tuple(1, map('a', 1, 'b', 2)), tuple(1, map('a', 3)), tuple(2, map('c', 4)), tuple(2, map('c', 5))]) AS r`;
  const maps = `SELECT r.1 AS part, r.2 AS m FROM (${rows})`;
  const kept = `SELECT part, ${keep} AS s FROM (${maps}) GROUP BY part`;
  const { results } = await askHogql(store, `SELECT ${merge} FROM (${kept})`);
  return results[0]![0];
}

test.each([
  ['sumMapState(m)', 'sumMapMerge(s)', entries({ a: 4, b: 2, c: 9 })],
  ['avgMapState(m)', 'avgMapMerge(s)', entries({ a: 2, b: 2, c: 4.5 })],
  ['uniqMapState(m)', 'uniqMapMerge(s)', entries({ a: 2, b: 1, c: 2 })],
  ['sumMapState(m)', 'sumMapMergeIf(s, part = 1)', entries({ a: 4, b: 2 })],
  [
    'sumMapState(mapKeys(m), mapValues(m))',
    'sumMapMerge(s)',
    [
      ['a', 'b', 'c'],
      [4, 2, 9],
    ],
  ],
  ['uniqUpToState(2)(mapKeys(m))', 'uniqUpToMerge(2)(s)', 3],
  ['uniqUpToState(5)(mapKeys(m))', 'uniqUpToMerge(5)(s)', 3],
  ['uniqState(mapKeys(m), part)', 'uniqMerge(s)', 3],
] as const)('%s of partial states is merged by %s', async (keep, merge, expected) => {
  expect(await finished(keep, merge)).toEqual(expected);
});

test('an ordered state is merged in its order', async () => {
  const kept = `SELECT groupArrayState(k ORDER BY k DESC) AS s FROM ${TABLE}`;
  const { results } = await askHogql(store, `SELECT groupArrayMerge(s) FROM (${kept})`);
  expect(results).toEqual([[[9, 5, 2, 2, 1]]]);
});

test('a -State result cannot be selected, or merged by another aggregate', async () => {
  await expect(askHogql(store, `SELECT sumState(k) FROM ${TABLE}`)).rejects.toThrow('use -Merge');
  await expect(finished('sumState(part)', 'avgMerge(s)')).rejects.toThrow('Expected a state of avgState');
});
