import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askHogql, testHogqlContext } from '../../test/support/ask-hogql.ts';
import { parseHogql } from '../../test/support/parse-hogql.ts';
import { openTestStore } from '../../test/support/store.ts';
import { DatabaseError, InterruptedError } from '../db/db.ts';
import {
  alias,
  arrayAccess,
  compare,
  constant,
  field,
  from,
  lambda,
  call,
  array,
  not,
  select,
} from './build.ts';
import { compileHogql } from './compile.ts';
import { HogqlError } from './errors.ts';
import { FUNCTIONS } from './functions/find-function.ts';

describe('hostile texts', () => {
  test('texts, property names and aliases are used unchanged, whatever they contain', async () => {
    const store = await openTestStore();
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        `'; DROP TABLE events; --`,
        `$p0`,
        `"`,
        `\\'`,
        '__proto__',
        'constructor',
        '*',
        '',
        '/',
        '~',
        '\n',
        `') UNION SELECT api_token FROM projects --`,
        'c0',
        't1',
      ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (value, name, label) => {
        const asked = select({
          select: [
            alias(constant(value), label),
            alias(arrayAccess(field('properties'), constant(name)), `${label}2`),
            call('arrayMap', lambda([`${name}x`], field(`${name}x`)), array(constant(value))),
          ],
          from: { ...from('events', label), joinType: 'LEFT JOIN' },
          where: compare('==', field('event'), constant(value)),
        });
        const { results, columns } = await askHogql(store, asked);
        expect(results).toEqual([]);
        expect(columns.slice(0, 2)).toEqual([label, `${label}2`]);
        expect((await askHogql(store, select({ select: [constant(value)] }))).results).toEqual([[value]]);
      }),
      { numRuns: 60 },
    );
    expect((await askHogql(store, 'select count() from events')).results).toEqual([[0]]);
    await store.close();
  }, 180_000);
});

describe('DuckDB is accessible only through the tables of the language', () => {
  const reach = [
    'read_csv',
    'read_parquet',
    'read_text',
    'read_blob',
    'read_json',
    'parquet_scan',
    'glob',
    'getenv',
    'current_setting',
    'query',
    'query_table',
    'duckdb_settings',
    'duckdb_tables',
    'pragma_version',
    'sniff_csv',
    'getvariable',
    'current_query',
    'version',
    'nextval',
    'which_secret',
    'pg_sleep',
    'error',
    'write_log',
    'constructor',
    '__proto__',
    'toString_',
  ];

  test.each(reach)('%s is neither a function nor a table', async (name) => {
    const compile = async (text: string) => compileHogql(await parseHogql(text), testHogqlContext());
    for (const text of [
      `select ${name}('/etc/passwd')`,
      `select * from ${name}('/etc/passwd')`,
      `select * from ${name}`,
    ]) {
      await expect(compile(text)).rejects.toThrow(HogqlError);
    }
  });

  test('no function of the language reads files or settings', () => {
    const names = new Set(FUNCTIONS.map((row) => row.name.toLowerCase()));
    expect(reach.filter((name) => names.has(name) && name !== 'version')).toEqual([]);
  });

  test('only SELECT is accepted', async () => {
    for (const text of [
      "attach 'x.db'",
      'pragma version',
      "set memory_limit = '1TB'",
      'drop table events',
      'select 1; select 2',
      "copy events to 'x'",
      'install httpfs',
      "select 1 into outfile 'x'",
    ]) {
      await expect(parseHogql(text)).rejects.toThrow(HogqlError);
    }
  });
});

describe('queries are limited in time and memory', () => {
  test('a product of tables is stopped at its time limit, and the next query succeeds', async () => {
    const store = await openTestStore();
    const { sql, params } = compileHogql(
      await parseHogql(
        'select count() from numbers(10000000) a cross join numbers(10000000) b where a.number * b.number % 7 = 3',
      ),
      testHogqlContext(),
    );
    await expect(store.analytics.all(sql, params, { timeoutMs: 200 })).rejects.toBeInstanceOf(
      InterruptedError,
    );
    expect((await askHogql(store, 'select 1')).results).toEqual([[1]]);
    await store.close();
  }, 180_000);

  test('a list beyond the memory limit is an error, and the next query succeeds', async () => {
    const store = await openTestStore();
    const { sql, params } = compileHogql(
      await parseHogql(
        `select length(groupArray(concat(toString(a.number), 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', toString(b.number)))) from numbers(10000000) a cross join numbers(1000) b`,
      ),
      testHogqlContext(),
    );
    await expect(store.analytics.all(sql, params, { timeoutMs: 20_000 })).rejects.toBeInstanceOf(
      DatabaseError,
    );
    expect((await askHogql(store, 'select 1')).results).toEqual([[1]]);
    await store.close();
  }, 180_000);

  test('nesting is refused before the stack overflows, also in generated trees', () => {
    let expr = constant(true) as Parameters<typeof not>[0];
    for (let level = 0; level < 5_000; level++) expr = not(expr);
    expect(() => compileHogql(select({ select: [expr] }), testHogqlContext())).toThrow(/nested too deeply/);
  });

  test('the deepest accepted expression can be run', async () => {
    const store = await openTestStore();
    let expr = constant(true) as Parameters<typeof not>[0];
    for (let level = 0; level < 248; level++)
      expr = level % 2 === 0 ? not(expr) : compare('==', expr, constant(false));
    expect((await askHogql(store, select({ select: [expr] }))).results).toHaveLength(1);
    await store.close();
  });
});
