import { expect } from 'vitest';
import { storedEventPage } from '../../server/features/events/events.contract.ts';
import { PATIENCE_MS } from './patience.ts';
import { TEST_TOKEN, type TestApp } from './test-app.ts';

export const EVENTS = '/api/projects/1/events/';
/** The time of an event that names none, Unix milliseconds. */
export const T0 = Date.UTC(2026, 10, 1);

export interface Sent {
  event?: string;
  distinct_id?: string;
  timestamp?: string;
  uuid?: string;
  properties?: object;
}

/** ISO text of a time some seconds after T0. */
export function iso(seconds: number): string {
  return new Date(T0 + seconds * 1000).toISOString();
}

/** Sends events to the app as an SDK does; what is not given is `seen` by `u1` at T0. */
export async function send(app: TestApp, events: Sent[], token = TEST_TOKEN): Promise<void> {
  const batch = events.map((event) => ({ event: 'seen', distinct_id: 'u1', timestamp: iso(0), ...event }));
  const answer = await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: token, batch } });
  expect(answer.status).toBe(200);
}

/** Moves everything that has arrived to where compaction puts it. */
export async function settle(app: TestApp): Promise<void> {
  // Past the hold of the stream to a warehouse.
  await app.app.features.warehouse?.caughtUp(PATIENCE_MS);
  await app.store.db.transaction(async (tx) => {
    await tx.run('INSERT INTO events SELECT * FROM recent_events');
    await tx.run('DELETE FROM events_recent');
  });
}

/** A page of the list. */
export async function list(app: TestApp, search = '') {
  const answer = await app.ask(`${EVENTS}${search}`);
  expect(answer.status).toBe(200);
  return storedEventPage.parse(answer.json);
}

/** The names of all events, page by page. */
export async function walk(app: TestApp, search: string): Promise<string[]> {
  const names: string[] = [];
  let path: string | null = `${EVENTS}${search}`;
  while (path !== null) {
    const page = storedEventPage.parse((await app.ask(path)).json);
    names.push(...page.results.map(({ event }) => event));
    path = page.next === null ? null : page.next.slice(app.url.length);
  }
  return names;
}
