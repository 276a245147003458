import { fail } from '../../../../errors.ts';
import type { Expr, OrderExpr, Query } from '../../../../hogql/ast.ts';
import { and, call, field, from, order, select } from '../../../../hogql/build.ts';
import { defineKind, type KindContext, type Table } from '../../query-kind.ts';
import { isAggregate } from '../find-aggregate.ts';
import { pageOf } from '../page-of.ts';
import { readOrders } from '../read-order.ts';
import { eventsQuery, type EventsQuery } from '../table-kinds.contract.ts';
import { exprsOf, shownRows, shownTypes, type ShownColumn } from '../table-columns.ts';
import { eventColumn } from './event-columns.ts';
import { conditionsOf } from './event-conditions.ts';

const TIMESTAMP = 'timestamp';

/** Events as a table, or what they add up to (management contract 9.9). */
export const eventsKind = defineKind({
  kind: 'EventsQuery',
  schema: eventsQuery,
  table: async (query, context) => (await planOf(query, context)).tree,
  async answer(query, context) {
    const { tree, columns, byTime } = await planOf(query, context);
    const table = await context.runQuery(tree);
    return {
      results: shownRows(columns, table),
      columns: columns.map(({ name }) => name),
      types: shownTypes(columns, table.columns),
      hasMore: table.hasMore,
      limit: table.limit,
      offset: table.offset,
      nextCursor: byTime === null ? null : cursorOf(table),
    };
  },
});

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
  const tree = select({
    // A file has all rows, and no next page.
    select: [...exprsOf(columns), ...(byTime === null || context.isExport ? [] : CURSOR)],
    from: from('events'),
    where: and(...(await conditionsOf(query, context, byTime))),
    ...(isGrouped ? { groupBy: groupsOf(columns) } : {}),
    orderBy: byTime === null ? orderBy : [...orderBy, order(field('uuid'), byTime)],
    ...pageOf(query, context),
  });
  return { tree, columns, byTime };
}

/** The moment and the id of an event, which no other event has, stand at the end of each row. */
const CURSOR: Expr[] = [field(TIMESTAMP), call('toString', field('uuid'))];

function cursorOf({ rows, hasMore }: Table): string | null {
  return hasMore ? (rows.at(-1)?.slice(-CURSOR.length).join('_') ?? null) : null;
}

async function ordersOf(
  { orderBy }: EventsQuery,
  context: KindContext,
  aggregates: readonly Expr[],
): Promise<OrderExpr[]> {
  if (orderBy !== null && orderBy !== undefined && orderBy.length > 0)
    return await readOrders(orderBy, context);
  return [order(aggregates[0] ?? field(TIMESTAMP), 'DESC')];
}

/** The direction of an order by time alone; null for any other. */
function timeOrderOf(orders: readonly OrderExpr[]): 'ASC' | 'DESC' | null {
  const [first, ...rest] = orders;
  if (first === undefined || rest.length > 0 || first.expr.node !== 'Field') return null;
  return first.expr.chain.join('.') === TIMESTAMP ? first.order : null;
}

function groupsOf(columns: readonly ShownColumn[]): Expr[] {
  const object = columns.find(({ read }) => read !== undefined);
  if (object !== undefined) {
    const detail = `'${object.name}' is an expression per event and cannot be combined with aggregations.`;
    throw fail('invalid_input', { detail });
  }
  return columns.flatMap(({ exprs }) => exprs.filter((expr) => !isAggregate(expr)));
}
