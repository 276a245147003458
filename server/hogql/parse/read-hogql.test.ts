import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { testGrammar } from '../../../test/support/hogql-parser.ts';
import { withoutPlaces } from '../../../test/support/without-places.ts';
import { call, compare, constant, field, tuple } from '../build.ts';
import { HogqlError } from '../errors.ts';
import { printHogql } from '../print/hogql.ts';
import type { Grammar } from './grammar.ts';
import { readHogql, type Readings } from './read-hogql.ts';

let grammar: Grammar;
beforeAll(async () => {
  grammar = await testGrammar();
});

const read = <Kind extends keyof Readings>(kind: Kind, text: string): Readings[Kind] =>
  readHogql(grammar, kind, text);

function refusal(kind: keyof Readings, text: string): { message: string; at: string } {
  try {
    read(kind, text);
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error;
    return { message: error.message, at: text.slice(error.start ?? 0, error.end ?? 0) };
  }
  throw new Error(`"${text}" was read`);
}

/** What people write, and how it is printed. */
const QUERIES: readonly [text: string, printed: string][] = [
  ['select event, count() from events group by event', 'SELECT event, count() FROM events GROUP BY event'],
  [
    `-- the busiest pages
     SELECT properties.$current_url AS url, count(DISTINCT person_id) users /* people */
     FROM events
     WHERE event = '$pageview' AND timestamp >= now() - INTERVAL 7 DAY
     GROUP BY url ORDER BY users DESC NULLS LAST LIMIT 10;`,
    "SELECT properties.$current_url AS url, count(DISTINCT person_id) AS users FROM events WHERE event = '$pageview' AND timestamp >= now() - toIntervalDay(7) GROUP BY url ORDER BY users DESC NULLS LAST LIMIT 10",
  ],
  [
    "SELECT toStartOfDay(timestamp) AS day, uniqIf(person_id, event = 'signup') / count() FROM events GROUP BY 1",
    "SELECT toStartOfDay(timestamp) AS day, uniqIf(person_id, event = 'signup') / count() FROM events GROUP BY 1",
  ],
  [
    "WITH first AS (SELECT person_id, min(timestamp) AS t FROM events GROUP BY person_id) SELECT avg(dateDiff('day', f.t, e.timestamp)) FROM events e LEFT OUTER JOIN first f ON e.person_id = f.person_id",
    "WITH first AS (SELECT person_id, min(timestamp) AS t FROM events GROUP BY person_id) SELECT avg(dateDiff('day', f.t, e.timestamp)) FROM events AS e LEFT JOIN first AS f ON e.person_id = f.person_id",
  ],
  ["SELECT CASE WHEN a > 1 THEN 'x' WHEN b THEN 'y' END", "SELECT multiIf(a > 1, 'x', b, 'y', NULL)"],
  ["SELECT CASE a WHEN 1 THEN 'x' ELSE 'y' END", "SELECT caseWithExpression(a, 1, 'x', 'y')"],
  [
    "SELECT a ?? 'none', a || b, a ? b : c, f'{a}!'",
    "SELECT ifNull(a, 'none'), concat(a, b), if(a, b, c), concat(a, '!')",
  ],
  ['SELECT -a, -1, not(a), NOT (a = b), and(a, b)', 'SELECT 0 - a, -1, NOT a, NOT a = b, a AND b'],
  ['SELECT a IS NULL, a IS NOT NULL, a = NULL', 'SELECT a IS NULL, a IS NOT NULL, a IS NULL'],
  [
    "SELECT a IN ('x'), a NOT IN (1, 2), a IN (SELECT b FROM c)",
    "SELECT a IN ('x'), a NOT IN (1, 2), a IN (SELECT b FROM c)",
  ],
  [
    "SELECT a LIKE '%x', a NOT ILIKE 'y', a =~ '^z', a !~* 'q'",
    "SELECT a LIKE '%x', a NOT ILIKE 'y', a =~ '^z', a !~* 'q'",
  ],
  ["SELECT person_id IN COHORT 'paying'", "SELECT person_id IN COHORT 'paying'"],
  ['SELECT ((((((1 + 2)) * 3))))', 'SELECT (1 + 2) * 3'],
  ['SELECT a - (b - c) - d, (a - b) - c', 'SELECT a - (b - c) - d, a - b - c'],
  ['SELECT (a OR b) AND (c AND d), a AND b OR c', 'SELECT (a OR b) AND c AND d, a AND b OR c'],
  [
    'SELECT arrayMap(x -> x.1 + arraySum(y -> y * 2, [1, 2]), [(1, 2)])',
    'SELECT arrayMap(x -> x.1 + arraySum(y -> y * 2, [1, 2]), [(1, 2)])',
  ],
  ["SELECT properties['a b'].c[1], properties.`a b`", "SELECT properties['a b']['c'][1], properties.`a b`"],
  [
    'SELECT quantile(0.9)(x), quantilesIf(0.5, 0.9)(x, y > 1)',
    'SELECT quantile(0.9)(x), quantilesIf(0.5, 0.9)(x, y > 1)',
  ],
  [
    'SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), sum(x) OVER w FROM t WINDOW w AS (PARTITION BY a)',
    'SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), sum(x) OVER w FROM t WINDOW w AS (PARTITION BY a)',
  ],
  [
    'SELECT 1 UNION ALL SELECT 2 UNION DISTINCT SELECT 3 LIMIT 1',
    'SELECT 1 UNION ALL SELECT 2 UNION DISTINCT SELECT 3 LIMIT 1',
  ],
  ['(SELECT 1) UNION ALL (SELECT 2 LIMIT 1) LIMIT 3', '(SELECT 1) UNION ALL (SELECT 2 LIMIT 1) LIMIT 3'],
  [
    'WITH a AS (SELECT 1) SELECT * FROM a UNION ALL SELECT * FROM a',
    'WITH a AS (SELECT 1) SELECT * FROM a UNION ALL SELECT * FROM a',
  ],
  [
    'SELECT * FROM events FINAL SAMPLE 1/10 PREWHERE a WHERE b',
    'SELECT * FROM events SAMPLE 0.1 WHERE a AND b',
  ],
  [
    'SELECT * FROM a ASOF LEFT JOIN b ON a.x = b.x AND a.t >= b.t',
    'SELECT * FROM a ASOF LEFT JOIN b ON a.x = b.x AND a.t >= b.t',
  ],
  [
    'SELECT * FROM a ANY LEFT JOIN b USING (x, y), c',
    'SELECT * FROM a ANY LEFT JOIN b USING (x, y) CROSS JOIN c',
  ],
  [
    "SELECT x FROM events ARRAY JOIN splitByChar(',', a) AS x",
    "SELECT x FROM events ARRAY JOIN splitByChar(',', a) AS x",
  ],
  ['SELECT * FROM t LIMIT 2 BY a, b LIMIT 5 OFFSET 1', 'SELECT * FROM t LIMIT 2 BY a, b LIMIT 5 OFFSET 1'],
  ['SELECT number FROM numbers(10)', 'SELECT number FROM numbers(10)'],
  [
    'SELECT * FROM (VALUES (1, f(g(2))), (3, 4)) AS t (a, b)',
    'SELECT * FROM (VALUES (1, f(g(2))), (3, 4)) AS t (a, b)',
  ],
  ["SELECT * EXCLUDE (a), COLUMNS('^b') FROM t", "SELECT * EXCLUDE (a), COLUMNS('^b') FROM t"],
  [
    'SELECT sumIf(a, b) FILTER (WHERE c), groupArray(a ORDER BY b DESC)',
    'SELECT sumIf(a, b) FILTER (WHERE c), groupArray(a ORDER BY b DESC)',
  ],
  [
    'SELECT x::int, CAST(y AS Nullable(String)), TRY_CAST(z AS Float64)',
    'SELECT CAST(x AS int), CAST(y AS nullable(string)), TRY_CAST(z AS float64)',
  ],
  ['SELECT a GROUP BY ROLLUP(a, b)', 'SELECT a GROUP BY ROLLUP(a, b)'],
  ['SELECT a GROUP BY GROUPING SETS ((a), (a, b))', 'SELECT a GROUP BY GROUPING SETS ((a), (a, b))'],
  ['SELECT EXISTS(SELECT 1), NOT EXISTS (SELECT 2)', 'SELECT EXISTS((SELECT 1)), NOT EXISTS((SELECT 2))'],
  [
    'SELECT {variables.country}, * FROM {table} WHERE {filters} AND timestamp > {filters.dateRange.from}',
    'SELECT {variables.country}, * FROM {table} WHERE {filters} AND timestamp > {filters.dateRange.from}',
  ],
];

