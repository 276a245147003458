import { expect } from 'vitest';
import { TEST_TOKEN, type TestApp } from './test-app.ts';

export interface SentEvent {
  event?: string;
  distinct_id?: string;
  timestamp?: string;
  uuid?: string;
  properties?: object;
  [field: string]: unknown;
}

/** Sends events in one request as an SDK does, and waits until they are stored. By default they are named `seen`, by `u1`. */
export async function sendEvents(app: TestApp, events: SentEvent[], token = TEST_TOKEN): Promise<void> {
  const timestamp = new Date(app.clock.now).toISOString();
  const batch = events.map((event) => ({ event: 'seen', distinct_id: 'u1', timestamp, ...event }));
  const answer = await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: token, batch } });
  expect(answer.status).toBe(200);
}
