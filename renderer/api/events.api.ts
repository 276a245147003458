import { request } from './http.ts';
import type { LiveEvent } from './live.api.ts';

/** An event as the listing answers it: properties are JSON text there (management contract 7.2). */
interface StoredEvent {
  id: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: string;
  elements_chain: string;
}

export interface EventQuery {
  limit: number;
  event?: string;
  distinct_id?: string;
}

/** The newest stored events first, in the shape in which the live stream sends them. */
export async function listRecentEvents(projectId: number, query: EventQuery): Promise<LiveEvent[]> {
  const page = await request<{ results: StoredEvent[] }>(`/api/projects/${projectId}/events/`, {
    query: { ...query },
  });
  return page.results.map(toLiveEvent);
}

function toLiveEvent(stored: StoredEvent): LiveEvent {
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
