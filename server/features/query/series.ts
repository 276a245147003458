import type { Expr, JoinExpr, Field, SelectQuery } from '../../hogql/ast.ts';
import {
  and,
  compare,
  constant,
  field,
  dateTime,
  from,
  array,
  call,
  or,
  alias,
  select,
} from '../../hogql/build.ts';
import { actionExpr, filterExpr, type FilterContext } from './filters.ts';
import { groupProblem, type SeriesNode } from './node-schema.ts';
import type { KindContext } from './query-kind.ts';
import { fail } from '../../errors.ts';
import type { DateSpan } from './dates.ts';
import { bucketIndex, type Buckets } from './buckets.ts';

type Entity = Pick<SeriesNode, 'properties' | 'fixedProperties'> &
  ({ kind: 'EventsNode'; event?: string | null | undefined } | { kind: 'ActionsNode'; id: number });
type Series =
  | Entity
  | (Pick<SeriesNode, 'properties' | 'fixedProperties'> & {
      kind: 'GroupNode';
      operator: 'AND' | 'OR';
      nodes: readonly Entity[];
    });

/**
 * The conditions of a series' events, all of which must hold; none for a series of all events. An action that is not there
 * means no event. Throws invalid_input, HogqlError.
 */
export async function seriesConditions(node: Series, context: FilterContext): Promise<Expr[]> {
  const conditions = await Promise.all([
    entityCondition(node, context),
    filterExpr(node.properties, context),
    filterExpr(node.fixedProperties, context),
  ]);
  return conditions.filter((condition) => condition !== null);
}

/** The same as one condition; null for a series of all events. */
export async function seriesCondition(node: Series, context: FilterContext): Promise<Expr | null> {
  const conditions = await seriesConditions(node, context);
  return conditions.length === 0 ? null : and(...conditions);
}

/** The condition of the event or action alone, without the filters of the series; null for all events. Throws invalid_input. */
export async function entityCondition(node: Series, context: FilterContext): Promise<Expr | null> {
  if (node.kind === 'GroupNode') {
    const problem = groupProblem(node);
    if (problem !== null) throw fail('invalid_input', { detail: problem });
    const conditions = await Promise.all(node.nodes.map((one) => seriesCondition(one, context)));
    return conditions.includes(null) ? null : anyOf(conditions as Expr[]);
  }
  if (node.kind === 'ActionsNode') return await actionExpr(await context.action(node.id), context);
  const { event } = node;
  if (event === null || event === undefined) return null;
  return compare('==', field(...context.path('event')), constant(event));
}

type Named =
  | { kind: 'EventsNode'; event?: string | null | undefined }
  | { kind: 'ActionsNode'; id: number; name?: string | null | undefined }
  | {
      kind: 'GroupNode';
      nodes: readonly Exclude<Named, { kind: 'GroupNode' }>[];
      name?: string | null | undefined;
    };

/** The displayed name of a series: its event or action; of several, its own or theirs. */
export async function seriesName(node: Named, context: Pick<KindContext, 'action'>): Promise<string> {
  if (node.kind === 'EventsNode') return node.event ?? 'All events';
  if (node.kind === 'ActionsNode') {
    return (await context.action(node.id))?.name ?? node.name ?? `Action ${node.id}`;
  }
  if (node.name) return node.name;
  return (await Promise.all(node.nodes.map((one) => seriesName(one, context)))).join(', ');
}

/** Whether a series is of an action that is not there any more. */
export async function isOfMissingAction(
  node: SeriesNode,
  context: Pick<KindContext, 'action'>,
): Promise<boolean> {
  return node.kind === 'ActionsNode' && (await context.action(node.id)) === null;
}

/** The field `action` of a result: its series (management contract 9.9). */
export function seriesAction(
  node: SeriesNode,
  order: number,
  name: string,
  days: readonly (string | number)[],
): object {
  const isAction = node.kind === 'ActionsNode';
  const event = node.kind === 'EventsNode' ? (node.event ?? null) : name;
  return {
    days,
    id: isAction ? node.id : event,
    type: isAction ? 'actions' : node.kind === 'GroupNode' ? 'groups' : 'events',
    order,
    name,
    custom_name: node.custom_name ?? null,
    math: node.math ?? null,
    math_property: node.math_property ?? null,
    math_hogql: node.math_hogql ?? null,
    math_group_type_index: node.math_group_type_index ?? null,
    properties: node.properties ?? {},
  };
}

/** The fields of every insight that restrict its events. */
interface ScopedQuery {
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

/** The condition that a time lies in a span. */
export function between(moment: Expr, { from: start, to }: DateSpan): Expr {
  return and(compare('>=', moment, dateTime(start)), compare('<', moment, dateTime(to)));
}

/** The condition of the events in a span. The column is not wrapped in a function, so that DuckDB can skip row groups. */
export function inSpan(span: DateSpan, context: Pick<FilterContext, 'path'>): Expr {
  return between(field(...context.path('timestamp')), span);
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

/**
 * That one of the conditions holds; where all of them name an event and nothing else, that it is one of a list. By
 * `has`, not by IN: DuckDB evaluates a function of one column once per dictionary entry, not about each row, and
 * there are few names of events. For columns of many words IN is better, as it passes over parts of the store by
 * their least and greatest.
 */
export function anyOf(conditions: readonly Expr[]): Expr {
  const names = conditions.map(eventNamed);
  if (names.length === 1 || names.includes(null)) return or(...conditions);
  return call('has', array(...(names as Expr[])), field('event'));
}

function eventNamed(condition: Expr): Expr | null {
  const isName = condition.node === 'Compare' && condition.op === '==' && condition.left.node === 'Field';
  return isName && (condition.left as Field).chain.join('.') === 'event' ? condition.right : null;
}

/** What an insight counts: persons, or groups of a type. */
export interface Actor {
  /** Of an event. */
  readonly id: Expr;
  /** Conditions of the events that have one. */
  readonly isKnown: readonly Expr[];
  /** Null: persons. */
  readonly groupTypeIndex: number | null;
}

/** Groups of a type; without one, persons. */
export function actorOf(
  groupTypeIndex: number | null | undefined,
  context: Pick<FilterContext, 'path'>,
): Actor {
  if (groupTypeIndex === null || groupTypeIndex === undefined) {
    return { id: field(...context.path('person_id')), isKnown: [], groupTypeIndex: null };
  }
  const id = field(...context.path(`$group_${groupTypeIndex}`));
  return { id, isKnown: [compare('!=', id, constant(''))], groupTypeIndex };
}

/** The events in which actors are seen, and their intervals. */
export interface Sight {
  readonly actor: Actor;
  readonly span: DateSpan;
  readonly buckets: Pick<Buckets, 'starts' | 'end'>;
  readonly conditions: readonly Expr[];
}

/** The actors of each interval: a row for each actor and `bucket` whose events match `having`. */
export function seenByInterval(
  query: ScopedQuery,
  { actor, span, buckets, conditions }: Sight,
  having?: Expr,
): SelectQuery {
  const timestamp = field('timestamp');
  return select({
    select: [alias(actor.id, 'actor'), alias(bucketIndex(timestamp, buckets), 'bucket')],
    from: eventsFrom(query),
    where: and(between(timestamp, span), ...conditions, ...actor.isKnown),
    groupBy: [field('actor'), field('bucket')],
    ...(having && { having }),
  });
}
