import { parseExactJson } from '../../server/http/exact-json.contract.ts';
import type { StoredEventJson } from '../../server/features/events/events.contract.ts';
import { api } from './client.ts';
import { request } from './http.ts';
import type { LiveEvent } from './live.api.ts';

export interface EventQuery {
  limit: number;
  event?: string | undefined;
  distinct_id?: string;
  /** A person's UUID. */
  person_id?: string;
  /** Property filters as JSON (management contract 7.1). */
  properties?: string;
}

/** Stored events in the shape in which the live stream sends them; `next` is the address of those before them. */
export interface EventPage {
  events: LiveEvent[];
  next: string | null;
}

interface Listing {
  next: string | null;
  results: StoredEventJson[];
}

/** The newest stored events first. */
export async function listEvents(projectId: number, query: EventQuery): Promise<EventPage> {
  return toPage((await api.get('P/events/', { projectId, query })) as Listing);
}

/** The page of another page's `next`, loaded from the origin of this page. */
export async function listEventsAt(next: string): Promise<EventPage> {
  const { pathname, search } = new URL(next);
  return toPage(await request<Listing>(pathname + search));
}

/** The newest stored events, without the way to those before them. */
export async function listRecentEvents(projectId: number, query: EventQuery): Promise<LiveEvent[]> {
  return (await listEvents(projectId, query)).events;
}

function toPage({ next, results }: Listing): EventPage {
  return { next, events: results.map(toLiveEvent) };
}

/** Properties are JSON text in the listing (management contract 7.2). */
function toLiveEvent(stored: StoredEventJson): LiveEvent {
  const properties = parseExactJson(stored.properties) as Record<string, unknown>;
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
