import type { Expr, Placeholder, Query } from '../../../../hogql/ast.ts';
import { and, compare, constant, dateTime, field, tuple } from '../../../../hogql/build.ts';
import { HogqlError } from '../../../../hogql/errors.ts';
import { replacePlaceholders } from '../../../../hogql/placeholders.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { resolveDates, type DateSpan } from '../../dates.ts';
import { filterExpr, filterContext } from '../../filters.ts';
import type { KindContext } from '../../query-kind.ts';
import type { HogqlQuery } from './schema.ts';

/**
 * The query with values where its text has names in braces: `{filters}` is the condition of the query's filters on events,
 * `{filters.dateRange.from}` and `.to` are its dates, `{variables.name}` the value of a variable, and `{name}` one of the
 * values that were sent along. Throws HogqlError for a name without a value.
 */
export async function fillPlaceholders(
  parsed: Query,
  query: HogqlQuery,
  context: KindContext,
): Promise<Query> {
  if (!query.query.includes('{')) return parsed;
  const span = spanOf(query, context);
  const filters = await filtersExpr(query, span, context);
  const variables = await variablesOf(query, context);
  return replacePlaceholders(parsed, (placeholder) => {
    const [name, ...rest] = placeholder.chain;
    if (name === 'filters') return rest.length === 0 ? filters : dateOf(rest, span, placeholder);
    if (name === 'variables' && rest.length === 1) return valueOf(variables, rest[0]!, placeholder);
    return valueOf(query.values ?? {}, placeholder.chain.join('.'), placeholder);
  });
}

/** Null: the query has no dates. */
function spanOf({ filters }: HogqlQuery, { timezone, weekStartDay, now }: KindContext): DateSpan | null {
  const range = filters?.dateRange;
  if (!range?.date_from && !range?.date_to) return null;
  return resolveDates(range, { zone: timeZone(timezone), weekStart: weekStartDay, now, defaultFrom: 'all' });
}

/** True without filters. */
async function filtersExpr(
  { filters }: HogqlQuery,
  span: DateSpan | null,
  context: KindContext,
): Promise<Expr> {
  const timestamp = field('timestamp');
  const filtered = filterContext(context);
  const conditions = await Promise.all([
    filterExpr(filters?.properties, filtered),
    filters?.filterTestAccounts ? filterExpr(context.testAccountFilters, filtered) : null,
  ]);
  const dates =
    span === null
      ? []
      : [
          ...(filters?.dateRange?.date_from && filters.dateRange.date_from !== 'all'
            ? [compare('>=', timestamp, dateTime(span.from))]
            : []),
          compare('<', timestamp, dateTime(span.to)),
        ];
  return and(...dates, ...conditions.filter((expr) => expr !== null));
}

function dateOf(rest: readonly string[], span: DateSpan | null, placeholder: Placeholder): Expr {
  const [group, bound] = rest;
  const isBound = rest.length === 2 && group === 'dateRange' && (bound === 'from' || bound === 'to');
  if (isBound && span !== null) return dateTime(span[bound]);
  throw new HogqlError(`No value was provided for {${placeholder.chain.join('.')}}.`, placeholder);
}

/** The values of variables in the query, or their defaults. */
async function variablesOf(
  { query, variables }: HogqlQuery,
  context: KindContext,
): Promise<Record<string, unknown>> {
  const defaults = query.includes('variables.') ? await context.variables() : [];
  const values = defaults.map(({ id, codeName, defaultValue }): [string, unknown] => {
    const own = Object.entries(variables ?? {}).find(
      ([key, one]) => key === id || one['variableId'] === id || one['code_name'] === codeName,
    )?.[1];
    if (own?.['isNull'] === true) return [codeName, null];
    return [codeName, own?.['value'] ?? defaultValue];
  });
  return Object.fromEntries(values);
}

function valueOf(values: Readonly<Record<string, unknown>>, name: string, at: Placeholder): Expr {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const expr = value === undefined ? null : constantOf(value);
  if (expr !== null) return expr;
  if (value !== undefined) {
    throw new HogqlError(`The value of {${at.chain.join('.')}} cannot be used in a query: ${WHAT_CAN}`, at);
  }
  const names = Object.keys(values);
  const known = names.length === 0 ? '' : ` Available: ${names.slice(0, 20).join(', ')}.`;
  throw new HogqlError(`No value was provided for {${at.chain.join('.')}}.${known}`, at);
}

const WHAT_CAN = 'only strings, numbers, booleans, null and lists of these are allowed.';

/** Why a value cannot take the place of a variable; null: it can. */
export function valueProblem(value: unknown): string | null {
  return constantOf(value) === null ? `This value cannot be used in a query: ${WHAT_CAN}` : null;
}

/** Returns a value as a constant, or a list as a tuple, as IN takes it. Null for a value that a query cannot hold. */
function constantOf(value: unknown): Expr | null {
  if (Array.isArray(value)) {
    const items = value.map(constantOf);
    return items.includes(null) ? null : tuple(...(items as Expr[]));
  }
  const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar ? constant(value as string) : null;
}
