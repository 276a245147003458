import type { Expected, GoldenTable } from './golden-table.ts';

/** A group, a number that may be NULL, an array, and keys with values. */
const DATA = [
  { k: 1, n: 4, a: [1, 2, 3], keys: ['a', 'b'], values: [1, 5] },
  { k: 2, n: null, a: [10], keys: ['b'], values: [-5] },
  { k: 3, n: 9, a: [], keys: [], values: [] },
  { k: 5, n: 2, a: [7, 8], keys: ['c', 'a'], values: [4, 3] },
] as const;
type Row = (typeof DATA)[number];

const text = (items: readonly (number | string)[]): string =>
  `[${items.map((one) => (typeof one === 'string' ? `'${one}'` : one)).join(', ')}]`;
const typed = (items: readonly number[]): string => `arrayMap(x -> toInt(x), ${text(items)})`;
const tuples = DATA.map(
  ({ k, n, a, keys, values }) =>
    `tuple(${k}, ${String(n ?? 'NULL')}, ${typed(a)}, arrayMap(x -> toString(x), ${text(keys)}), ${typed(values)})`,
);
const FROM = `(SELECT r.1 AS k, r.2 AS n, arrayMap(x -> assumeNotNull(x), r.3) AS a, r.4 AS ks,
  arrayMap(x -> assumeNotNull(x), r.5) AS vs FROM (SELECT arrayJoin([${tuples.join(', ')}]) AS r))`;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
type Fold = (numbers: readonly number[]) => number;

/** What the values of each key come to, in the order of the keys. */
function byKey(fold: Fold, rows: readonly Row[] = DATA): [string, number][] {
  const all = rows.flatMap(({ keys, values }) => keys.map((key, at): [string, number] => [key, values[at]!]));
  const keys = [...new Set(all.map(([key]) => key))].toSorted();
  return keys.map((key) => [key, fold(all.filter(([one]) => one === key).map(([, value]) => value))]);
}
const beside = (entries: readonly [string, number][]): Expected => [
  entries.map(([key]) => key),
  entries.map(([, value]) => value),
];
const isThere = ([, value]: [string, number]): boolean => value !== 0;
const odd = DATA.filter(({ k }) => k % 2 === 1);

/** What the first items come to, the second ones… */
const byPlace = (fold: Fold): number[] =>
  [0, 1, 2].map((at) => fold(DATA.flatMap(({ a }) => (at < a.length ? [a[at]!] : []))));

const maps: GoldenTable = {
  title: 'aggregates of the values of each key',
  from: FROM,
  rows: [
    ['sumMap(ks, vs)', beside(byKey(sum).filter(isThere))],
    ['sumMap(tuple(ks, vs))', beside(byKey(sum).filter(isThere))],
    ['sumMapIf(ks, vs, k % 2 = 1)', beside(byKey(sum, odd).filter(isThere))],
    ['sumMapIf(ks, vs, k > 99)', [[], []]],
    ['minMap(ks, vs)', beside(byKey((all) => Math.min(...all)))],
    ['minMap(tuple(ks, vs))', beside(byKey((all) => Math.min(...all)))],
    ['minMapIf(ks, vs, k % 2 = 1)', beside(byKey((all) => Math.min(...all), odd))],
    ['maxMap(ks, vs)', beside(byKey((all) => Math.max(...all)))],
    ['maxMap(tuple(ks, vs))', beside(byKey((all) => Math.max(...all)))],
    ['maxMapIf(ks, vs, k < 3)', beside(byKey((all) => Math.max(...all), DATA.slice(0, 2)))],
    // Of maps the result is one too, which keeps what comes to 0.
    ['mapValues(sumMap(mapFromArrays(ks, vs)))', byKey(sum).map(([, value]) => value)],
    ['mapKeys(sumMap(mapFromArrays(ks, vs)))', byKey(sum).map(([key]) => key)],
    ['mapValues(avgMap(mapFromArrays(ks, vs)))', byKey((all) => sum(all) / all.length).map(([, one]) => one)],
    ['mapValues(countMap(mapFromArrays(ks, vs)))', byKey((all) => all.length).map(([, one]) => one)],
    ['mapValues(maxMapIf(mapFromArrays(ks, vs), k > 99))', []],
  ],
};

