import { askQuery } from '../../api/query.api.ts';
import {
  columnLabel,
  expressionOf,
  PERSON_COLUMN,
  sentQuery,
  type EventsQuery,
} from '../../insights/events-query.ts';
import { hogqlName } from '../../ui/hogql-name.ts';

interface Bounds {
  after: string;
  before?: string;
}

/** Rows of a file. */
export const FILE_ROWS = 100_000;
const SQL_ROWS = 100;

/**
 * The columns of a query without objects, which a file and SQL do not have: of a person the distinct ID and the email address.
 * A label is the name of its column.
 */
function plainColumns({ select }: Pick<EventsQuery, 'select'>): string[] {
  const columns = select.flatMap((column) => {
    if (column === PERSON_COLUMN) return ['distinct_id', 'person.properties.email'];
    const expression = expressionOf(column);
    return [expression === column.trim() ? column : `${expression} AS ${hogqlName(columnLabel(column))}`];
  });
  return [...new Set(columns)];
}

/** The query of a file with all of the events, up to a limit. */
export function fileQuery(query: EventsQuery, bounds: Bounds): { kind: string; [key: string]: unknown } {
  return { ...sentQuery(query), ...bounds, select: ['uuid', ...plainColumns(query)], limit: FILE_ROWS };
}

/** The same events as HogQL, as the server writes it. By two orders it has no columns for the next page. */
export async function eventsInSql(projectId: number, query: EventsQuery, bounds: Bounds): Promise<string> {
  const orderBy = query.orderBy.length === 1 ? [...query.orderBy, 'uuid'] : query.orderBy;
  const sent = {
    ...sentQuery({ ...query, orderBy }),
    ...bounds,
    select: plainColumns(query),
    limit: SQL_ROWS,
  };
  const { hogql } = await askQuery(projectId, sent);
  return (hogql ?? '').replace(/ OFFSET 0$/, '').replaceAll(/ (FROM|WHERE|ORDER BY|LIMIT) /g, '\n$1 ');
}

/** The same events counted over time, as the JSON of an address of an insight. */
export function trendOf({ events, properties, after, before, filterTestAccounts }: EventsQuery): string {
  const names = events.length === 0 ? [null] : events;
  return JSON.stringify({
    kind: 'TrendsQuery',
    series: names.map((event) => ({ kind: 'EventsNode', event, math: 'total' })),
    interval: 'day',
    dateRange: { date_from: after, ...(before !== null && { date_to: before }) },
    ...(properties.length > 0 && { properties }),
    ...(filterTestAccounts && { filterTestAccounts }),
  });
}
