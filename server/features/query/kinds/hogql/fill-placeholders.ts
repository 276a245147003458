import { ExactNumber } from '../../../../lib/exact-number.contract.ts';
import type { Expr, Placeholder, Query, SelectQuery } from '../../../../hogql/ast.ts';
import { and, compare, constant, dateTime, field, tuple } from '../../../../hogql/build.ts';
import { HogqlError } from '../../../../hogql/errors.ts';
import { placeholdersOf, replacePlaceholders } from '../../../../hogql/placeholders.ts';
import { rewrite, visit } from '../../../../hogql/rewrite.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { resolveDates } from '../../dates.ts';
import { filterContext, filterExpr, type FilterContext } from '../../filters.ts';
import type { KindContext } from '../../query-kind.ts';
import type { HogqlQuery } from './schema.ts';

/**
 * The query with values where its text has names in braces: `{filters}` is the condition of the query's filters on a table,
 * `{filters.dateRange.from}` and `.to` are its dates, `{variables.name}` the value of a variable, and `{name}` one of the
 * values that were sent along. Throws HogqlError for a name without a value.
 */
export async function fillPlaceholders(
  parsed: Query,
  query: HogqlQuery,
  context: KindContext,
): Promise<Query> {
  if (!query.query.includes('{')) return parsed;
  const filtered = await withFilters(parsed, query, context);
  const variables = await variablesOf(query, context);
  return replacePlaceholders(filtered, (placeholder) => {
    const [name, ...rest] = placeholder.chain;
    if (name === 'variables' && rest.length === 1) return valueOf(variables, rest[0]!, placeholder);
    return valueOf(query.values ?? {}, placeholder.chain.join('.'), placeholder);
  });
}

/**
 * A query with its filters: `{filters}` is a condition on the table that its SELECT reads, and a comparison with a date that the query
 * does not have is true, as in PostHog.
 */
async function withFilters(parsed: Query, query: HogqlQuery, context: KindContext): Promise<Query> {
  const names = placeholdersOf(parsed).filter(([name]) => name === 'filters');
  if (names.length === 0) return parsed;
  const dates = datesOf(query, context);
  const conditions = new Map<FilteredTable, Expr>();
  if (names.some((chain) => chain.length === 1))
    for (const table of filteredTables(parsed))
      conditions.set(table, await filtersExpr(table, query, dates, context));

  // Inner queries come first, so what is left in a SELECT is its own.
  return rewrite(parsed, (node) => {
    if (node.node === 'Compare' && [node.left, node.right].some((side) => isOpenDate(side, dates)))
      return compare('==', constant(true), constant(true));
    if (node.node === 'Placeholder' && node.chain[0] === 'filters' && node.chain.length > 1)
      return dateOf(node, dates);
    if (node.node !== 'SelectQuery') return node;
    const table = tableOf(node);
    return replaceOwn(node, () => {
      const condition = table === null ? undefined : conditions.get(table);
      if (condition !== undefined) return condition;
      throw new HogqlError(
        `{filters} is only supported in a SELECT from ${FILTERED_TABLES.join(', ')}.`,
        node,
      );
    });
  });
}

/** Tables by whose rows `{filters}` can filter; of several in one FROM, the first of this list. */
const FILTERED_TABLES = ['events', 'sessions', 'groups', 'persons'] as const;
type FilteredTable = (typeof FILTERED_TABLES)[number];

/** When a row of each is. */
const MOMENTS: Readonly<Record<FilteredTable, string>> = {
  events: 'timestamp',
  sessions: '$start_timestamp',
  groups: 'created_at',
  persons: 'created_at',
};

function tableOf({ from }: SelectQuery): FilteredTable | null {
  const names: string[] = [];
  for (let join = from; join !== undefined; join = join.next)
    if (join.table.node === 'Field') names.push(join.table.chain.join('.'));
  return FILTERED_TABLES.find((name) => names.includes(name)) ?? null;
}