describe('a query has one tree', () => {
  test.each(QUERIES)('%s', (text, printed) => {
    expect(printHogql(read('query', text))).toBe(printed);
  });
});

describe('an invalid query is refused, with its position', () => {
  test.each<[text: string, message: RegExp, at: string]>([
    ['SELECT a, FROM t WHERE', /Unexpected "where"|Unexpected end of query/, ''],
    ['SELECT a b c', /Unexpected "c"/, 'c'],
    ['SELECT', /Unexpected end of query/, ''],
    ['', /Empty/, ''],
    ['SELECT 1; DROP TABLE events', /Unexpected "drop"/, 'DROP'],
    ['INSERT INTO events VALUES (1)', /Unexpected "insert"/, 'INSERT'],
    ["ATTACH 'x.db'", /Unexpected "attach"/, 'ATTACH'],
    ['let x := 1; return x', /Unexpected "let"/, 'let'],
    ['SELECT * FROM t SETTINGS max_threads = 1', /SETTINGS is not supported/, 'SETTINGS'],
    ['SELECT TOP 5 a FROM t', /TOP is not supported/, 'TOP'],
    ['SELECT a @ b', /Unexpected character/, '@'],
    ['SELECT (a', /Unclosed/, '('],
    ['SELECT a)', /Unmatched/, ')'],
    ['SELECT [a)', /Unmatched/, ')'],
    ["SELECT 'a", /Unclosed string/, "'"],
    ['SELECT `a', /Unclosed quoted name/, '`'],
    ['SELECT 1 /* a', /Unclosed comment/, '/*'],
    ["SELECT f'{a", /Unclosed brace/, '{'],
    ['SELECT {a + 1}', /Only a name is allowed in braces/, '{a + 1}'],
    ["SELECT {'a': 1}", /Only a name is allowed in braces/, "{'a': 1}"],
    ["SELECT <a href='x'>b</a>", /tag is not supported in a query/, "<a href='x'>b</a>"],
    ['SELECT (x) -> { return 1 }', /Only a name is allowed in braces/, '{ return 1 }'],
    ['SELECT f(x)(y)(z)', /A call of a value is not supported in a query/, 'f(x)(y)(z)'],
    ['SELECT a FROM t NATURAL JOIN u', /NATURAL JOIN is not supported/, 'NATURAL'],
    ['SELECT a FROM t GROUP BY a WITH TOTALS', /WITH TOTALS/, 'WITH'],
    ["SELECT a FROM t ORDER BY a COLLATE 'de'", /COLLATE/, 'COLLATE'],
    [
      'SELECT sum(a) FILTER (WHERE b) OVER () FROM t',
      /FILTER before OVER/,
      'sum(a) FILTER (WHERE b) OVER ()',
    ],
    [
      'SELECT quantile(0.5) WITHIN GROUP (ORDER BY a) FROM t',
      /WITHIN GROUP is only supported for percentile_cont/,
      'quantile(0.5) WITHIN GROUP (ORDER BY a)',
    ],
    ['(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1', /ORDER BY is not supported after a UNION/, ') ORDER BY 1'],
    ['SELECT t.* EXCLUDE (a) FROM t', /EXCLUDE is only allowed after/, 't.* EXCLUDE (a)'],
    ['SELECT a FROM t LIMIT 5%', /percent/, 'SELECT a FROM t LIMIT 5%'],
    ['SELECT f(a.g(h(x)))', /A call of a value is not supported in a query/, 'a.g(h(x))'],
  ])('%s', (text, message, at) => {
    const refused = refusal('query', text);
    expect(refused.message).toMatch(message);
    if (at !== '') expect(refused.at).toBe(at);
  });

  test('positions are counted in UTF-16 units, after any characters, and in nested texts', () => {
    expect(refusal('query', "SELECT 'é€😀', a b c").at).toBe('c');
    const query = read('query', "SELECT '😀', f('😀', g(event))");
    expect(query).toMatchObject({
      select: [{ start: 7, end: 11 }, { args: [{}, { args: [{ start: 23, end: 28 }] }] }],
    });
  });

  test('numbers have every digit', () => {
    const query = read(
      'query',
      'SELECT 9007199254740993, -9223372036854775808, 18446744073709551615, 1.5, 0xff',
    );
    expect(withoutPlaces(query)).toMatchObject({
      select: [9007199254740993n, -9223372036854775808n, 18446744073709551615n, 1.5, 255].map((value) =>
        constant(value),
      ),
    });
  });
});

