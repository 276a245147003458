// @module-tag deep
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../server/db/client.ts';
import { goldenTables } from '../support/golden-functions/golden-tables.ts';
import { openTestStore } from '../support/store.ts';
import { askBoth } from './ask-both.ts';
import { shareClickhouse } from './clickhouse.ts';
import { KNOWN_DIFFERENCES } from './known-differences.ts';

const openClickhouse = shareClickhouse();
let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

describe('each golden call of a function gives what ClickHouse gives', () => {
  test.for(goldenTables)('$title', async (table, context) => {
    const clickhouse = await openClickhouse(context);
    const from = table.from === undefined ? '' : ` FROM ${table.from}`;
    const found: [string, string][] = [];
    for (const [expression] of table.rows) {
      if (KNOWN_DIFFERENCES.has(expression)) continue;
      const difference = await askBoth({ store, clickhouse }, `SELECT ${expression}${from}`, {
        timezone: table.timezone ?? 'UTC',
      });
      if (difference !== null) found.push([expression, difference]);
    }
    expect(found).toEqual([]);
  });
});
