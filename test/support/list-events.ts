import { expect, vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';
import type { RunningServer } from './start-server.ts';

/** An event as `GET P/events/` lists it, its JSON texts parsed. */
export interface ListedEvent {
  id: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
  elements_chain: string;
}

interface Page {
  next: string | null;
  results: (Omit<ListedEvent, 'properties'> & { properties: string })[];
}

type Listing = Pick<RunningServer, 'url' | 'personalApiKey' | 'projectId'>;

/** All stored events that match `query`, newest first, collected by following `next` to the end. */
export async function listEvents(
  server: Listing,
  query: Readonly<Record<string, string>> = {},
): Promise<ListedEvent[]> {
  const events: ListedEvent[] = [];
  let next: string | null =
    `${server.url}/api/projects/${server.projectId}/events/?${new URLSearchParams(query)}`;
  while (next !== null) {
    const page: Page = await getJson<Page>(server, next);
    for (const row of page.results) {
      events.push({ ...row, properties: JSON.parse(row.properties) as Record<string, unknown> });
    }
    next = page.next;
  }
  return events;
}

/** Waits until an event of that name is stored, and returns all of that name. An SDK in a page sends when it likes. */
export async function waitForEvent(server: Listing, event: string): Promise<ListedEvent[]> {
  return vi.waitFor(
    async () => {
      const found = await listEvents(server, { event });
      expect(found, event).not.toEqual([]);
      return found;
    },
    { timeout: PATIENCE_MS },
  );
}

async function getJson<T>(server: Listing, url: string): Promise<T> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${server.personalApiKey}` } });
  if (!answer.ok) throw new Error(`GET ${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
