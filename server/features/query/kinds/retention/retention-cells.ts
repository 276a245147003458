import { fail } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { call, compare, constant, field, isNull, or } from '../../../../hogql/build.ts';
import type { Value } from '../../../../db/db.ts';
import { NULL_VALUE, OTHER_VALUE, type BreakdownDimension } from '../../breakdowns/breakdown.ts';
import type { KindContext, NamedCohort } from '../../query-kind.ts';
import type { RetentionQuery } from '../insight-kinds.contract.ts';
import type { RetentionPlan } from './retention-plan.ts';
import { isQuick, quickRetention } from './quick-retention.ts';
import { retentionStatement, type Values } from './retention-statement.ts';

/** What was counted of a place in a row. */
export interface Cell {
  /** Of the place alone, also where places are cumulated. */
  readonly persons: number;
  /** The sum of the property, and of how many events. */
  readonly sum: number;
  readonly count: number;
}

/** The cells with one value of the breakdown, or without one. */
export interface ValueCells {
  readonly value: string | number | null;
  readonly isOther: boolean;
  /** By the row's place and its own: `3:0`. */
  readonly cells: ReadonlyMap<string, Cell>;
}

const MAX_CELLS = 250_000;
/** Of one answer of the store, in which a row holds the cells of a value and an interval. */
const MAX_ROWS = 50_000;

/** Asks for all cells, by the values of the breakdown: the greatest first, then what has none, then the others. */
export async function queryCells(
  query: RetentionQuery,
  plan: RetentionPlan,
  context: KindContext,
): Promise<ValueCells[]> {
  const { breakdown, dates } = plan;
  if (dates.rows === 0) return [];
  if (breakdown === null) return [await queryOne(query, plan, null, context)];
  const shown = breakdown.kind === 'cohorts' ? breakdown.cohorts.length : breakdown.limit + 2;
  const rowCount = shown * dates.rows;
  if (rowCount > MAX_ROWS || rowCount * dates.places.length > MAX_CELLS) {
    throw fail('invalid_input', {
      detail: `The result would have more than ${MAX_CELLS} cells: choose fewer intervals, or a lower breakdown_limit.`,
    });
  }
  if (breakdown.kind === 'cohorts') {
    return await Promise.all(
      breakdown.cohorts.map((cohort) =>
        queryOne(query, ofCohort(plan, cohort), cohort?.id ?? 'all', context),
      ),
    );
  }
  const { rows } = await context.runQuery(retentionStatement(query, plan, valuesOf(plan)));
  const byValue = new Map<string, Value[][]>();
  for (const [value, ...rest] of rows as Value[][]) {
    byValue.set(String(value), [...(byValue.get(String(value)) ?? []), rest]);
  }
  return inOrder([...byValue].map(([value, list]) => valueCells(value, list)));
}

/** The breakdown of actors; null: none. */
export function valuesOf({ breakdown }: RetentionPlan): Values | null {
  if (breakdown?.kind !== 'values') return null;
  const texts = breakdown.dimensions.map(textOf);
  const text =
    texts.length === 1 ? texts[0]! : call('arrayStringConcat', call('array', ...texts), constant('::'));
  return { text, limit: breakdown.limit };
}

function textOf({ text }: BreakdownDimension): Expr {
  const isMissing = or(isNull(text), compare('==', text, constant('')));
  return call('coalesce', call('if', isMissing, constant(NULL_VALUE), text), constant(NULL_VALUE));
}

/** The plan for the members of a cohort; null: all users. */
export function ofCohort(plan: RetentionPlan, cohort: NamedCohort | null): RetentionPlan {
  if (cohort === null) return plan;
  const isMember = compare('in cohort', field('person_id'), constant(cohort.id));
  return { ...plan, scope: [...plan.scope, isMember] };
}

async function queryOne(
  query: RetentionQuery,
  plan: RetentionPlan,
  value: ValueCells['value'],
  context: KindContext,
): Promise<ValueCells> {
  const isQuickly = isQuick(plan, context);
  const { rows } = await context.runQuery(
    isQuickly ? quickRetention(query, plan) : retentionStatement(query, plan, null),
  );
  return valueCells(value, rows);
}

function valueCells(value: ValueCells['value'], rows: readonly (readonly Value[])[]): ValueCells {
  const cells = new Map<string, Cell>();
  for (const [start, ...arrays] of rows) {
    const [places, persons, sums, counts] = arrays as unknown as [
      readonly Value[],
      readonly Value[],
      ...(readonly Value[])[],
    ];
    places.forEach((place, at) => {
      const cell = {
        persons: Number(persons[at]),
        sum: Number(sums?.[at] ?? 0),
        count: Number(counts?.[at] ?? 0),
      };
      cells.set(`${Number(start)}:${Number(place)}`, cell);
    });
  }
  return { value, isOther: value === OTHER_VALUE, cells };
}

function inOrder(found: readonly ValueCells[]): ValueCells[] {
  const begun = ({ cells }: ValueCells): number =>
    [...cells].reduce((sum, [key, { persons }]) => (key.endsWith(':0') ? sum + persons : sum), 0);
  const last = ({ value, isOther }: ValueCells): number => (isOther ? 2 : value === NULL_VALUE ? 1 : 0);
  const ranked = found.map((one) => ({ one, last: last(one), begun: begun(one) }));
  return ranked
    .toSorted(
      (a, b) => a.last - b.last || b.begun - a.begun || (String(a.one.value) < String(b.one.value) ? -1 : 1),
    )
    .map(({ one }) => one);
}
