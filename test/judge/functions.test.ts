import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import type { Store } from '../../server/db/client.ts';
import { goldenTables } from '../support/golden-functions/golden-tables.ts';
import { openTestStore } from '../support/store.ts';
import { askBoth, DATABASE } from './ask-both.ts';
import { shareClickhouse, type Clickhouse } from './clickhouse.ts';
import { KNOWN_DIFFERENCES } from './known-differences.ts';
import { createDatabase } from './load-project.ts';

/** Calls that Burrow answers and ClickHouse refuses, most of them for the types of their arguments; `BURROW_RECORD=1` rewrites it. */
const REFUSED = new URL('refused-by-clickhouse.txt', import.meta.url);
const IS_RECORDING = process.env['BURROW_RECORD'] === '1';

const openShared = shareClickhouse();
let creating: Promise<void> | null = null;
async function openClickhouse(context: TestContext): Promise<Clickhouse> {
  const clickhouse = await openShared(context);
  await (creating ??= createDatabase(clickhouse, DATABASE));
  return clickhouse;
}
const known = new Set(readFileSync(REFUSED, 'utf8').split('\n'));
const refused = new Set<string>();
const seen = new Set<string>();
let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(async () => {
  await store.close();
  if (IS_RECORDING) writeFileSync(REFUSED, `${[...refused].toSorted().join('\n')}\n`);
});

describe('each golden call of a function gives what ClickHouse gives', () => {
  test.for(goldenTables)('$title', async (table, context) => {
    const clickhouse = await openClickhouse(context);
    const from = table.from === undefined ? '' : ` FROM ${table.from}`;
    const different: [string, string][] = [];
    for (const [expression] of table.rows) {
      const difference = await askBoth({ store, clickhouse }, `SELECT ${expression}${from}`, {
        timezone: table.timezone ?? 'UTC',
      });
      if (difference === null) continue;
      if (difference.startsWith('ClickHouse:')) {
        refused.add(expression);
        if (!known.has(expression) && !IS_RECORDING) different.push([expression, difference]);
      } else if (KNOWN_DIFFERENCES.has(expression)) seen.add(expression);
      else different.push([expression, difference]);
    }
    expect(different).toEqual([]);
  });

  test('but for the known differences, each of which is still one', async (context) => {
    await openClickhouse(context);
    expect([...KNOWN_DIFFERENCES].filter((expression) => !seen.has(expression))).toEqual([]);
  });
});
