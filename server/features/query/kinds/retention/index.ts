import { defineKind, type KindContext } from '../../query-kind.ts';
import { retentionPoint, retentionQuery, retentionSource } from './schema.ts';
import { planRetention, type RetentionPlan, cohortValue, ofCohort } from './plan.ts';
import { retentionRows, type ValueCells, valueCells, inOrder } from './shape.ts';
import { retentionActors } from './actors.ts';
import { fail } from '../../../../errors.ts';
import type { Value } from '../../../../db/db.ts';
import { isQuick, quickRetention } from './quick-retention.ts';
import { retentionStatement, valuesOf } from './to-hogql.ts';

/** Who returns (management contract 9.9, 9.9.1). */
export const retentionKind = defineKind({
  kind: 'RetentionQuery',
  role: 'insight',
  schema: retentionQuery,
  legacy: { name: 'RETENTION', path: 'retention', source: retentionSource },
  point: retentionPoint,
  plan: planRetention,
  async answer(plan, context) {
    const found = await queryCells(plan, context);
    const hidesOther = plan.breakdown?.kind === 'values' && plan.breakdown.hidesOther;
    const shown = found.filter(({ isOther }) => !(isOther && hidesOther));
    return {
      results: shown.flatMap((one) => retentionRows(one, plan)),
      hasMore: found.some(({ isOther }) => isOther),
    };
  },
  actors: retentionActors,
});

const MAX_CELLS = 250_000;
/** Of one answer of the store, in which a row holds the cells of a value and an interval. */
const MAX_ROWS = 50_000;

/** Queries all cells, by the values of the breakdown: the greatest first, then the missing value, then the others. */
async function queryCells(plan: RetentionPlan, context: KindContext): Promise<ValueCells[]> {
  const { breakdown, dates } = plan;
  if (dates.rows === 0) return [];
  if (breakdown === null) return [await queryOne(plan, null, context)];
  const shown = breakdown.kind === 'cohorts' ? breakdown.cohorts.length : breakdown.limit + 2;
  const rowCount = shown * dates.rows;
  if (rowCount > MAX_ROWS || rowCount * dates.places.length > MAX_CELLS) {
    throw fail('invalid_input', {
      detail: `The result would have more than ${MAX_CELLS} cells: choose fewer intervals, or a lower breakdown_limit.`,
    });
  }
  if (breakdown.kind === 'cohorts') {
    return await Promise.all(
      breakdown.cohorts.map((cohort) => queryOne(ofCohort(plan, cohort), cohortValue(cohort), context)),
    );
  }
  const { rows } = await context.runQuery(retentionStatement(plan, valuesOf(plan)));
  const byValue = new Map<string, Value[][]>();
  for (const [value, ...rest] of rows as Value[][]) {
    byValue.set(String(value), [...(byValue.get(String(value)) ?? []), rest]);
  }
  return inOrder([...byValue].map(([value, list]) => valueCells(value, list)));
}

async function queryOne(
  plan: RetentionPlan,
  value: ValueCells['value'],
  context: KindContext,
): Promise<ValueCells> {
  const isQuickly = isQuick(plan, context);
  const { rows } = await context.runQuery(isQuickly ? quickRetention(plan) : retentionStatement(plan, null));
  return valueCells(value, rows);
}
