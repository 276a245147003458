import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askHogql } from '../../../test/support/ask-hogql.ts';
import { createCoverageTable } from '../../../test/support/coverage-table.ts';
import { goldenTables } from '../../../test/support/golden-functions/golden-tables.ts';
import type { Expected, GoldenTable } from '../../../test/support/golden-functions/golden-table.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';
import { shownValues } from '../shown-value.ts';
import { FUNCTIONS, findFunction } from './find-function.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const PER_STATEMENT = 40;

const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** What a value is compared as: floats to twelve digits, NaN as JSON has it, moments in UTC without empty fractions. */
function plain(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(12));
  if (typeof value === 'string') {
    const [, seconds, fraction = '', zone] = MOMENT.exec(value) ?? [];
    if (seconds === undefined) return value;
    const utc = new Date(`${seconds}${zone!}`).toISOString().slice(0, 19);
    return `${utc}${fraction === '.000000' ? '' : fraction}Z`;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

async function ask(table: GoldenTable, expressions: readonly string[]): Promise<unknown[]> {
  const from = table.from === undefined ? '' : ` FROM ${table.from}`;
  const text = `SELECT ${expressions.join(', ')}${from}`;
  const timezone = table.timezone ?? 'UTC';
  const { results, compiled } = await askHogql(store, text, { timezone });
  const types = compiled.columns.map(({ shown }) => shown);
  return shownValues([results[0]!], types, timezone)[0]!.map(plain);
}

/** Each expression with its value; when one fails, each is run alone, so that its own error is reported. */
async function answers(table: GoldenTable, rows: GoldenTable['rows']): Promise<[string, unknown][]> {
  const expressions = rows.map(([expression]) => expression);
  const values = await ask(table, expressions).catch(() =>
    Promise.all(expressions.map((one) => ask(table, [one]).then(([value]) => value, String))),
  );
  return expressions.map((expression, at) => [expression, values[at]]);
}

describe('each function returns what ClickHouse documents', () => {
  test.each(goldenTables.map((table) => [table.title, table] as const))('%s', async (_, table) => {
    const found: [string, unknown][] = [];
    for (let at = 0; at < table.rows.length; at += PER_STATEMENT) {
      found.push(...(await answers(table, table.rows.slice(at, at + PER_STATEMENT))));
    }
    const expected = table.rows.map(([expression, value]): [string, unknown] => [
      expression,
      plain(value as Expected),
    ]);
    expect(found).toEqual(expected);
  });
});

test.each(['abc', '', '0'.repeat(31), 'g'.repeat(32)])(
  "IPv6NumToString('%s') fails: the text is no number of an address",
  async (text) => {
    const call = `IPv6NumToString('${text}')`;
    await expect(askHogql(store, `SELECT ${call}`)).rejects.toThrow('Invalid IP address');
  },
);

describe('the table of functions', () => {
  test('has two golden expressions for each function, and more', () => {
    const names = FUNCTIONS.map(({ name }) => name);
    const coverage = createCoverageTable('Functions of HogQL', names);
    for (const [expression] of goldenTables.flatMap(({ rows }) => rows)) {
      const row = findFunction(/^\w+/.exec(expression)?.[0] ?? '');
      if (row !== null && names.includes(row.name)) coverage.saw(row.name);
    }
    expect(coverage.missing()).toEqual([]);
  });

  test('has each name once, in any case', () => {
    const names = FUNCTIONS.map(({ name }) => name.toLowerCase());
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
