import type { Expected, GoldenTable } from '../golden-table.ts';

const arrays: GoldenTable = {
  title: 'arrays, again',
  rows: [
    [`arrayJoin(['x'])`, 'x'],
    [`arrayConcat(['a'], ['b', 'a'])`, ['a', 'b', 'a']],
    [`arrayDistinct(['b', 'a', 'b'])`, [...new Set(['b', 'a', 'b'])]],
    [`arrayUniq(['a', 'b', 'a'])`, new Set(['a', 'b', 'a']).size],
    [`arrayReverse(['a', 'b'])`, ['b', 'a']],
    [`arrayCompact(['a', 'a'])`, ['a']],
    ['arrayFlatten([[1, 2], [3]])', [[1, 2], [3]].flat()],
    ['arrayEnumerate([5])', [1]],
    [`arrayPopBack(['a', 'b'])`, ['a']],
    [`arrayPopFront(['a', 'b'])`, ['b']],
    [`arrayPushBack(['a'], 'b')`, ['a', 'b']],
    [`arrayPushFront(['a'], 'b')`, ['b', 'a']],
    [`arrayZip(['x'], [1])`, [['x', 1]]],
    ['arrayCumSum([5, -5])', [5, 0]],
    ['arrayDifference([2, 2])', [0, 0]],
    ['arrayIntersect([5], [5, 6])', [5]],
    [`countEqual(['a'], 'b')`, 0],
    ['arrayWithConstant(3, 0)', [0, 0, 0]],
    ['arrayLast(x -> x > 9, [1, 2])', 0],
    ['arrayFirstOrNull(x -> x > 1, [1, 2, 3])', [1, 2, 3].find((x) => x > 1)!],
    ['arrayLastOrNull(x -> x < 3, [1, 2, 3])', [1, 2, 3].findLast((x) => x < 3)!],
    ['arrayAvg(x -> x * 2, [1, 2])', (2 + 4) / 2],
    ['arrayMin(x -> -x, [3, 1, 2])', Math.min(-3, -1, -2)],
    ['arrayMax([3, 1, 2])', Math.max(3, 1, 2)],
    ['arrayProduct([5, 0.5])', 5 * 0.5],
    ['arrayFold((sum, x) -> sum * x, [2, 3], 1)', [2, 3].reduce((sum, x) => sum * x, 1)],
  ],
};

const tuples: GoldenTable = {
  title: 'tuples and maps, again',
  rows: [
    [`tuple('a', 2)`, ['a', 2]],
    [`tupleElement(tuple(1, 'a'), 1)`, 1],
    [`map('k', 9)`, { k: 9 }],
    [`mapFromArrays(['z'], [0])`, { z: 0 }],
    [`mapKeys(map('z', 1))`, ['z']],
    [`mapValues(map('z', 5))`, [5]],
    [`mapContains(map('a', 1), 'z')`, 0],
    [`mapContainsKey(map('a', 1), 'a')`, 1],
  ],
};

const DOC = { x: 3, f: 0.5, b: false, q: 'it', r: [1] };
const J = `'${JSON.stringify(DOC)}'`;

const json: GoldenTable = {
  title: 'JSON, again',
  rows: [
    [`JSONExtractUInt('{"a":[5]}', 'a', 1)`, 5],
    [`JSONExtractFloat('{"a":2}', 'a')`, 2],
    [`JSONArrayLength('[]')`, 0],
    [`JSONExtractKeysAndValuesRaw('{"a":{"b":"c"}}', 'a')`, [['b', '"c"']]],
    [`JSONExtractKeysAndValues('{"a":{"b":2}}', 'a', 'Int64')`, [['b', 2]]],
    ...['visitParam', 'simpleJSON'].flatMap((prefix): [string, Expected][] => [
      [`${prefix}Has(${J}, 'y')`, 0],
      [`${prefix}ExtractString(${J}, 'q')`, DOC.q],
      [`${prefix}ExtractInt(${J}, 'x')`, DOC.x],
      [`${prefix}ExtractUInt(${J}, 'x')`, DOC.x],
      [`${prefix}ExtractFloat(${J}, 'f')`, DOC.f],
      [`${prefix}ExtractBool(${J}, 'b')`, Number(DOC.b)],
      [`${prefix}ExtractRaw(${J}, 'r')`, JSON.stringify(DOC.r)],
    ]),
  ],
};

export const collectionTables: readonly GoldenTable[] = [arrays, tuples, json];
