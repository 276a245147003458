import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { arbitraryExpr, arbitraryQuery } from '../../../../test/support/arbitrary-hogql.ts';
import { testGrammar } from '../../../../test/support/hogql-parser.ts';
import { HogqlError } from '../../errors.ts';
import { printHogql } from '../../print/hogql.ts';
import type { Grammar } from '../grammar.ts';
import { readHogql, type Readings } from '../read-hogql.ts';
import { readPlain } from './read-plain.ts';

let grammar: Grammar;
beforeAll(async () => {
  grammar = await testGrammar();
});

/** The tree that the grammar's parser gives; null when it gives none. */
function grammarTree(kind: keyof Readings, text: string): Readings[keyof Readings] | null {
  try {
    return readHogql(grammar, kind, text);
  } catch (error) {
    if (error instanceof HogqlError) return null;
    throw error;
  }
}

/** What is read as plain is the grammar's tree, with its places. */
function expectSame(kind: keyof Readings, text: string): void {
  const plain = readPlain(kind, text);
  if (plain !== null) expect(plain, text).toEqual(grammarTree(kind, text));
}

test.each<[kind: keyof Readings, text: string]>([
  ['query', 'SELECT * FROM events'],
  ['query', 'select count() as n, count(distinct person_id) from events e where e.event = 1;'],
  [
    'query',
    `-- the busiest pages
     SELECT DISTINCT properties.$current_url AS url, uniq(person_id) AS users /* people */
     FROM events AS e
     WHERE (event = '$pageview' OR event != 'a') AND timestamp >= now() - INTERVAL 7 DAY AND NOT x AND {filters}
     GROUP BY url, 2 HAVING users > 1.5 ORDER BY users DESC, url ASC LIMIT 10 OFFSET 5`,
  ],
  [
    'query',
    "SELECT toStartOfDay(timestamp) AS day, countIf(event IN ('a', 'b')) / count(*) FROM events GROUP BY day",
  ],
  [
    'query',
    "SELECT person.properties.email, id, any(key) FROM persons WHERE name NOT ILIKE '%a%' AND b IS NOT NULL",
  ],
  ['expression', 'a - 1 - -2 * (3 + b) / c'],
  ['expression', "a AND b AND (c AND d OR e) AND f NOT IN (1) AND g <> null AND h = true AND i LIKE 'x'"],
  ['expression', "if(a > 1, f('x', 2), g()) >= 1.25 OR NOT NOT a = {variables.country}"],
  ['order', 'timestamp DESC'],
  ['order', 'count() + 1'],
])('usual texts are parsed by the fast parser: %s %s', (kind, text) => {
  const plain = readPlain(kind, text);
  expect(plain).not.toBeNull();
  expect(plain).toEqual(readHogql(grammar, kind, text));
});

test('texts with special syntax are left to the grammar', () => {
  for (const text of [
    '',
    'a b',
    'a::int',
    'a ? b : c',
    'a ?? b',
    'a || b',
    'a[1]',
    'f(a).b',
    'f(1)(a)',
    'count() OVER ()',
    'sum(a) FILTER (WHERE b)',
    'CASE WHEN a THEN b END',
    'x -> x',
    '[1]',
    '(1, 2)',
    'a BETWEEN 1 AND 2',
    "'it''s'",
    "'a\\n'",
    '0x1f',
    '1e3',
    '12345678901234567890',
    '`a`',
    "f'{a}'",
    "DATE '2026-01-01'",
    'NOT (a) = b',
    'a = b = c',
    'a = NOT b',
    "'é'",
    '((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))',
    'a AS b',
    'nan',
    'let',
    'a constructor b',
    'a NOT constructor b',
    'INTERVAL 1 constructor',
    `1${' + 1'.repeat(300)}`,
    `a${' AND a'.repeat(300)}`,
  ])
    expect(readPlain('expression', text), text).toBeNull();
  for (const text of [
    'SELECT 1 UNION ALL SELECT 2',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    'SELECT a FROM t JOIN u ON 1',
    'SELECT a FROM t, u',
    'SELECT a FROM numbers(10)',
    'SELECT a FROM (SELECT 1)',
    'SELECT a FROM t final',
    'SELECT a FROM t LIMIT 5%',
    'SELECT a FROM t LIMIT 5, 5',
    'SELECT a FROM t LIMIT 1 BY a',
    'SELECT a FROM t WHERE b SETTINGS c = 1',
    'SELECT a FROM t ORDER BY a NULLS FIRST',
    'SELECT a FROM t GROUP BY ALL',
    'DROP TABLE events',
  ])
    expect(readPlain('query', text), text).toBeNull();
});

