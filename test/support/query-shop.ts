import { expect, vi } from 'vitest';
import { PostHog } from 'posthog-node';
import { TEST_TOKEN, type TestApp, type TestResponse } from './test-app.ts';

/** An event of the shop: name, distinct id, ISO time, properties. */
export type ShopEvent = readonly [event: string, who: string, at: string, properties?: Properties];
type Properties = Readonly<Record<string, unknown>>;

/** Five days of a shop, in UTC; the clock of an app in tests is at 2026-11-20 09:30. */
export const SHOP: readonly ShopEvent[] = [
  [
    '$pageview',
    'ada',
    '2026-11-16T08:00:00.000Z',
    { $browser: 'Firefox', $current_url: 'https://shop.test/' },
  ],
  ['signup', 'ada', '2026-11-16T08:00:40.000Z', { plan: 'pro', seats: 3 }],
  [
    '$pageview',
    'bob',
    '2026-11-16T23:59:59.000Z',
    { $browser: 'Chrome', $current_url: 'https://shop.test/' },
  ],
  [
    '$pageview',
    'bob',
    '2026-11-17T00:00:00.000Z',
    { $browser: 'Chrome', $current_url: 'https://shop.test/plans' },
  ],
  ['signup', 'bob', '2026-11-17T00:01:20.000Z', { plan: 'free', seats: 1 }],
  ['$pageview', 'cy', '2026-11-18T12:00:00.000Z', { $browser: 'Safari', $current_url: 'https://shop.test/' }],
  [
    '$pageview',
    'ada',
    '2026-11-18T13:00:00.000Z',
    { $browser: 'Firefox', $current_url: 'https://shop.test/plans' },
  ],
  ['$pageview', 'dan', '2026-11-20T07:00:00.000Z', { $current_url: 'https://shop.test/' }],
  ['signup', 'dan', '2026-11-20T07:02:00.000Z', { plan: 'pro', seats: 8 }],
];

/** Sends events by posthog-node, whose clock says what the app's clock says. */
export async function sendBySdk(app: TestApp, events: readonly ShopEvent[] = SHOP): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now });
  try {
    const client = new PostHog(TEST_TOKEN, { host: app.url, flushAt: 1_000, flushInterval: 60_000 });
    const errors: unknown[] = [];
    client.on('error', (error) => errors.push(error));
    for (const [event, distinctId, at, properties = {}] of events)
      client.capture({ distinctId, event, timestamp: new Date(at), properties });
    await client.shutdown();
    expect(errors).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
}

/** Sends requests to project 1, as a script does. */
export async function post(app: TestApp, path: string, body: object): Promise<TestResponse> {
  return await app.ask(`/api/projects/1/${path}`, { method: 'POST', body });
}

/** The answer to a query, which must be 200. */
export async function answerTo(app: TestApp, query: object, more: object = {}): Promise<any> {
  const answer = await post(app, 'query/', { query, ...more });
  expect([answer.status, answer.text.slice(0, 400)]).toEqual([200, expect.anything()]);
  return answer.json;
}

/** How often something is there. */
export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
