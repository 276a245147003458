import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestApp } from '../support/test-app.ts';
import { arbitraryQueries } from './arbitrary-queries.ts';
import { askBoth, DATABASE } from './ask-both.ts';
import { shareClickhouse } from './clickhouse.ts';
import { JUDGED_TYPES, sendJudgedEvents } from './judged-events.ts';
import { loadProject } from './load-project.ts';

/** In each time zone. */
const QUERIES = 1_000;

/** Each time zone has a file of its own, so that two workers share the queries. */
export function testGeneratedQueries(timezone: string): void {
  const openClickhouse = shareClickhouse();

  test(`generated queries have the rows of ClickHouse, in ${timezone}`, async (context) => {
    const clickhouse = await openClickhouse(context);
    const app = await openTestApp();
    await sendJudgedEvents(app);
    const options = { timezone, propertyType: JUDGED_TYPES };
    await loadProject(clickhouse, app.store, DATABASE, options);
    await fc.assert(
      fc.asyncProperty(arbitraryQueries, async (query) => {
        expect(await askBoth({ store: app.store, clickhouse }, query, options)).toBeNull();
      }),
      { numRuns: QUERIES },
    );
  });
}
