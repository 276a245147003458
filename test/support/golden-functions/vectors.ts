import type { Expected, GoldenTable } from './golden-table.ts';

type Row = readonly [string, Expected];

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const A = [3, -4, 1];
const B = [1, 2, -2];
const text = (list: readonly number[], isTuple: boolean): string =>
  isTuple ? `tuple(${list.join(', ')})` : `[${list.join(', ')}]`;
const each = (make: (a: number, b: number) => number): number[] => A.map((a, at) => make(a, B[at]!));

const norms: Readonly<Record<string, (list: readonly number[]) => number>> = {
  L1: (list) => sum(list.map(Math.abs)),
  L2: (list) => Math.hypot(...list),
  Linf: (list) => Math.max(...list.map(Math.abs)),
};
const cube = (list: readonly number[]): number => Math.cbrt(sum(list.map((one) => Math.abs(one) ** 3)));
const dot = sum(each((a, b) => a * b));
const [TA, TB] = [text(A, true), text(B, true)];

const vectors: GoldenTable = {
  title: 'tuples and arrays as vectors',
  rows: [
    [`tuplePlus(${TA}, ${TB})`, each((a, b) => a + b)],
    ['tuplePlus(tuple(1, NULL), tuple(1.5, 1))', [2.5, null]],
    [`tupleMinus(${TA}, ${TB})`, each((a, b) => a - b)],
    [`tupleMinus(tuple('5'), tuple(2))`, [3]],
    [`tupleMultiply(${TA}, ${TB})`, each((a, b) => a * b)],
    ['tupleMultiply(tuple(0.5), tuple(-2))', [-1]],
    [`tupleDivide(${TA}, ${TB})`, each((a, b) => a / b)],
    ['tupleDivide(tuple(1), tuple(4))', [0.25]],
    [`tupleNegate(${TA})`, A.map((a) => -a)],
    ['tupleNegate(tuple(1.5))', [-1.5]],
    [`tupleMultiplyByNumber(${TA}, 2)`, A.map((a) => a * 2)],
    ['tupleMultiplyByNumber(tuple(1, 2), NULL)', [null, null]],
    [`tupleDivideByNumber(${TA}, 2)`, A.map((a) => a / 2)],
    ['tupleDivideByNumber(tuple(1), 8)', [0.125]],
    [`tupleHammingDistance(${TA}, tuple(3, 4, 5))`, 2],
    [`tupleHammingDistance(tuple('a', 1), tuple('a', 1))`, 0],
    ...[true, false].flatMap((isTuple): Row[] => {
      const [a, b] = [text(A, isTuple), text(B, isTuple)];
      return [
        [`dotProduct(${a}, ${b})`, dot],
        [`cosineDistance(${a}, ${b})`, 1 - dot / (norms['L2']!(A) * norms['L2']!(B))],
        ...Object.entries(norms).flatMap(([name, norm]): Row[] => [
          [`${name}Norm(${a})`, norm(A)],
          [`${name}Distance(${a}, ${b})`, norm(each((x, y) => x - y))],
        ]),
        [`LpNorm(${a}, 3)`, cube(A)],
        [`LpDistance(${a}, ${b}, 3)`, cube(each((x, y) => x - y))],
      ];
    }),
    ...Object.entries(norms).flatMap(([name, norm]): Row[] => [
      [`${name}Normalize(${TA})`, A.map((a) => a / norm(A))],
      [`${name}Normalize(tuple(0.5, NULL))`, [null, null]],
    ]),
    [`LpNormalize(${TA}, 3)`, A.map((a) => a / cube(A))],
    ['LpNormalize(tuple(2), 2.5)', [1]],
    ['L2Norm([])', 0],
    ['L2Norm(tuple(1, NULL))', null],
  ],
};

const SET = [5, 1, 9, 3];
const OTHER = [3, 4, 5, 70];
const inOrder = (list: readonly number[]): number[] => [...new Set(list)].toSorted((a, b) => a - b);
const [S, O] = [`bitmapBuild([${SET.join(', ')}, 5])`, `bitmapBuild([${OTHER.join(', ')}])`];