const word = fc.constantFrom(
  ...`a b constructor event events timestamp properties $browser id if any all and array as asc between by case cast columns count current
    date day desc distinct end fill first from group having hour ilike in interval is join key last left like limit month
    name not now null nulls offset on or order over position range row sample second select settings step sum ties to
    top true union using week when where with year`.split(/\s+/),
);
const sign = fc.constantFrom(...`. , ( ) = != < > <> + - * / % { } ; 'x' '' 1 2.5 0 [ ] ? : ::`.split(' '));

test('names of Object.prototype are ordinary names', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']) {
    expect(readPlain('expression', name)).toMatchObject({ node: 'Field', chain: [name] });
    for (const text of [name, `${name} = 1`, `NOT ${name} IN (1)`, `${name}(a)`, `a.${name}`, `{${name}}`])
      expectSame('expression', text);
    expectSame('query', `SELECT ${name} AS ${name} FROM ${name} ORDER BY ${name}`);
  }
});

test('of words and operators in any order', { timeout: 60_000 }, () => {
  const texts = fc.array(fc.oneof(word, word, sign), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(texts, (all) => {
      for (const text of [all.join(' '), all.join(' ').toUpperCase()]) {
        expectSame('expression', text);
        expectSame('order', text);
        expectSame('query', `SELECT ${text}`);
        expectSame('query', `SELECT a FROM events ${text}`);
      }
    }),
    { numRuns: 300 },
  );
});

test('of words in the places of names', { timeout: 60_000 }, () => {
  const places = fc.constantFrom<((name: string, other: string) => string)[]>(
    (a, b) => `SELECT ${a}, ${b} AS ${a} FROM ${b} AS ${a} WHERE ${b} > ${a}`,
    (a, b) => `SELECT ${a}(${b}) FROM events ${a} GROUP BY ${b} ORDER BY ${a} DESC, ${b}`,
    (a, b) => `SELECT ${a}.${b} FROM events WHERE NOT ${a} AND {${b}.${a}} HAVING ${b} IN (1) LIMIT 1`,
    (a, b) => `SELECT f(DISTINCT ${a}), INTERVAL 1 ${b} FROM ${a} ${b} WHERE ${a} IS NULL`,
  );
  fc.assert(
    fc.property(places, word, word, (write, one, other) => expectSame('query', write(one, other))),
    { numRuns: 80 },
  );
});

/** Texts of which most are plain. */
const { plainExpr } = fc.letrec<{ plainExpr: string }>((tie) => {
  const one = tie('plainExpr');
  const atom = fc.constantFrom(
    'a',
    'e.b',
    'properties.$os',
    '1',
    '-2.5',
    "'x'",
    'null',
    'now()',
    '{filters}',
  );
  const operator = fc.constantFrom(
    '=',
    '!=',
    '<',
    '>=',
    '+',
    '-',
    '*',
    '/',
    'AND',
    'or',
    'LIKE',
    'NOT ILIKE',
    '\n',
  );
  return {
    plainExpr: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      atom,
      fc.tuple(one, operator, one).map((parts) => parts.join(' ')),
      fc.tuple(one, one).map(([a, b]) => `f(${a}, ${b})`),
      one.map((a) => `(${a})`),
      one.map((a) => `NOT ${a}`),
      one.map((a) => `${a} IS NOT NULL`),
      one.map((a) => `${a} IN (1, 'b')`),
    ),
  };
});

test('of nested expressions', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(plainExpr, (text) => expectSame('expression', text)),
    { numRuns: 100 },
  );
});

test('of any query and expression', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(arbitraryQuery, (query) => expectSame('query', printHogql(query))),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(arbitraryExpr, (expr) => expectSame('expression', printHogql(expr))),
    { numRuns: 500 },
  );
});