describe('an expression and an order', () => {
  test('an expression cannot be a query or a list', () => {
    expect(withoutPlaces(read('expression', " event IN ('a') -- comment"))).toEqual(
      compare('in', field('event'), tuple(constant('a'))),
    );
    expect(withoutPlaces(read('expression', 'count()'))).toEqual(call('count'));
    expect(refusal('expression', 'a, b').at).toBe(',');
    expect(refusal('expression', 'a FROM events').at).toBe('FROM');
  });

  test('an order is one expression with its direction only', () => {
    const order = { node: 'OrderExpr', expr: field('timestamp'), order: 'DESC' };
    expect(withoutPlaces(read('order', 'timestamp DESC'))).toEqual(order);
    expect(withoutPlaces(read('order', 'timestamp DESC NULLS FIRST'))).toEqual({ ...order, nulls: 'FIRST' });
    for (const text of ['a, b', 'a LIMIT 5', 'a UNION ALL SELECT 1', 'a WITH FILL', ''])
      expect(() => read('order', text), text).toThrow(HogqlError);
  });
});

describe('parsing is bounded in time and stack', () => {
  const repeat = (text: string, times: number): string => text.repeat(times);
  const list = (count: number, one: (index: number) => string, between: string): string =>
    Array.from({ length: count }, (_, index) => one(index)).join(between);

  test.each<[what: string, text: string]>([
    ['calls', `SELECT ${repeat('f(', 60)}1${repeat(')', 60)}`],
    ['calls with several arguments', `SELECT ${repeat('if(a = 1, b, ', 60)}1${repeat(')', 60)}`],
    ['brackets', `SELECT ${repeat('(', 60)}1${repeat(')', 60)}`],
    ['arrays', `SELECT ${repeat('[', 60)}1${repeat(']', 60)}`],
    ['tuples', `SELECT ${repeat('(1, ', 60)}1${repeat(')', 60)}`],
    ['subqueries in FROM', `${repeat('SELECT * FROM (', 60)}SELECT 1${repeat(')', 60)}`],
    ['subqueries as values', `${repeat('SELECT (', 60)}SELECT 1${repeat(')', 60)}`],
    ['CASE', `SELECT ${repeat('CASE WHEN a THEN ', 60)}1${repeat(' END', 60)}`],
    ['lambdas in calls', `SELECT ${repeat('arrayMap(x -> ', 60)}[1]${repeat(', [1])', 60)}`],
    ['an IN list of 2,000', `SELECT a IN (${list(2000, (index) => `'v${index}'`, ', ')})`],
    ['200 conditions', `SELECT 1 WHERE ${list(200, (index) => `a = ${index}`, ' AND ')}`],
  ])('%s nested in each other, or many of them, are parsed', (_what, text) => {
    expect(printHogql(read('query', text))).toMatch(/^SELECT /);
  });

  test.each<[what: string, text: string]>([
    ['calls', `SELECT ${repeat('f(', 5000)}1${repeat(')', 5000)}`],
    ['brackets', `SELECT ${repeat('(', 100_000)}1${repeat(')', 100_000)}`],
    ['arrays', `SELECT ${repeat('[', 5000)}1${repeat(']', 5000)}`],
    ['indexes', `SELECT ${repeat('a[', 50)}1${repeat(']', 50)}`],
    ['braces', `SELECT ${repeat('{', 5000)}a${repeat('}', 5000)}`],
    ['opened brackets', `SELECT ${repeat('(', 100_000)}`],
    ['subqueries', `${repeat('SELECT * FROM (', 2000)}SELECT 1${repeat(')', 2000)}`],
    ['CASE', `SELECT ${repeat('CASE WHEN a THEN ', 2000)}1${repeat(' END', 2000)}`],
    ['templates', `SELECT ${repeat("f'{", 50)}a${repeat("}'", 50)}`],
    ['types', `SELECT CAST(a AS ${repeat('Array(', 50)}Int${repeat(')', 50)})`],
    ['NOT', `SELECT ${repeat('NOT ', 2000)}1`],
    ['minus', `SELECT ${repeat('- ', 2000)}a`],
    ['conditions', `SELECT 1 WHERE ${list(2000, (index) => `a = ${index}`, ' OR ')}`],
    ['dots', `SELECT a${repeat('.b', 5000)}`],
    ['indexes one after the other', `SELECT a${repeat('[1]', 2000)}`],
    ['ternaries', `SELECT ${repeat('a ? b : ', 500)}c`],
    ['lambdas', `SELECT ${repeat('x -> ', 500)}1`],
    ['commas', `SELECT ${repeat(',', 10_000)}`],
    ['joins', `SELECT 1 FROM a${repeat(' JOIN b ON 1', 2000)}`],
    ['a string without end', `SELECT '${repeat('a', 100_000)}`],
    ['a comment without end', `SELECT ${repeat('/*', 100_000)}`],
    ['a lone surrogate', "SELECT '\ud800'"],
    ['strange characters', 'SELECT \u202e\u0000\ufeff\u2028☃'],
  ])('%s: too many, or of the wrong kind, are refused', (_what, text) => {
    expect(() => read('query', text)).toThrow(HogqlError);
  });

  test('a NUL, a paragraph separator and emoji are ordinary characters of a text', () => {
    const texts = ['\u0000', '\u2028', '😀', 'a\nb', "'", '\\', '{a}', '/*', '--', '"'];
    for (const text of texts) {
      const printed = printHogql(constant(text));
      expect(withoutPlaces(read('expression', printed))).toEqual(constant(text));
    }
  });

  test('any text is parsed or refused', { timeout: 60_000 }, () => {
    const token = fc.constantFrom(
      ...'SELECT FROM WHERE ( ) [ ] { } , . ; \' " ` -- /* */ -> :: a f 1 1.5 * = AND NOT IN CASE WHEN END AS OVER'.split(
        ' ',
      ),
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(token, { maxLength: 20 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          read('query', text);
        } catch (error) {
          expect(error).toBeInstanceOf(HogqlError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
