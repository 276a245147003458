import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findKind } from '../../server/features/query/query-kinds.ts';
import { readKind } from '../../server/features/query/read-query.ts';
import { openKindContext } from '../support/kind-context.ts';
import { openTestApp } from '../support/test-app.ts';
import { arbitraryInsights } from './arbitrary-insights.ts';
import { DATABASE } from './ask-both.ts';
import { clickhouseTable } from './clickhouse-table.ts';
import { shareClickhouse } from './clickhouse.ts';
import { JUDGED_NOW, JUDGED_TYPES, sendJudgedEvents } from './judged-events.ts';
import { loadProject } from './load-project.ts';
import { roundedNumbers } from './same-rows.ts';

const openClickhouse = shareClickhouse();
const INSIGHTS = 300;

test.for(['UTC', 'Europe/Berlin'])(
  'generated insights have the same results over ClickHouse, in %s',
  async (timezone, context) => {
    const clickhouse = await openClickhouse(context);
    const app = await openTestApp();
    await sendJudgedEvents(app);
    const options = { timezone, propertyType: JUDGED_TYPES, now: JUDGED_NOW };
    await loadProject(clickhouse, app.store, DATABASE, options);
    const [mine, theirs] = [
      await openKindContext(app, options),
      await openKindContext(app, {
        ...options,
        runQuery: (query) => clickhouseTable(clickhouse, query, options),
      }),
    ];
    await fc.assert(
      fc.asyncProperty(arbitraryInsights, async (node) => {
        const kind = findKind(node.kind);
        const [answer, judged] = [mine, theirs].map(async (one) =>
          roundedNumbers((await kind.answer(await kind.plan(readKind(kind, node), one), one)).results),
        );
        expect(await answer).toEqual(await judged);
      }),
      { numRuns: INSIGHTS / 2 },
    );
  },
);
