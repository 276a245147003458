import { fail } from '../../../errors.ts';
import type { Expr, JoinExpr } from '../../../hogql/ast.ts';
import { and, compare, dateTime, field, from } from '../../../hogql/build.ts';
import type { DateSpan } from '../dates/date-span.ts';
import type { FilterContext } from '../filters/filter-context.ts';
import { filterExpr } from '../filters/property-filter.ts';
import type { KindContext } from '../query-kind.ts';

/** What all insights say of the events that they look at. */
export interface ScopedQuery {
  readonly properties?: unknown;
  readonly filterTestAccounts?: boolean | null | undefined;
  readonly samplingFactor?: number | null | undefined;
}

/**
 * The conditions of the whole query, all of which must hold: its own filters, and those that leave out the project's test
 * accounts. Throws invalid_input, HogqlError.
 */
export async function scopeConditions(
  query: ScopedQuery,
  { testAccountFilters }: Pick<KindContext, 'testAccountFilters'>,
  context: FilterContext,
): Promise<Expr[]> {
  const conditions = await Promise.all([
    filterExpr(query.properties, context),
    query.filterTestAccounts === true ? filterExpr(testAccountFilters, context) : null,
  ]);
  return conditions.filter((condition) => condition !== null);
}

/** The condition of the events in a span. The column stands bare, so that whole parts of the store can be passed over. */
export function inSpan({ from: start, to }: DateSpan, context: Pick<FilterContext, 'path'>): Expr {
  const timestamp = field(...context.path('timestamp'));
  return and(compare('>=', timestamp, dateTime(start)), compare('<', timestamp, dateTime(to)));
}

/** The events table, sampled by person when the query has a sampling factor. Throws invalid_input. */
export function eventsFrom({ samplingFactor: ratio }: ScopedQuery, alias?: string): JoinExpr {
  const table = from('events', alias);
  if (ratio === null || ratio === undefined || ratio === 1) return table;
  if (!(ratio > 0 && ratio < 1)) {
    throw fail('invalid_input', { detail: 'samplingFactor must be greater than 0 and at most 1.' });
  }
  return { ...table, sample: { ratio } };
}
