import type { RunningServer } from '../support/start-server.ts';

const PAGE = 50_000;

export interface StoredEvent {
  id: string;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
}

interface Page {
  next: string | null;
  results: { id: string; event: string; distinct_id: string; properties: string }[];
}

/** All stored events of that name, by walking `GET P/events/` along `next`. */
export async function walkEvents(server: RunningServer, event: string): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  let url: string | null = eventsUrl(server, { event, limit: PAGE });
  while (url !== null) {
    const page: Page = await readPage(server, url);
    for (const row of page.results) found.push({ ...row, properties: JSON.parse(row.properties) });
    url = page.next;
  }
  return found;
}

/** Whether there are exactly `count` events of that name; reads two rows at most. */
export async function isStoredExactly(server: RunningServer, event: string, count: number): Promise<boolean> {
  const rowAt = async (offset: number): Promise<number> =>
    (await readPage(server, eventsUrl(server, { event, limit: 1, offset }))).results.length;
  return (count === 0 || (await rowAt(count - 1)) === 1) && (await rowAt(count)) === 0;
}

function eventsUrl(server: RunningServer, query: Record<string, string | number>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return `${server.url}/api/projects/${server.projectId}/events/?${search}`;
}

async function readPage(server: RunningServer, url: string): Promise<Page> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${server.personalApiKey}` } });
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
}