function filteredTables(query: Query): ReadonlySet<FilteredTable> {
  const found = new Set<FilteredTable>();
  visit(query, (node) => {
    const table = node.node === 'SelectQuery' ? tableOf(node) : null;
    if (table !== null) found.add(table);
  });
  return found;
}

/** The columns of a session, the properties of a group, as filters on events name them, on the table itself. */
function rowsContext(table: FilteredTable, context: KindContext): FilterContext {
  if (table === 'persons') return filterContext(context, { rows: 'persons' });
  const isOwn = (name: string): boolean =>
    (table === 'sessions' && name === 'session') || (table === 'groups' && name.startsWith('group_'));
  const path = (first: string, ...rest: string[]): string[] => (isOwn(first) ? rest : [first, ...rest]);
  return { ...filterContext(context), path: path as FilterContext['path'] };
}

/** True without filters. */
async function filtersExpr(
  table: FilteredTable,
  { filters }: HogqlQuery,
  { from, to }: Dates,
  context: KindContext,
): Promise<Expr> {
  const moment = field(MOMENTS[table]);
  const rows = rowsContext(table, context);
  const conditions = await Promise.all([
    filterExpr(filters?.properties, rows),
    filters?.filterTestAccounts ? filterExpr(context.testAccountFilters, rows) : null,
  ]);
  return and(
    ...(from === null ? [] : [compare('>=', moment, dateTime(from))]),
    ...(to === null ? [] : [compare('<', moment, dateTime(to))]),
    ...conditions.filter((expr) => expr !== null),
  );
}

/** Unix milliseconds; null: none. */
interface Dates {
  readonly from: number | null;
  readonly to: number | null;
}

function datesOf({ filters }: HogqlQuery, { timezone, weekStartDay, now }: KindContext): Dates {
  const { date_from: from, date_to: to } = filters?.dateRange ?? {};
  if (!from && !to) return { from: null, to: null };
  const zone = timeZone(timezone);
  const span = resolveDates(
    { date_from: from, date_to: to },
    { zone, weekStart: weekStartDay, now, defaultFrom: 'all' },
  );
  return { from: from && from !== 'all' ? span.from : null, to: to ? span.to : null };
}

/** `{filters.dateRange.from}` or `.to` of a query without that date. */
function isOpenDate(node: Expr, dates: Dates): boolean {
  if (node.node !== 'Placeholder') return false;
  const [name, group, bound, ...rest] = node.chain;
  const isDate = name === 'filters' && group === 'dateRange' && rest.length === 0;
  return isDate && (bound === 'from' || bound === 'to') && dates[bound] === null;
}

function dateOf(placeholder: Placeholder, dates: Dates): Expr {
  // A comparison around it decides whether an open one is an error.
  if (isOpenDate(placeholder, dates)) return placeholder;
  const [, group, bound, ...rest] = placeholder.chain;
  if (group === 'dateRange' && rest.length === 0 && (bound === 'from' || bound === 'to'))
    return dateTime(dates[bound]!);
  throw new HogqlError(`No value was provided for {${placeholder.chain.join('.')}}.`, placeholder);
}

/** Replaces `{filters}` of a SELECT; those of queries in it are replaced already. */
function replaceOwn(node: SelectQuery, resolve: () => Expr): SelectQuery {
  return rewrite(node, (part) =>
    part.node === 'Placeholder' && part.chain.length === 1 && part.chain[0] === 'filters' ? resolve() : part,
  );
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

const WHOLE = /^-?\d{1,19}$/;

/** Returns a value as a constant, or a list as a tuple, as IN takes it. Null for a value that a query cannot hold. */
function constantOf(value: unknown): Expr | null {
  if (Array.isArray(value)) {
    const items = value.map(constantOf);
    return items.includes(null) ? null : tuple(...(items as Expr[]));
  }
  if (value instanceof ExactNumber)
    return constant(WHOLE.test(value.text) ? BigInt(value.text) : Number(value.text));
  const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar ? constant(value as string) : null;
}
