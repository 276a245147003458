import type { RouteLocationRaw } from 'vue-router';
import { eventsQueryOf } from './events-query.ts';
import { sqlOf } from './hogql/sql-node.ts';

/** Where a stored insight is edited: SQL and lists of events have screens of their own. */
export function insightLink(projectId: number, shortId: string, query: unknown): RouteLocationRaw {
  if (sqlOf(query)) return { name: 'sql', params: { projectId, insightId: shortId } };
  if (eventsQueryOf(query)) return { name: 'explore', params: { projectId, viewId: shortId } };
  return { name: 'insight', params: { projectId, insightId: shortId } };
}
