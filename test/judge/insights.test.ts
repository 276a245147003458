import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Value } from '../../server/db/db.ts';
import { findKind } from '../../server/features/query/query-kinds.ts';
import type { Table } from '../../server/features/query/query-kind.ts';
import { readKind } from '../../server/features/query/read-query.ts';
import type { Query } from '../../server/hogql/ast.ts';
import { compileForClickhouse } from '../../server/hogql/print/clickhouse/compile.ts';
import { testHogqlContext, type AskOptions } from '../support/ask-hogql.ts';
import { openKindContext } from '../support/kind-context.ts';
import { openTestApp } from '../support/test-app.ts';
import { arbitraryInsights } from './arbitrary-insights.ts';
import { DATABASE } from './ask-both.ts';
import { shareClickhouse, type Clickhouse, type ClickhouseRows } from './clickhouse.ts';
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

/** Answers a statement of an insight in ClickHouse, with values as Burrow has them: a left join without a match gives NULL there. */
async function clickhouseTable(clickhouse: Clickhouse, query: Query, options: AskOptions): Promise<Table> {
  const context = testHogqlContext({ ...options, limits: { defaultRows: 50_000 } });
  const { sql, params, columns } = compileForClickhouse(query, context, { database: DATABASE });
  const found = await clickhouse.run(`${sql} SETTINGS join_use_nulls = 1`, params);
  return { columns, rows: valuesOf(found), hasMore: false, limit: 50_000, offset: 0 };
}

function valuesOf({ types, rows }: ClickhouseRows): Value[][] {
  return rows.map((row) => row.map((value, at) => valueOf(value, types[at]!)));
}

/** Whole numbers come as texts, so that they keep their digits. */
function valueOf(value: unknown, type: string): Value {
  if (Array.isArray(value)) return value.map((one) => valueOf(one, type));
  if (typeof value === 'string' && /Int64|Float64/.test(type) && /^-?\d+$/.test(value)) return Number(value);
  return value as Value;
}
