import { fail } from '../../../../errors.ts';
import type { Expr, OrderExpr, Query } from '../../../../hogql/ast.ts';
import {
  and,
  call,
  field,
  from,
  order,
  select,
  compare,
  constant,
  dateTime,
  or,
  tuple,
} from '../../../../hogql/build.ts';
import { datesOf, withProperties } from '../../dashboard-filters.ts';
import type { Fields } from '../../legacy-filters.ts';
import { defineKind, type ActorsSelect, type KindContext, type Table } from '../../query-kind.ts';
import { eventsQuery, type EventsQuery } from './schema.ts';
import {
  exprsOf,
  groupsOf,
  shownRows,
  shownTypes,
  type ShownColumn,
  readOrders,
  pageOf,
  isAggregate,
  actorIds,
} from '../../table-columns.ts';
import { eventColumn } from './columns.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { readDateWord } from '../../dates.ts';
import { actionExpr, filterExpr, filterContext } from '../../filters.ts';

const TIMESTAMP = 'timestamp';

/** Events as a table, or what they add up to (management contract 9.9). */
export const eventsKind = defineKind({
  kind: 'EventsQuery',
  role: 'table',
  schema: eventsQuery,
  override: (query, filters) => ({ ...timesIn(filters), ...withProperties(query, filters) }),
  plan: planOf,
  table: ({ tree }) => tree,
  async answer({ tree, columns, byTime }, { runQuery, timezone }) {
    const table = await runQuery(tree);
    return {
      results: shownRows(columns, table, timezone),
      columns: columns.map(({ name }) => name),
      types: shownTypes(columns, table.columns),
      hasMore: table.hasMore,
      limit: table.limit,
      offset: table.offset,
      nextCursor: byTime === null ? null : cursorOf(table),
    };
  },
});

