import type { StoredEventJson } from '../../server/features/events/events.contract.ts';
import { request } from './http.ts';
import type { LiveEvent } from './live.api.ts';

export interface EventQuery {
  limit: number;
  event?: string;
  distinct_id?: string;
}

/** The newest stored events first, in the shape in which the live stream sends them. */
export async function listRecentEvents(projectId: number, query: EventQuery): Promise<LiveEvent[]> {
  const page = await request<{ results: StoredEventJson[] }>(`/api/projects/${projectId}/events/`, {
    query: { ...query },
  });
  return page.results.map(toLiveEvent);
}

/** Properties are JSON text in the listing (management contract 7.2). */
function toLiveEvent(stored: StoredEventJson): LiveEvent {
  const properties = JSON.parse(stored.properties) as Record<string, unknown>;
  return {
    id: stored.id,
    event: stored.event,
    distinct_id: stored.distinct_id,
    timestamp: stored.timestamp,
    received_at: null,
    properties,
    elements_chain: stored.elements_chain,
    lib: textOf(properties['$lib']),
    lib_version: textOf(properties['$lib_version']),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
