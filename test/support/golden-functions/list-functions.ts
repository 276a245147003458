import type { Expected, GoldenTable } from './golden-table.ts';

const list = (items: readonly (number | string)[]): string =>
  `[${items.map((one) => (typeof one === 'string' ? `'${one}'` : one)).join(', ')}]`;

/** A new part at each item for which the condition holds, but the first; or behind each, but the last. */
function split<Item>(items: readonly Item[], holds: (item: Item) => boolean, isReversed: boolean): Item[][] {
  const found: Item[][] = [];
  for (const [at, one] of items.entries()) {
    const isNew = isReversed ? at > 0 && holds(items[at - 1]!) : holds(one);
    if (at === 0 || isNew) found.push([]);
    found.at(-1)!.push(one);
  }
  return found;
}

/** Items for which the condition does not hold become the one before them. */
function fill(items: readonly number[], holds: (item: number) => boolean): number[] {
  const found: number[] = [];
  for (const [at, one] of items.entries()) found.push(at === 0 || holds(one) ? one : found[at - 1]!);
  return found;
}

const NUMBERS = [3, 0, 0, 7, 1, 0, 9];
const isSet = (one: number): boolean => one > 0;
const isBig = (one: number): boolean => one > 2;

const parts: GoldenTable = {
  title: 'parts of arrays that a condition tells apart',
  from: `(SELECT arrayJoin([${list(NUMBERS)}]) AS a)`,
  rows: [
    ['arraySplit(x -> x > 2, a)', split(NUMBERS, isBig, false)],
    ['arraySplit(x -> x = 0, a)', split(NUMBERS, (one) => one === 0, false)],
    ['arraySplit(x -> true, [])', []],
    [`arraySplit((x, y) -> y > 2, ['a', 'b', 'c'], [0, 1, 9])`, [['a', 'b'], ['c']]],
    ['arrayReverseSplit(x -> x > 2, a)', split(NUMBERS, isBig, true)],
    ['arrayReverseSplit(x -> x = 0, a)', split(NUMBERS, (one) => one === 0, true)],
    ['arrayReverseSplit(x -> x > 99, [1, 2])', [[1, 2]]],
    ['arrayFill(x -> x > 0, a)', fill(NUMBERS, isSet)],
    ['arrayFill(x -> x > 2, a)', fill(NUMBERS, isBig)],
    ['arrayFill(x -> NOT isNull(x), [NULL, 2, NULL, 4, NULL])', [null, 2, 2, 4, 4]],
    ['arrayFill(x -> x > 0, emptyList)', []],
    ['arrayReverseFill(x -> x > 0, a)', fill(NUMBERS.toReversed(), isSet).toReversed()],
    ['arrayReverseFill(x -> x > 2, a)', fill(NUMBERS.toReversed(), isBig).toReversed()],
    ['arrayReverseFill((x, y) -> y = 1, [1, 2, 3], [0, 1, 0])', [2, 2, 3]],
  ].map(([expression, expected]): [string, Expected] => [
    (expression as string).replace('emptyList', 'arrayFilter(x -> x > 99, a)'),
    expected as Expected,
  ]),
};

const LETTERS = ['b', 'a', 'b', 'c', 'a', 'b'];
const CHANGES = [2, -5, 4, -1, -9, 3];
const different = [...new Set(LETTERS)];

/** Running sums that restart at 0 where they would be negative. */
function sums(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((one) => (sum = Math.max(0, sum + one)));
}

const places: GoldenTable = {
  title: 'numbers of the items of arrays',
  rows: [
    [
      `arrayEnumerateUniq(${list(LETTERS)})`,
      LETTERS.map((one, at) => LETTERS.slice(0, at + 1).filter((other) => other === one).length),
    ],
    ['arrayEnumerateUniq([1, 1, 2], [5, 6, 5])', [1, 1, 1]],
    ['arrayEnumerateUniq([NULL, 1, NULL])', [1, 1, 2]],
    [`arrayEnumerateDense(${list(LETTERS)})`, LETTERS.map((one) => different.indexOf(one) + 1)],
    ['arrayEnumerateDense([30, 10, 30, 20])', [1, 2, 1, 3]],
    [`arrayCumSumNonNegative(${list(CHANGES)})`, sums(CHANGES)],
    ['arrayCumSumNonNegative([1, 1, -4, 1])', [1, 2, 0, 1]],
    ['arrayEnumerateUniq(NULL)', null],
    ['arrayFill(x -> x > 0, NULL)', null],
    ['arrayCumSum([])', []],
    ['arrayCumSum([1, NULL, 2])', [1, 1, 3]],
    ['arrayCumSum(range(40))', Array.from({ length: 40 }, (_, at) => (at * (at + 1)) / 2)],
    ['isEmpty([])', 1],
    [`isEmpty('a')`, 0],
    ['isNotEmpty([1])', 1],
    [`isNotEmpty('')`, 0],
    [`arrayStringConcat(['a', 'b'], if(length('xy') = 2, '-', '+'))`, 'a-b'],
    [`arrayStringConcat(['a', NULL, 'c'], materialize(', '))`, 'a, c'],
    [`arrayStringConcat([], lower('X'))`, ''],
  ],
};

const SEPARATED: GoldenTable = {
  title: 'arrays as texts, joined by what the row says',
  from: `(SELECT r.1 AS a, r.2 AS s FROM (SELECT arrayJoin([tuple([1, 2, 3], ' and ')]) AS r))`,
  rows: [
    ['arrayStringConcat(a, s)', [1, 2, 3].join(' and ')],
    [`arrayStringConcat(a, concat(s, '!'))`, [1, 2, 3].join(' and !')],
    [`arrayStringConcat(['x'], s)`, 'x'],
    ['arrayStringConcat(a, nullIf(s, s))', null],
  ],
};

export const listTables: readonly GoldenTable[] = [parts, places, SEPARATED];
