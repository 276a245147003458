// @module-tag deep
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findKind } from '../../server/features/query/query-kinds.ts';
import { readKind } from '../../server/features/query/read-query.ts';
import type { Query } from '../../server/hogql/ast.ts';
import { openKindContext } from '../support/kind-context.ts';
import { openTestApp } from '../support/test-app.ts';
import { arbitraryInsights } from './arbitrary-insights.ts';
import { askBoth, DATABASE } from './ask-both.ts';
import { shareClickhouse } from './clickhouse.ts';
import { JUDGED_NOW, JUDGED_TYPES, sendJudgedEvents } from './judged-events.ts';
import { loadProject } from './load-project.ts';

const openClickhouse = shareClickhouse();
const INSIGHTS = 300;

test.for(['UTC', 'Europe/Berlin'])(
  'the statements of generated insights have the rows of ClickHouse, in %s',
  async (timezone, context) => {
    const clickhouse = await openClickhouse(context);
    const app = await openTestApp();
    await sendJudgedEvents(app);
    const options = { timezone, propertyType: JUDGED_TYPES, now: JUDGED_NOW };
    await loadProject(clickhouse, app.store, DATABASE, options);
    const asked: Query[] = [];
    const kinds = await openKindContext(app, { ...options, onAsk: (query) => void asked.push(query) });
    await fc.assert(
      fc.asyncProperty(arbitraryInsights, async (node) => {
        asked.length = 0;
        const kind = findKind(node.kind);
        await kind.answer(await kind.plan(readKind(kind, node), kinds), kinds);
        for (const query of asked) {
          expect(await askBoth({ store: app.store, clickhouse }, query, options)).toBeNull();
        }
      }),
      { numRuns: INSIGHTS / 2 },
    );
  },
);