const forEach: GoldenTable = {
  title: 'aggregates place by place, and beside an extreme',
  from: FROM,
  rows: [
    ['sumForEach(a)', byPlace(sum)],
    ['minForEach(a)', byPlace((all) => Math.min(...all))],
    ['avgForEach(a)', byPlace((all) => sum(all) / all.length)],
    ['countForEach(a)', byPlace((all) => all.length)],
    ['sumForEachIf(a, k > 99)', []],
    ['sumForEachIf(a, k = 3)', []],
    ['sumArgMax(k, length(ks))', sum(DATA.filter(({ keys }) => keys.length === 2).map(({ k }) => k))],
    ['countArgMin(k, n)', 1],
    ['avgArgMinIf(k, length(ks), k < 3)', 2],
    ['sumArgMax(k, nullIf(n, n))', 0],
    ['avgArrayIf(a, k > 99)', null],
    ['sumForEach([k > 1, k > 2])', [3, 2]],
    ['avgForEach([toString(k)])', [sum(DATA.map(({ k }) => k)) / DATA.length]],
    ['sumForEach(NULL)', []],
    ['sumMap(NULL, NULL)', [[], []]],
    ['sumArrayIf(a, k > 99)', 0],
  ],
};

const known = DATA.flatMap(({ n }) => (n === null ? [] : [n]));
const ks = DATA.map(({ k }) => k);

const lists: GoldenTable = {
  title: 'lists of all rows',
  from: FROM,
  rows: [
    ['groupArrayInsertAt(k, k)', [0, 1, 2, 3, 0, 5]],
    ['groupArrayInsertAt(-1)(k, k)', [-1, 1, 2, 3, -1, 5]],
    ['groupArrayInsertAt(-1, 3)(k, k)', [-1, 1, 2]],
    ['groupArrayInsertAt(0, 8)(k, k)', [0, 1, 2, 3, 0, 5, 0, 0]],
    ['groupArrayInsertAt(n, k)', [0, 4, 0, 9, 0, 2]],
    ['groupArrayInsertAt(NULL)(n, k)', [null, 4, null, 9, null, 2]],
    [`groupArrayInsertAt('-')(toString(k), k)`, ['-', '1', '2', '3', '-', '5']],
    ['groupArrayInsertAt(k, 0 ORDER BY k DESC)', [5]],
    ['groupArrayInsertAtIf(k, k, k > 99)', []],
    ['groupArraySample(9)(k)', ks],
    ['length(groupArraySample(2)(k))', 2],
    ['hasAll([1, 2, 3, 5], groupArraySample(3, 7)(k))', 1],
    ['groupArraySample(9, 1)(n)', known],
    ['groupArraySampleIf(2)(k, k > 99)', []],
    ['json_agg(k)', JSON.stringify(ks)],
    ['json_agg(ks)', JSON.stringify(DATA.map(({ keys }) => keys))],
    ['json_agg(n ORDER BY k)', JSON.stringify(known)],
    [`json_agg(toDateTime('2026-11-20 09:30:00'))`, JSON.stringify(DATA.map(() => '2026-11-20 09:30:00'))],
    ['json_aggIf(k, k > 99)', '[]'],
    ['every(k > 0)', true],
    ['every(k > 1)', false],
    ['everyIf(k > 1, k > 2)', true],
    ['groupBitmap(k % 2)', 2],
    ['groupBitmap(n)', known.length],
    ['sumWithOverflow(k)', sum(ks)],
    ['sumWithOverflow(n)', sum(known)],
    ['deltaSumTimestamp(n, k)', 9 - 4],
    ['deltaSumTimestamp(k, -k)', 0],
    ['groupArrayMovingAvg(k ORDER BY k)', ks.map((_, at) => sum(ks.slice(0, at + 1)) / ks.length)],
    ['groupArrayMovingSum(k ORDER BY k)', ks.map((_, at) => sum(ks.slice(0, at + 1)))],
    ['groupArrayMovingAvgIf(k, k > 99)', []],
  ],
};

export const collectedTables: readonly GoldenTable[] = [maps, forEach, lists];