/** The dates of a dashboard as times of events. */
function timesIn(filters: Fields): Fields {
  const { date_from: after, date_to: before } = datesOf(filters);
  return { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
}

interface EventsPlan {
  readonly tree: Query;
  readonly columns: readonly ShownColumn[];
  /** The direction of the order by time; null for any other order. */
  readonly byTime: 'ASC' | 'DESC' | null;
}

async function planOf(query: EventsQuery, context: KindContext): Promise<EventsPlan> {
  const columns = await Promise.all(query.select.map((text) => eventColumn(text, context)));
  const aggregates = columns.flatMap(({ exprs }) => exprs.filter(isAggregate));
  const isGrouped = aggregates.length > 0;
  const orderBy = await ordersOf(query, context, aggregates);
  // Events of the same moment need an order too, and a page its end.
  const byTime = isGrouped ? null : timeOrderOf(orderBy);
  const wanted = await Promise.all((query.where ?? []).map((text) => context.parse.expression(text)));
  // What counts events is a condition on their groups.
  const ofGroups = wanted.filter(isAggregate);
  const tree = select({
    // A file has all rows, and no next page.
    select: [...exprsOf(columns), ...(byTime === null || context.isExport ? [] : CURSOR)],
    from: from('events'),
    where: and(
      ...wanted.filter((expr) => !isAggregate(expr)),
      ...(await conditionsOf(query, context, byTime)),
    ),
    ...(isGrouped ? { groupBy: groupsOf(columns, 'event') } : {}),
    ...(ofGroups.length > 0 && { having: and(...ofGroups) }),
    orderBy: byTime === null ? orderBy : [...orderBy, order(field('uuid'), byTime)],
    ...pageOf(query, context),
  });
  return { tree, columns, byTime };
}

/** The moment and the unique id of an event end each row. */
const CURSOR: Expr[] = [field(TIMESTAMP), call('toString', field('uuid'))];

function cursorOf({ rows, hasMore }: Table): string | null {
  return hasMore ? (rows.at(-1)?.slice(-CURSOR.length).join('_') ?? null) : null;
}

/** Names are those of the persons, else the senders. */
const BY_PERSON = { properties: ['person', 'properties'], fallback: field('distinct_id') };

async function ordersOf(
  { orderBy }: EventsQuery,
  context: KindContext,
  aggregates: readonly Expr[],
): Promise<OrderExpr[]> {
  if (orderBy !== null && orderBy !== undefined && orderBy.length > 0)
    return await readOrders(orderBy, context, BY_PERSON);
  return [order(aggregates[0] ?? field(TIMESTAMP), 'DESC')];
}

/** The direction of an order by time alone; null for any other. */
function timeOrderOf(orders: readonly OrderExpr[]): 'ASC' | 'DESC' | null {
  const [first, ...rest] = orders;
  if (first === undefined || rest.length > 0 || first.expr.node !== 'Field') return null;
  return first.expr.chain.join('.') === TIMESTAMP ? first.order : null;
}

/** Events that clocks ahead of ours send are shown that long before their time. */
const AHEAD_MS = 5_000;
/** The end of the time range is rounded, so that equal queries within it are equal statements. */
const STEP_MS = 10_000;
const CURSOR_TEXT = /^(.+Z)_([0-9a-f-]{36})$/;

/** What an event must fulfil to be listed, beside the expressions in `where`; `byTime` is the direction in which a cursor leads on. */
async function conditionsOf(
  query: EventsQuery,
  context: KindContext,
  byTime: 'ASC' | 'DESC' | null,
): Promise<Expr[]> {
  const filtered = filterContext(context);
  const filters = await Promise.all([
    filterExpr(query.properties, filtered),
    filterExpr(query.fixedProperties, filtered),
    query.filterTestAccounts ? filterExpr(context.testAccountFilters, filtered) : null,
    query.actionId ? context.action(query.actionId).then((action) => actionExpr(action, filtered)) : null,
    query.actionSteps?.length ? actionExpr({ steps: query.actionSteps }, filtered) : null,
    query.source ? personsOf(query.source, context) : null,
  ]);
  return [
    ...namesOf(query),
    ...(query.personId ? [compare('==', field('person_id'), constant(query.personId))] : []),
    ...timesOf(query, context, byTime),
    ...filters.filter((expr) => expr !== null),
  ];
}

function namesOf({ event, events }: EventsQuery): Expr[] {
  const one = event ? [compare('==', field('event'), constant(event))] : [];
  if (events === null || events === undefined || events.length === 0) return one;
  return [...one, compare('in', field('event'), tuple(...events.map((name) => constant(name))))];
}

async function personsOf(source: unknown, context: KindContext): Promise<Expr> {
  const actors = await context.actorsOf(source);
  return compare('in', actorColumn(actors), actorIds(actors));
}

function actorColumn({ groupTypeIndex, isOfSessions }: ActorsSelect): Expr {
  if (isOfSessions === true) return field('properties', '$session_id');
  return groupTypeIndex === null ? field('person_id') : field(`$group_${groupTypeIndex}`);
}

/** Without bounds: the last day, and nothing that is yet to come. */
function timesOf(
  { after, before }: EventsQuery,
  context: KindContext,
  byTime: 'ASC' | 'DESC' | null,
): Expr[] {
  const timestamp = field('timestamp');
  const latest = Math.ceil((context.now + AHEAD_MS) / STEP_MS) * STEP_MS;
  const lower = after === 'all' ? [] : [boundOf('after', after || '-24h', '>', byTime === 'ASC', context)];
  const upper = before
    ? boundOf('before', before, '<', byTime === 'DESC', context)
    : compare('<', timestamp, dateTime(latest));
  return [...lower, upper];
}

/** A bound of the timestamp; a cursor also says after which of the events of its moment the next page begins. */
function boundOf(
  name: 'after' | 'before',
  text: string,
  sign: '<' | '>',
  leadsOn: boolean,
  context: KindContext,
): Expr {
  const timestamp = field('timestamp');
  const [, moment, uuid] = CURSOR_TEXT.exec(text) ?? [];
  if (moment === undefined || uuid === undefined || !leadsOn) {
    return compare(sign, timestamp, dateTime(momentOf(name, moment ?? text, context)));
  }
  const at = dateTime(momentOf(name, moment, context));
  const further = and(compare('==', timestamp, at), compare(sign, field('uuid'), constant(uuid)));
  return or(compare(sign, timestamp, at), further);
}

function momentOf(name: string, text: string, { timezone, weekStartDay, now }: KindContext): number {
  const word = readDateWord(text, { zone: timeZone(timezone), weekStart: weekStartDay, now });
  if (word !== null) return word.isMoment ? word.exact + microsOf(text) : word.exact;
  const detail = `'${text.slice(0, 40)}' is not a valid ${name}: use a date and time, a date, or a relative date such as -24h.`;
  throw fail('invalid_input', { detail });
}

/** What a moment says beyond its milliseconds, as a part of one. */
function microsOf(text: string): number {
  return Number(/\.\d{3}(\d{3})/.exec(text)?.[1] ?? 0) / 1_000;
}
