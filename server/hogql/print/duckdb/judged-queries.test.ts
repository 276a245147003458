import { afterAll, beforeAll, expect, test } from 'vitest';
import { askHogql } from '../../../../test/support/ask-hogql.ts';
import { openTestStore } from '../../../../test/support/store.ts';
import type { Store } from '../../../db/client.ts';
import { shownValues } from '../../shown-value.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** Queries and the rows that ClickHouse 26.7 gives. */
const QUERIES: Readonly<Record<string, readonly (readonly [query: string, rows: unknown])[]>> = {
  'arrayJoin of what aggregates give makes rows of the groups, which HAVING and other arrays see': [
    [
      'SELECT number % 2 AS k, arrayJoin(groupArray(number)) AS n FROM numbers(4) GROUP BY k HAVING n > 0 ORDER BY k, n',
      [
        [0, 2],
        [1, 1],
        [1, 3],
      ],
    ],
    [
      'SELECT arraySort(groupArray(number)) AS ns, arrayJoin(ns) AS n, n + length(ns) AS m, count() FROM numbers(2) ORDER BY n',
      [
        [[0, 1], 0, 2, 2],
        [[0, 1], 1, 3, 2],
      ],
    ],
    [
      'SELECT arrayJoin(arrayMap(x -> x * max(number), groupArray(number))) AS n, arrayJoin(range(n)) AS i FROM numbers(3) WHERE number < 2 ORDER BY n, i',
      [[1, 0]],
    ],
    [
      'SELECT key, t.1 AS value FROM (SELECT number % 2 AS key, arrayJoin(groupArray((number, key))) AS t FROM numbers(3) GROUP BY key) ORDER BY value',
      [
        [0, 0],
        [1, 1],
        [0, 2],
      ],
    ],
    [
      'SELECT arrayJoin(arrayMap(x -> arrayCount(y -> y >= x, ys), [1, 2])) AS n FROM (SELECT [1, 2, 3] AS ys) ORDER BY n',
      [[2], [3]],
    ],
    [`SELECT arrayJoin([1]), [(1, 'a'), (2, 'b')].2`, [[1, ['a', 'b']]]],
    ['SELECT arrayJoin(groupArray(number)) AS number FROM numbers(2) ORDER BY number', [[0], [1]]],
    ['WITH groupArray(number) AS g SELECT arrayJoin(g) FROM numbers(2) ORDER BY 1', [[0], [1]]],
    [
      'SELECT t.number AS k, arrayJoin(groupArray(number)) FROM numbers(2) t GROUP BY number ORDER BY 1',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'SELECT number % 2 AS k, arrayJoin(arrayMap(number -> number % 2, arrayConcat(groupArray(number), [7]))) AS n FROM numbers(4) WHERE number % 2 = 0 GROUP BY number % 2 ORDER BY n',
      [
        [0, 0],
        [0, 0],
        [0, 1],
      ],
    ],
    [
      'SELECT arrayJoin(arrayMap(x -> x + 1, arrayFilter(x -> x > 0, (SELECT groupArray(number) FROM numbers(3))))) AS n ORDER BY n',
      [[2], [3]],
    ],
  ],
  'a text column that is read inside has nothing in it where it is no JSON': [
    [`SELECT n.k FROM (SELECT 'plain' AS n)`, [[null]]],
    [
      `SELECT n.k FROM (SELECT '{"k":1}' AS n, 1 AS i UNION ALL SELECT 'plain', 2) ORDER BY i`,
      [['1'], [null]],
    ],
    [`SELECT a.k FROM (SELECT 1 AS i) x LEFT JOIN (SELECT 2 AS i, '{"k":1}' AS a) y ON x.i = y.i`, [[null]]],
    [`SELECT 'plain' AS n, n.k`, [['plain', null]]],
  ],
  'arrayJoin makes rows before they are grouped and filtered': [
    [
      'SELECT arrayJoin([1,2]) AS a, arrayJoin([3,4]) AS b ORDER BY a, b',
      [
        [1, 3],
        [1, 4],
        [2, 3],
        [2, 4],
      ],
    ],
    ['SELECT x, count() FROM (SELECT arrayJoin([1,2,2]) AS x) WHERE x > 1 GROUP BY x', [[2, 2]]],
    ['SELECT arrayJoin(groupArray(number)) AS n FROM numbers(3) ORDER BY n', [[0], [1], [2]]],
    [
      'SELECT number, arrayJoin(range(number)) AS i FROM numbers(4) WHERE i > 0 ORDER BY number, i',
      [
        [2, 1],
        [3, 1],
        [3, 2],
      ],
    ],
    ['SELECT countIf(arrayJoin([1,2,3]) > 1)', [[2]]],
    ['SELECT arrayJoin(arrayJoin([[1,2],[3]])) AS v ORDER BY v', [[1], [2], [3]]],
    ['SELECT DISTINCT arrayJoin([2,1,2]) AS v ORDER BY v', [[1], [2]]],
    ['SELECT arrayJoin([1,2]) + arrayJoin([1,2]) AS v ORDER BY v', [[2], [4]]],
    [
      `SELECT s, length(s) AS l FROM (SELECT arrayJoin(['a','bb']) AS s) ORDER BY l DESC`,
      [
        ['bb', 2],
        ['a', 1],
      ],
    ],
    ['SELECT sum(x) FROM (SELECT number AS x, [1,2] AS ys FROM numbers(3)) ARRAY JOIN ys AS y', [[6]]],
    [
      `SELECT y, concat('k', toString(y)) AS k FROM (SELECT [1,2] AS ys) ARRAY JOIN ys AS y WHERE k = 'k2'`,
      [[2, 'k2']],
    ],
    [
      'SELECT y AS z, sum(n) FROM (SELECT [1,2] AS ys, 5 AS n) ARRAY JOIN arrayMap(v -> v * 10, ys) AS y GROUP BY z ORDER BY z',
      [
        [10, 5],
        [20, 5],
      ],
    ],
    [
      `SELECT tupleElement(t, 1) AS a, t.2 AS b FROM (SELECT [(1,'x'),(2,'y')] AS ts) ARRAY JOIN ts AS t ORDER BY a`,
      [
        [1, 'x'],
        [2, 'y'],
      ],
    ],
    [
      `SELECT a, b FROM (SELECT [1,2] AS x, ['p','q'] AS y) ARRAY JOIN x AS a, y AS b ORDER BY a`,
      [
        [1, 'p'],
        [2, 'q'],
      ],
    ],
    ['SELECT number FROM numbers(5) WHERE number IN (SELECT arrayJoin([1,3])) ORDER BY number', [[1], [3]]],
    ['SELECT DISTINCT x % 2 AS y FROM (SELECT arrayJoin([3,1,2]) AS x) ORDER BY y DESC', [[1], [0]]],
    ['SELECT DISTINCT x FROM (SELECT arrayJoin([3,1,2]) AS x) ORDER BY x % 2, x LIMIT 2', [[2], [1]]],
    [`SELECT max(toFloat(x)) FROM (SELECT arrayJoin(['1','x','3']) AS x)`, [[3]]],
    [
      'WITH numbers_list AS (SELECT arrayJoin([1,2,3]) AS n) SELECT sum(n), max(n) FROM numbers_list WHERE n > 1',
      [[5, 3]],
    ],
    [
      `SELECT arrayJoin(splitByChar(',', 'a,b')) AS p, length(p) AS l, count() FROM numbers(2) GROUP BY p, l ORDER BY p`,
      [
        ['a', 1, 2],
        ['b', 1, 2],
      ],
    ],
    [
      'SELECT x, lagInFrame(x) OVER (ORDER BY x) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 0],
        [2, 1],
      ],
    ],
    [
      'SELECT x, leadInFrame(x) OVER (ORDER BY x) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 0],
        [2, 0],
      ],
    ],
    [
      'SELECT x, leadInFrame(x) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 2],
        [2, 0],
      ],
    ],
    [
      'SELECT x, lag(x) OVER (ORDER BY x) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 0],
        [2, 1],
      ],
    ],
    [
      'SELECT x, lead(x, 1, 9) OVER (ORDER BY x) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 2],
        [2, 9],
      ],
    ],
    [
      'SELECT arrayJoin([1,2]), arrayJoin([1,2])',
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      'SELECT arrayJoin([1,2]) AS a, arrayJoin([10,20,30]) + 1 AS b ORDER BY a, b',
      [
        [1, 11],
        [1, 21],
        [1, 31],
        [2, 11],
        [2, 21],
        [2, 31],
      ],
    ],
    [
      'SELECT arrayJoin([1,2,2]) AS a, count() GROUP BY a ORDER BY a',
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      'SELECT count(), arrayJoin([1,2,2]) AS a GROUP BY a ORDER BY a',
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ['SELECT sum(arrayJoin([1,2,3]))', [[6]]],
    [
      'SELECT x, arrayJoin(xs) AS i FROM (SELECT 1 AS x, [1,2] AS xs UNION ALL SELECT 2, []) WHERE i > 1',
      [[1, 2]],
    ],
    [
      'SELECT x, a FROM (SELECT 1 AS x, [1,2] AS xs) ARRAY JOIN xs AS a ORDER BY a',
      [
        [1, 1],
        [1, 2],
      ],
    ],
    [
      'SELECT x, a, b FROM (SELECT 1 AS x, [1,2] AS xs) ARRAY JOIN xs AS a, arrayMap(z -> z * 2, xs) AS b ORDER BY a',
      [
        [1, 1, 2],
        [1, 2, 4],
      ],
    ],
    ['SELECT a, count() FROM (SELECT [1,2,2] AS xs) ARRAY JOIN xs AS a WHERE a > 1 GROUP BY a', [[2, 2]]],
    ['SELECT DISTINCT x FROM (SELECT arrayJoin([3,1,2]) AS x) ORDER BY -x', [[3], [2], [1]]],
    [
      `SELECT DISTINCT lower(x) AS y FROM (SELECT arrayJoin(['B','a']) AS x) ORDER BY length(y), y`,
      [['a'], ['b']],
    ],
    [`SELECT x FROM (SELECT toFloat(arrayJoin(['1','nan','2'])) AS x) ORDER BY x DESC`, [[2], [1], [null]]],
    [`SELECT x FROM (SELECT toFloat(arrayJoin(['1','nan','2'])) AS x) ORDER BY x`, [[1], [2], [null]]],
    ['SELECT x FROM (SELECT arrayJoin([1,NULL,2]) AS x) ORDER BY x DESC', [[2], [1], [null]]],
    [
      'SELECT x, count() FROM (SELECT arrayJoin([NULL,1,NULL]) AS x) GROUP BY x ORDER BY x',
      [
        [1, 1],
        [null, 2],
      ],
    ],
    ['SELECT count(DISTINCT x) FROM (SELECT arrayJoin([NULL,1,NULL]) AS x)', [[1]]],
    ['SELECT sum(x) OVER () FROM (SELECT arrayJoin([1,2]) AS x)', [[3], [3]]],
    [
      'SELECT x, row_number() OVER (ORDER BY x DESC) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 2],
        [2, 1],
      ],
    ],
    [
      'SELECT x, rank() OVER (ORDER BY x), dense_rank() OVER (ORDER BY x) FROM (SELECT arrayJoin([1,1,2]) AS x) ORDER BY x',
      [
        [1, 1, 1],
        [1, 1, 1],
        [2, 3, 2],
      ],
    ],
    [
      'SELECT x, first_value(x) OVER (ORDER BY x), last_value(x) OVER (ORDER BY x) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 1, 1],
        [2, 1, 2],
      ],
    ],
    [
      'SELECT x, nth_value(x,2) OVER (ORDER BY x) FROM (SELECT arrayJoin([1,2]) AS x) ORDER BY x',
      [
        [1, 0],
        [2, 2],
      ],
    ],
    ['SELECT any(x) FROM (SELECT arrayJoin([NULL,5]) AS x)', [[5]]],
    [`SELECT x FROM (SELECT arrayJoin(['b','a','B']) AS x) ORDER BY x`, [['B'], ['a'], ['b']]],
    ['SELECT x FROM (SELECT arrayJoin([true,false]) AS x) ORDER BY x', [[false], [true]]],
    ['SELECT argMax(x, y) FROM (SELECT arrayJoin([1,2]) AS x, -x AS y)', [[1]]],
    [`SELECT max(x) FROM (SELECT arrayJoin(['a','b']) AS x)`, [['b']]],
    ['SELECT x.1 FROM (SELECT arrayJoin([(1,2),(3,4)]) AS x) ORDER BY 1', [[1], [3]]],
  ],
  'rows that a join or a grouping lacks have the default of the type': [
    [
      `SELECT a.x, b.s FROM (SELECT 1 AS x) a LEFT JOIN (SELECT 2 AS x, 'q' AS s) b ON a.x = b.x WHERE b.s = ''`,
      [[1, '']],
    ],
    [
      `SELECT a.x, b.x, c.y FROM (SELECT 1 AS x) a LEFT JOIN (SELECT 2 AS x, 7 AS k) b ON a.x = b.x LEFT JOIN (SELECT 0 AS k, 'zero' AS y) c ON b.k = c.k`,
      [[1, 0, 'zero']],
    ],
    [
      `SELECT uniq(b.s), count(b.s) FROM (SELECT number AS x FROM numbers(3)) a LEFT JOIN (SELECT 1 AS x, 'q' AS s) b ON a.x = b.x`,
      [[2, 3]],
    ],
    [
      `SELECT x, y, count() FROM (SELECT 'a' AS x, toNullable(1) AS y) GROUP BY GROUPING SETS ((x),(y)) ORDER BY x, y`,
      [
        ['', 1, 1],
        ['a', null, 1],
      ],
    ],
    [
      'SELECT a.number, b.number FROM numbers(3) a LEFT JOIN numbers(2) b ON a.number = b.number ORDER BY a.number',
      [
        [0, 0],
        [1, 1],
        [2, 0],
      ],
    ],
    [
      `SELECT a.x, b.y FROM (SELECT 1 AS x UNION ALL SELECT 2) a LEFT JOIN (SELECT 1 AS x, 'q' AS y) b ON a.x = b.x ORDER BY a.x`,
      [
        [1, 'q'],
        [2, ''],
      ],
    ],
    [
      `SELECT a.x, b.x, b.d FROM (SELECT 1 AS x) a LEFT JOIN (SELECT 5 AS x, toDate('2024-01-01') AS d) b ON a.x = b.x`,
      [[1, 0, null]],
    ],
    [
      'SELECT a.x, b.x FROM (SELECT 1 AS x) a FULL JOIN (SELECT 5 AS x) b ON a.x = b.x ORDER BY 1',
      [
        [0, 5],
        [1, 0],
      ],
    ],
    ['SELECT a.x, b.x FROM (SELECT 1 AS x) a RIGHT JOIN (SELECT 5 AS x) b ON a.x = b.x', [[0, 5]]],
    [
      `SELECT count(b.y), countIf(b.y = ''), any(b.arr) FROM (SELECT 1 AS x) a LEFT JOIN (SELECT 5 AS x, 'q' AS y, [1] AS arr) b ON a.x = b.x`,
      [[1, 1, []]],
    ],
    [
      'SELECT b.n FROM (SELECT 1 AS x) a LEFT JOIN (SELECT 5 AS x, toNullable(3) AS n) b ON a.x = b.x',
      [[null]],
    ],
    [
      `SELECT x, y, sum(z) FROM (SELECT 'a' AS x, 1 AS y, 5 AS z) GROUP BY GROUPING SETS ((x),(y)) ORDER BY x, y`,
      [
        ['', 1, 5],
        ['a', 0, 5],
      ],
    ],
    [
      `SELECT x, sum(z) FROM (SELECT 'a' AS x, 5 AS z) GROUP BY ROLLUP(x) ORDER BY x`,
      [
        ['', 5],
        ['a', 5],
      ],
    ],
    [
      `SELECT x, y, sum(z) FROM (SELECT 'a' AS x, 1 AS y, 5 AS z) GROUP BY CUBE(x,y) ORDER BY x,y`,
      [
        ['', 0, 5],
        ['', 1, 5],
        ['a', 0, 5],
        ['a', 1, 5],
      ],
    ],
  ],
  windows: [
    [
      'SELECT number, lagInFrame(number) OVER (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), leadInFrame(number, 1, 99) OVER (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM numbers(3) ORDER BY number',
      [
        [0, 0, 1],
        [1, 0, 2],
        [2, 1, 99],
      ],
    ],
    [
      'SELECT number, leadInFrame(number) OVER (ORDER BY number ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM numbers(3) ORDER BY number',
      [
        [0, 1],
        [1, 2],
        [2, 0],
      ],
    ],
    [
      'SELECT number, leadInFrame(number) OVER () FROM numbers(3) ORDER BY number',
      [
        [0, 1],
        [1, 2],
        [2, 0],
      ],
    ],
    [
      'SELECT number, sum(number) OVER (ORDER BY number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM numbers(3)',
      [
        [0, 0],
        [1, 1],
        [2, 3],
      ],
    ],
  ],
  'everything else': [
    ['SELECT x FROM (SELECT 1 AS x UNION ALL SELECT 2) WHERE x NOT IN (1) ', [[2]]],
    ['SELECT sum(if(number % 2, 1, 0)), sum(number > 2), avg(number > 2) FROM numbers(5)', [[2, 2, 0.4]]],
    [`SELECT [1=1, 0] AS a, (1 = 2, 'x') AS b, map('k', 1 = 1) AS c`, [[[1, 0], [0, 'x'], { k: 1 }]]],
    ['SELECT toString(number > 1) FROM numbers(3)', [['0'], ['0'], ['1']]],
    [`SELECT if(number > 1, 'big', '') FROM numbers(3)`, [[''], [''], ['big']]],
    [
      `SELECT multiIf(number = 0, 'zero', number = 1, 'one', toString(number)) FROM numbers(3)`,
      [['zero'], ['one'], ['2']],
    ],
    ['SELECT groupArray(number = 1) FROM numbers(2)', [[[0, 1]]]],
    [`SELECT sumMap(map('a', number)) FROM numbers(3)`, [[{ a: 3 }]]],
    [
      'SELECT number = 1 AS b, count() FROM numbers(3) GROUP BY b ORDER BY b',
      [
        [0, 2],
        [1, 1],
      ],
    ],
    [`SELECT untuple((number, 'a')) FROM numbers(1)`, [[0, 'a']]],
    [`SELECT extract(month from toDate('2024-05-06')), extract('abc', 'b')`, [[5, 'b']]],
    [`SELECT CASE WHEN number = 1 THEN 'a' ELSE NULL END FROM numbers(2)`, [[null], ['a']]],
    ['SELECT count() FROM numbers(10) WHERE number BETWEEN 2 AND 4', [[3]]],
    ['SELECT arrayFilter(x -> x IN (1,2), [1,2,3])', [[[1, 2]]]],
    ['SELECT quantile(0.5)(toFloat(number)) FROM numbers(4)', [[1.5]]],
    [
      'SELECT number, [10,20][number] FROM numbers(4)',
      [
        [0, 0],
        [1, 10],
        [2, 20],
        [3, 0],
      ],
    ],
    ['SELECT number FROM numbers(3) ORDER BY number DESC LIMIT 1 OFFSET 1', [[1]]],
    ['SELECT number FROM numbers(1 + 2)', [[0], [1], [2]]],
    ['SELECT number FROM numbers(intDiv(10,3), 2)', [[3], [4]]],
    ['SELECT 1 IN tuple(1,2)', [[1]]],
    ['SELECT 1 IN (SELECT 1)', [[1]]],
    ['SELECT arrayMap(x -> (x AS y) + y, [1,2])', [[[2, 4]]]],
    ['SELECT arrayMap(x -> x * 2 AS y, [1])', [[[2]]]],
    [`SELECT tuple(1,'a').1`, [[1]]],
    ['SELECT (1,2).2', [[2]]],
    [`SELECT t.1, t.2 FROM (SELECT (5,'x') AS t)`, [[5, 'x']]],
    ['SELECT rowNumberInAllBlocks() FROM numbers(3)', [[0], [1], [2]]],
    ['SELECT count() FROM numbers(10) WHERE number IN (1,2,NULL)', [[2]]],
    ['SELECT if(number = 1, NULL, number) FROM numbers(3)', [[0], [null], [2]]],
    ['SELECT CASE WHEN 1=2 THEN 1 END', [[null]]],
    [`SELECT CASE 5 WHEN 1 THEN 'a' WHEN 5 THEN 'b' END`, [['b']]],
    ['SELECT sum(number) FROM numbers(5) HAVING sum(number) > 100', []],
    [
      'SELECT number % 2 AS k, groupArray(number) FROM numbers(4) GROUP BY k ORDER BY k',
      [
        [0, [0, 2]],
        [1, [1, 3]],
      ],
    ],
    ['SELECT quantile(0.5)(number), avg(number) FROM numbers(4)', [[1.5, 1.5]]],
    ['WITH 1 AS a SELECT a + 1', [[2]]],
    ['WITH c AS (SELECT 1 AS z) SELECT z FROM c', [[1]]],
    ['SELECT number FROM numbers(3) WHERE number', [[1], [2]]],
    ['SELECT EXISTS(SELECT 1)', [[1]]],
    ['SELECT untuple((1,2))', [[1, 2]]],
    [
      'SELECT groupArray((number, toString(number))) FROM numbers(2)',
      [
        [
          [
            [0, '0'],
            [1, '1'],
          ],
        ],
      ],
    ],
    [`SELECT map('a', number) FROM numbers(2)`, [[{ a: 0 }], [{ a: 1 }]]],
    ['SELECT arraySum(arrayMap(x -> x * 2, groupArray(number))) FROM numbers(3)', [[6]]],
    ['SELECT count() FROM (SELECT 1 AS a) WHERE a = NULL', [[0]]],
  ],
  'NULL matches the pattern NULL and nothing else': [
    [
      'SELECT a LIKE b, a NOT LIKE b, a ILIKE b, a =~ b, a !~ b, a !~* b FROM (SELECT NULL AS a, NULL AS b)',
      [[1, 0, 1, 1, 0, 0]],
    ],
    [`SELECT a LIKE b, a NOT LIKE b, a =~ b, a !~ b FROM (SELECT NULL AS a, 'x' AS b)`, [[0, 1, 0, 1]]],
    [`SELECT NULL NOT ILIKE NULL, '2' NOT LIKE NULL, NULL =~* '2'`, [[0, 1, 0]]],
  ],
  'a place in an array of tuples is the array of these parts': [
    [
      'SELECT g.1, g.2 FROM (SELECT groupArray((number, toString(number))) AS g FROM numbers(3))',
      [
        [
          [0, 1, 2],
          ['0', '1', '2'],
        ],
      ],
    ],
    [
      'SELECT arrayZip((sumMap(g.1, g.2) AS x).1, x.2) FROM (SELECT groupArray((toString(number % 2), number)) AS g FROM numbers(5))',
      [
        [
          [
            ['0', 6],
            ['1', 4],
          ],
        ],
      ],
    ],
  ],
  'the first and last value of an empty frame is the default of the type': [
    [
      `SELECT first_value(s) OVER w, last_value(n) OVER w FROM (SELECT toString(number + 1) AS s, number + 1 AS n FROM numbers(2))
        WINDOW w AS (ORDER BY n ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) ORDER BY n`,
      [
        ['', 0],
        ['1', 1],
      ],
    ],
  ],
  'states of quantiles are finished over all rows': [
    [
      `SELECT quantileMerge(0.5)(a), quantilesMerge(0.1, 0.9)(b), quantileExactMerge(0.3)(c), medianMerge(d) FROM (
        SELECT number % 3 AS k, quantileState(0.5)(number) AS a, quantilesState(0.1, 0.9)(number) AS b,
          quantileExactState(0.3)(number) AS c, medianState(number) AS d FROM numbers(11) GROUP BY k)`,
      [[5, [1, 9], 3, 5]],
    ],
  ],
  'parts are read of JSON in a column of text': [
    [`SELECT o.k, o['k'] FROM (SELECT '{"k":"v"}' AS o)`, [['v', 'v']]],
  ],
};

test.each(Object.entries(QUERIES))('A-7 %s as in ClickHouse', async (_, queries) => {
  const found = [];
  for (const [query] of queries) {
    const { results, compiled } = await askHogql(store, query);
    const types = compiled.columns.map(({ shown }) => shown);
    // As JSON, which has null for NaN.
    found.push([query, JSON.parse(JSON.stringify(shownValues(results, types, 'UTC')))]);
  }
  expect(found).toEqual(queries);
});
