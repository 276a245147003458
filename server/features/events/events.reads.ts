import type { Analytics, Params, QueryOptions } from '../../db/db.ts';
import type { Cursor, EventPage } from './event-page.ts';
import type { EventRow } from './event-row.ts';

const EVENT = `uuid, event, distinct_id AS "distinctId", timestamp, properties, elements_chain AS "elementsChain"`;

/**
 * The events of a page and, when there are more, one beyond it; in pieces, so that a long page neither fills the memory
 * nor holds up other requests. The first rows of `events` and of what has just arrived
 * are taken apart and merged: ordering their union would read all of it (4 ms against 46 ms at 3 million events).
 */
export function streamEvents(
  analytics: Analytics,
  projectId: number,
  page: EventPage,
  options: QueryOptions,
): AsyncIterable<EventRow[]> {
  const { conditions, params } = conditionsOf(projectId, page);
  const direction = page.isAscending ? 'ASC' : 'DESC';
  const order = `ORDER BY timestamp ${direction}, uuid ${direction}`;
  // Counts stand in the text because DuckDB keeps only the first rows while sorting when it knows how many; both are
  // whole numbers checked by the contract.
  const wanted = page.limit + 1;
  const first = (source: string): string =>
    `(SELECT uuid, event, distinct_id, timestamp, properties, elements_chain FROM ${source} WHERE ${conditions.join(' AND ')} ${order} LIMIT ${wanted + page.offset})`;
  const sql = `SELECT ${EVENT} FROM (${first('events')} UNION ALL ${first('recent_events')})
    ${order} LIMIT ${wanted} OFFSET ${page.offset}`;
  return analytics.stream<EventRow>(sql, params, options);
}

/** An event of the project, or null. */
export async function findEvent(
  analytics: Analytics,
  projectId: number,
  uuid: string,
  options: QueryOptions,
): Promise<EventRow | null> {
  const rows = await analytics.all<EventRow>(
    `SELECT ${EVENT} FROM all_events WHERE project_id = $projectId AND uuid = $uuid::UUID LIMIT 1`,
    { projectId, uuid },
    options,
  );
  return rows[0] ?? null;
}

function conditionsOf(projectId: number, page: EventPage): { conditions: string[]; params: Params } {
  const conditions = ['project_id = $projectId'];
  const params: Record<string, Params[string]> = { projectId };
  const add = (name: string, value: string | null, condition: string): void => {
    if (value === null) return;
    conditions.push(condition);
    params[name] = value;
  };
  const addEdge = (name: string, sign: '<' | '>', edge: Cursor | null): void => {
    if (edge === null) return;
    params[name] = edge.timestamp;
    const instant = `make_timestamp($${name})`;
    if (edge.uuid === null) {
      conditions.push(`timestamp ${sign} ${instant}`);
      return;
    }
    params[`${name}Id`] = edge.uuid;
    // The first condition says nothing new; by it whole blocks of the file are passed over unread.
    conditions.push(`timestamp ${sign}= ${instant}`);
    conditions.push(`(timestamp ${sign} ${instant} OR uuid ${sign} $${name}Id::UUID)`);
  };
  add('event', page.event, 'event = $event');
  add('distinctId', page.distinctId, 'distinct_id = $distinctId');
  addEdge('before', '<', page.before);
  addEdge('after', '>', page.after);
  return { conditions, params };
}
