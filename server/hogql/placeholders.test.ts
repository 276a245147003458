import { beforeAll, expect, test } from 'vitest';
import { testGrammar } from '../../test/support/hogql-parser.ts';
import type { Expr, Placeholder, Query } from './ast.ts';
import { array, compare, constant, dateTime, field, from, select } from './build.ts';
import { HogqlError } from './errors.ts';
import type { Grammar } from './parse/grammar.ts';
import { readHogql } from './parse/read-hogql.ts';
import { placeholdersOf, replacePlaceholders } from './placeholders.ts';
import { printHogql } from './print/hogql.ts';

let grammar: Grammar;
beforeAll(async () => {
  grammar = await testGrammar();
});

const VALUES: Readonly<Record<string, Expr>> = {
  filters: compare('==', field('event'), constant('signup')),
  'filters.dateRange.from': dateTime(Date.UTC(2026, 10, 20, 9, 30)),
  'variables.countries': array(constant("d'e"), constant('fr')),
  rows: constant(5),
  recent: select({ select: [field('*')], from: from('events') }),
  table: field('persons'),
};

function filled(text: string): string {
  return printHogql(replacePlaceholders(readHogql(grammar, 'query', text), resolve));
}

function resolve(placeholder: Placeholder): Expr {
  const value = VALUES[placeholder.chain.join('.')];
  if (value === undefined) throw new HogqlError('unknown', placeholder);
  return value;
}

test('a placeholder is replaced in place of any value, and in subqueries too', () => {
  expect(
    filled(
      `WITH a AS (SELECT 1 FROM events WHERE {filters} AND timestamp >= {filters.dateRange.from})
       SELECT if({filters}, {rows}, 0) FROM a WHERE c IN {variables.countries} LIMIT {rows}`,
    ),
  ).toBe(
    "WITH a AS (SELECT 1 FROM events WHERE event = 'signup' AND timestamp >= toDateTime64('2026-11-20 09:30:00.000000', 6, 'UTC')) SELECT if(event = 'signup', 5, 0) FROM a WHERE c IN ['d\\'e', 'fr'] LIMIT 5",
  );
});

test('placeholders of tables and queries are replaced in their places', () => {
  expect(filled('SELECT * FROM {table} AS t')).toBe('SELECT * FROM persons AS t');
  expect(filled('SELECT * FROM {recent} AS t')).toBe('SELECT * FROM (SELECT * FROM events) AS t');
  expect(filled('{recent} UNION ALL SELECT 1')).toBe('SELECT * FROM events UNION ALL SELECT 1');
  expect(() => filled('SELECT * FROM {rows}')).toThrow('{rows} is not a table or a query.');
  expect(() => filled('{rows} UNION ALL SELECT 1')).toThrow('{rows} is not a query.');
});

test('an unknown placeholder is an error at its position', () => {
  const text = 'SELECT 1 WHERE f({nobody})';
  try {
    filled(text);
    expect.unreachable();
  } catch (error) {
    const { start, end } = error as HogqlError;
    expect(text.slice(start!, end!)).toBe('{nobody}');
  }
});

test('the parsed query is not modified, and parts without placeholders are shared', () => {
  const read = readHogql(grammar, 'query', 'SELECT a, b FROM t WHERE {filters}') as Extract<
    Query,
    { node: 'SelectQuery' }
  >;
  const before = structuredClone(read);
  const replaced = replacePlaceholders(read, resolve);
  expect(read).toEqual(before);
  expect(replaced.select).toBe(read.select);
  expect(placeholdersOf(read)).toEqual([['filters']]);
  expect(placeholdersOf(replaced)).toEqual([]);
});