const pairs: Readonly<Record<string, number[]>> = {
  And: SET.filter((one) => OTHER.includes(one)),
  Or: [...SET, ...OTHER],
  Xor: [...SET.filter((one) => !OTHER.includes(one)), ...OTHER.filter((one) => !SET.includes(one))],
  Andnot: SET.filter((one) => !OTHER.includes(one)),
};

const bitmaps: GoldenTable = {
  title: 'bitmaps',
  rows: [
    [S, inOrder(SET)],
    ['bitmapBuild([])', []],
    [`bitmapToArray(${S})`, inOrder(SET)],
    ['bitmapToArray(bitmapBuild([2, 2]))', [2]],
    [`bitmapCardinality(${S})`, SET.length],
    ['bitmapCardinality(NULL)', null],
    [`bitmapMin(${S})`, Math.min(...SET)],
    [`bitmapMin(${O})`, Math.min(...OTHER)],
    [`bitmapMax(${S})`, Math.max(...SET)],
    [`bitmapMax(${O})`, Math.max(...OTHER)],
    [`bitmapContains(${S}, 9)`, 1],
    [`bitmapContains(${S}, 2)`, 0],
    [`bitmapHasAny(${S}, ${O})`, 1],
    [`bitmapHasAny(${S}, bitmapBuild([7]))`, 0],
    [`bitmapHasAll(${S}, bitmapBuild([9, 1]))`, 1],
    [`bitmapHasAll(${S}, ${O})`, 0],
    ...Object.entries(pairs).flatMap(([name, list]): Row[] => [
      [`bitmap${name}(${S}, ${O})`, inOrder(list)],
      [`bitmap${name}(${S}, NULL)`, null],
      [`bitmap${name}Cardinality(${S}, ${O})`, inOrder(list).length],
      [`bitmap${name}Cardinality(bitmapBuild([]), bitmapBuild([]))`, 0],
    ]),
    [`bitmapSubsetInRange(${S}, 2, 9)`, [3, 5]],
    [`bitmapSubsetInRange(${S}, 9, 2)`, []],
    [`bitmapSubsetLimit(${S}, 2, 2)`, [3, 5]],
    [`bitmapSubsetLimit(${S}, 99, 2)`, []],
    [`subBitmap(${S}, 1, 2)`, inOrder(SET).slice(1, 3)],
    [`subBitmap(${S}, 9, 2)`, []],
    [`subBitmap(${S}, 1, NULL)`, null],
  ],
};

const maps: GoldenTable = {
  title: 'maps that are made of maps',
  rows: [
    [`mapAdd(map('a', 1, 'b', 2), map('b', 3, 'c', 4))['b']`, 5],
    [`mapAdd(map('a', 1), map('a', 0.5), map('a', 1))['a']`, 2.5],
    [`mapKeys(mapAdd(map('b', 1), map('a', 1)))`, ['a', 'b']],
    [`mapSubtract(map('a', 1, 'b', 2), map('b', 3, 'c', 4))['c']`, -4],
    [`mapSubtract(map('a', 1, 'b', 2), map('b', 3))['b']`, -1],
    [`mapUpdate(map('a', 1, 'b', 2), map('b', 9, 'c', 3))['b']`, 9],
    [`mapUpdate(map('a', 1), map('b', 2))['a']`, 1],
    [`mapFilter((k, v) -> v > 1, map('a', 1, 'b', 2))['b']`, 2],
    [`mapFilter((k, v) -> k = 'z', map('a', 1))['a']`, 0],
    [`mapApply((k, v) -> (upper(k), v * 10), map('a', 1, 'b', 2))['B']`, 20],
    [`mapApply((k, v) -> (k, concat(k, '!')), map('ñ', 1))['ñ']`, 'ñ!'],
    [`mapContainsKeyLike(map('abc', 1), 'a%')`, 1],
    [`mapContainsKeyLike(map('abc', 1), 'b%')`, 0],
    [`mapExtractKeyLike(map('abc', 1, 'xyz', 2), 'a%')['abc']`, 1],
    [`mapExtractKeyLike(map('abc', 1, 'xyz', 2), 'a%')['xyz']`, 0],
  ],
};

export const vectorTables: readonly GoldenTable[] = [vectors, bitmaps, maps];
