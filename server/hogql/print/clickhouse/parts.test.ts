import { expect, test } from 'vitest';
import { testHogqlContext } from '../../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../../test/support/parse-hogql.ts';
import { TABLES } from '../../tables/tables.ts';
import { compileForClickhouse } from './compile.ts';
import { CLICKHOUSE_TABLES } from './tables.ts';

const print = async (text: string): Promise<string> =>
  compileForClickhouse(await parseHogql(text), testHogqlContext(), { database: 'burrow' }).sql;

test('a part of a tuple that is a text is printed as a part, and one of JSON is read of the text', async () => {
  expect(await print(`select t.1 from (select ('a', 1) as t)`)).toMatch(/tupleElement\(`_s1`\.`t`, 1\)/);
  expect(await print(`select (event, 1) as t, t.1 from events`)).toContain('tupleElement(`t`, 1)');
  expect(await print(`select o.k from (select '{}' as o)`)).toContain('JSONExtract');
});

test('a part of an array of tuples is printed as the parts, a place of another array as an item', async () => {
  expect(await print('select g.2 from (select [(1, 2)] as g)')).toContain('tupleElement(');
  expect(await print('select g.2 from (select [1, 2] as g)')).toContain('arrayElement(');
});

test('a list is one as syntax and as a call', async () => {
  const listed = /in\(`events`\.`event`, tuple\(\{p0:String\}, \{p1:String\}\)\)/;
  for (const list of [`('a', 'b')`, `tuple('a', 'b')`, `['a', 'b']`, `array('a', 'b')`])
    expect(await print(`select count() from events where event in ${list}`)).toMatch(listed);
});

test('values that an address has no room for are in the text, escaped', async () => {
  const values = Array.from({ length: 2_000 }, (_, at) => `'it\\'s \\\\ ${at}'`);
  const query = await parseHogql(`select count() from events where event in (${values.join()})`);
  const { sql, params } = compileForClickhouse(query, testHogqlContext(), { database: 'burrow' });
  expect(JSON.stringify(params).length).toBeLessThan(30_000);
  expect(Object.values(params)).toContain(`it's \\ 0`);
  expect(sql).toContain(String.raw`'it\'s \\ 1999'`);
});

test('every table has all of its columns, apart from those that only the file has', () => {
  const missing = [...TABLES].flatMap(([name, { columns }]) =>
    [...columns.keys()]
      .filter((column) => CLICKHOUSE_TABLES[name]?.columns[column] === undefined)
      .map((column) => `${name}.${column}`),
  );
  expect(missing.filter((name) => !name.startsWith('system.'))).toEqual([]);
});
