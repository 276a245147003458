import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestApp } from '../support/test-app.ts';
import { arbitraryQueries } from './arbitrary-queries.ts';
import { askBoth, DATABASE } from './ask-both.ts';
import { shareClickhouse } from './clickhouse.ts';
import { JUDGED_TYPES, sendJudgedEvents } from './judged-events.ts';
import { loadProject } from './load-project.ts';

const openClickhouse = shareClickhouse();
const QUERIES = 2_000;

test.for(['UTC', 'America/New_York'])(
  'generated queries have the rows of ClickHouse, in %s',
  async (timezone, context) => {
    const clickhouse = await openClickhouse(context);
    const app = await openTestApp();
    await sendJudgedEvents(app);
    const options = { timezone, propertyType: JUDGED_TYPES };
    await loadProject(clickhouse, app.store, DATABASE, options);
    await fc.assert(
      fc.asyncProperty(arbitraryQueries, async (query) => {
        expect(await askBoth({ store: app.store, clickhouse }, query, options)).toBeNull();
      }),
      { numRuns: QUERIES / 2 },
    );
  },
);
