import { and, compare, constant, dateTime, field, from, select, tuple } from '../../hogql/build.ts';
import { fail } from '../../errors.ts';
import { eventColumn } from './kinds/events/columns.ts';
import { exprsOf, shownRows, isAggregate } from './table-columns.ts';
import type { KindContext } from './query-kind.ts';
import type { PreparedQuery, ProjectContext } from './project-context.ts';

/** A range of event timestamps, in Unix milliseconds. */
export interface EventSpan {
  readonly from: number | null;
  readonly to: number;
}

/** The row limit of a statement that becomes a subquery. */
export const ALL_ROWS = 1_000_000_000_000;
const EVENTS_AT_ONCE = 1_000;

/** The ids of the events of a span for which all expressions hold, as a SELECT of one column `c0`. Throws HogqlError. */
export async function matchingEvents(
  { known, compile }: ProjectContext,
  texts: readonly string[],
  { from: start, to }: EventSpan,
): Promise<PreparedQuery> {
  const timestamp = field('timestamp');
  const conditions = await Promise.all(texts.map((text) => known.parse.expression(text)));
  return await compile(
    select({
      select: [field('uuid')],
      from: from('events'),
      where: and(
        ...(start === null ? [] : [compare('>=', timestamp, dateTime(start))]),
        compare('<=', timestamp, dateTime(to)),
        ...conditions,
      ),
    }),
    ALL_ROWS,
  );
}

/** The values of expressions for events, in the order of the events. Throws invalid_input for an aggregation. */
export async function eventValues(
  context: KindContext,
  texts: readonly string[],
  events: readonly { uuid: string; timestamp: string }[],
): Promise<Record<string, unknown>[]> {
  const columns = await Promise.all(texts.map((text) => eventColumn(text, context)));
  const counting = columns.find(({ exprs }) => exprs.some(isAggregate));
  if (counting !== undefined) {
    const detail = `'${counting.name}' is an aggregation and cannot be combined with expressions per event.`;
    throw fail('invalid_input', { attr: 'select', detail });
  }
  const found: Record<string, unknown>[] = [];
  for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
    const piece = events.slice(at, at + EVENTS_AT_ONCE);
    const times = piece.map(({ timestamp }) => Date.parse(timestamp));
    const table = await context.runQuery(
      select({
        select: [...exprsOf(columns), field('uuid')],
        from: from('events'),
        where: and(
          compare('in', field('uuid'), tuple(...piece.map(({ uuid }) => constant(uuid)))),
          compare('>=', field('timestamp'), dateTime(Math.min(...times))),
          compare('<=', field('timestamp'), dateTime(Math.max(...times) + 1)),
        ),
      }),
    );
    const rows = shownRows(columns, table, 'UTC');
    const byId = new Map(table.rows.map((row, index) => [row.at(-1), rows[index]!]));
    found.push(
      ...piece.map(({ uuid }) =>
        Object.fromEntries(texts.map((text, column) => [text, byId.get(uuid)?.[column] ?? null])),
      ),
    );
  }
  return found;
}
