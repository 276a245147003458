import { expect } from 'vitest';
import { listPersons } from './app-persons.ts';
import { askHogql, type AskOptions } from './ask-hogql.ts';
import { sendEvents, type SentEvent } from './send-events.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/** A day of November 2026 at a time, in UTC. */
export function nov(day: number, time = '12:00:00'): string {
  return `2026-11-${String(day).padStart(2, '0')}T${time}Z`;
}

const page = (path: string, browser: string, more: object = {}): object => ({
  $pathname: path,
  $current_url: `https://shop.test${path}`,
  $browser: browser,
  ...more,
});

/**
 * A shop in November 2026. Lin came first without a name as `anon-1`. Mo has a session of an hour and a half, Sam one page. `ghost` never
 * said who it is.
 */
export const SHOP_EVENTS: readonly SentEvent[] = [
  {
    event: '$pageview',
    distinct_id: 'anon-1',
    timestamp: nov(1, '10:00:00'),
    properties: page('/', 'Firefox', { $session_id: 's1', utm_source: 'google', utm_medium: 'cpc' }),
  },
  {
    event: '$identify',
    distinct_id: 'lin',
    timestamp: nov(1, '10:05:00'),
    properties: { $anon_distinct_id: 'anon-1', $session_id: 's1', $set: { email: 'lin@shop.test', age: 31 } },
  },
  {
    event: 'bought',
    distinct_id: 'lin',
    timestamp: nov(1, '10:30:00'),
    properties: {
      amount: 20,
      gift: true,
      tags: ['a', 'b'],
      $session_id: 's1',
      $groups: { company: 'acme' },
      deep: { a: { b: 'down' } },
    },
  },
  {
    event: '$pageview',
    distinct_id: 'mo',
    timestamp: nov(2, '09:00:00'),
    properties: page('/shoes', 'Safari', { $session_id: 's2', $set: { email: 'mo@shop.test' } }),
  },
  {
    event: '$pageview',
    distinct_id: 'mo',
    timestamp: nov(2, '10:30:00'),
    properties: page('/cart', 'Safari', { $session_id: 's2' }),
  },
  {
    event: 'bought',
    distinct_id: 'mo',
    timestamp: nov(3, '12:00:00'),
    properties: { amount: 1200.5, gift: false, at: '2026-11-03T10:00:00Z', $groups: { company: 'zoo' } },
  },
  {
    event: 'bought',
    distinct_id: 'mo',
    timestamp: nov(3, '13:00:00'),
    properties: { amount: '15', note: 'said "hi"' },
  },
  {
    event: '$pageview',
    distinct_id: 'sam',
    timestamp: nov(4, '08:00:00'),
    properties: page('/', 'Firefox', { $session_id: 's3', $set: { age: 52 } }),
  },
  {
    event: 'bought',
    distinct_id: 'sam',
    timestamp: nov(4, '08:30:00'),
    properties: { amount: 'much', gift: null },
  },
  {
    event: '$pageview',
    distinct_id: 'ghost',
    timestamp: nov(5, '23:30:00'),
    properties: page('/shoes', 'Chrome'),
  },
  {
    event: '$groupidentify',
    distinct_id: 'lin',
    timestamp: nov(6),
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { size: 12, name: 'Acme' } },
  },
];

/** An app with the shop in project 1. */
export async function openShop(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [...SHOP_EVENTS]);
  return app;
}

/** Another project of the same file; its number and token. */
export async function addProject(app: TestApp): Promise<{ id: number; token: string }> {
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Other' },
  });
  expect(made.status).toBe(201);
  return { id: made.json.id, token: made.json.api_token };
}

const TYPES: Record<string, 'Numeric' | 'Boolean' | 'DateTime'> = {
  amount: 'Numeric',
  gift: 'Boolean',
  at: 'DateTime',
  age: 'Numeric',
  size: 'Numeric',
};
const OPTIONS: AskOptions = {
  propertyType: (_kind, name) => TYPES[name] ?? null,
  groupTypes: ['company'],
  cohort: (id) =>
    id === 5 || id === 'Known'
      ? {
          id: 5,
          sql: 'SELECT id FROM persons WHERE project_id = $mine AND is_identified',
          params: { mine: 1 },
        }
      : null,
  cohortIds: () => [5],
};

/** The shop, its persons' UUIDs by a distinct id, and the way to ask it. */
export async function openAskedShop() {
  const app = await openShop();
  const uuidOf = async (id: string) => [id, (await listPersons(app, `?distinct_id=${id}`))[0]!.uuid] as const;
  const uuids = new Map(await Promise.all(['lin', 'mo', 'sam', 'ghost'].map(uuidOf)));
  const ask = (text: string, options: AskOptions = {}) => askHogql(app, text, { ...OPTIONS, ...options });
  const rows = async (text: string, options: AskOptions = {}) => (await ask(text, options)).results;
  return { app, uuids, ask, rows };
}
