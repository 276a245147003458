import { askHogql } from './ask-hogql.ts';
import { trendsKind } from '../../server/features/query/kinds/trends/index.ts';
import { actorsOf, answerOf, openKindContext, type KindOptions } from './kind-context.ts';
import { sendEvents } from './send-events.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/** An event as the model sees it. */
export interface ModelEvent {
  event: string;
  who: string;
  /** ISO 8601, UTC. */
  at: string;
  properties: Readonly<Record<string, string | number | boolean | null>>;
  /** Key of the company it belongs to. */
  company?: string;
}

/** What is known of persons and companies. */
export const PERSONS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  lin: { plan: 'pro', age: 31 },
  mo: { plan: 'free', age: 52 },
  sam: { plan: 'free' },
  eve: {},
};
export const COMPANIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  acme: { tier: 'gold' },
  zoo: { tier: 'silver' },
};

function viewed(who: string, at: string, browser: string, load: number | null, session?: string): ModelEvent {
  return {
    event: '$pageview',
    who,
    at,
    properties: { $browser: browser, load, ...(session !== undefined && { $session_id: session }) },
  };
}

function bought(
  who: string,
  at: string,
  amount: number,
  variant: string | null,
  company?: string,
): ModelEvent {
  return {
    event: 'bought',
    who,
    at,
    properties: { amount, ...(variant !== null && { '$feature/checkout-v2': variant }) },
    ...(company !== undefined && { company }),
  };
}

/** Some weeks of a shop, of which the last is looked at most. */
export const MODEL_EVENTS: readonly ModelEvent[] = [
  bought('mo', '2026-10-12T08:00:00Z', 7, null),
  viewed('lin', '2026-10-28T09:00:00Z', 'Firefox', 80),
  bought('sam', '2026-11-07T22:30:00Z', 12, 'control', 'zoo'),
  viewed('eve', '2026-11-10T23:30:00Z', 'Safari', 310),
  viewed('lin', '2026-11-14T08:00:00Z', 'Firefox', 120, 's1'),
  bought('lin', '2026-11-14T08:10:00Z', 20, 'test', 'acme'),
  bought('lin', '2026-11-14T08:20:00Z', 30, 'test', 'acme'),
  viewed('mo', '2026-11-14T23:15:00Z', 'Safari', 90.5, 's2'),
  viewed('mo', '2026-11-14T23:45:00Z', 'Safari', 200, 's2'),
  bought('mo', '2026-11-15T10:00:00Z', 5.5, 'control', 'zoo'),
  viewed('sam', '2026-11-16T12:00:00Z', 'Chrome', 100, 's3'),
  viewed('sam', '2026-11-16T12:01:00Z', '', 60, 's3'),
  viewed('lin', '2026-11-16T22:59:00Z', 'Chrome', null, 's4'),
  bought('sam', '2026-11-17T00:30:00Z', 40, 'test', 'acme'),
  bought('lin', '2026-11-17T05:00:00Z', 10, null, 'acme'),
  viewed('eve', '2026-11-19T23:10:00Z', 'Edge', 70, 's5'),
  bought('eve', '2026-11-19T23:20:00Z', 15, 'control'),
  bought('mo', '2026-11-20T08:00:00Z', 2.5, 'test', 'zoo'),
];

/** An app whose project 1 has the events of the model. */
export async function openModelApp(events: readonly ModelEvent[] = MODEL_EVENTS): Promise<TestApp> {
  const app = await openTestApp();
  const groups = Object.entries(COMPANIES).map(([key, set]) => ({
    event: '$groupidentify',
    distinct_id: 'setup',
    timestamp: '2020-01-01T00:00:00Z',
    properties: { $group_type: 'company', $group_key: key, $group_set: set },
  }));
  const persons = Object.entries(PERSONS).map(([who, set]) => ({
    event: '$set',
    distinct_id: who,
    timestamp: '2020-01-01T00:00:00Z',
    properties: { $set: set },
  }));
  const sent = events.map(({ event, who, at, properties, company }) => ({
    event,
    distinct_id: who,
    timestamp: at,
    properties: { ...properties, ...(company !== undefined && { $groups: { company } }) },
  }));
  await sendEvents(app, [...groups, ...persons, ...sent]);
  return app;
}

/** A series of an answer, as far as tests look at it. */
export interface TrendSeries {
  label: string;
  data: number[];
  labels: string[];
  days: string[];
  count: number;
  aggregated_value?: number;
  breakdown_value?: unknown;
  compare?: boolean;
  compare_label?: string;
  action: Record<string, unknown> | null;
}

/** Computes a trend of project 1 of an app. */
export async function askTrend(
  app: TestApp,
  query: object,
  options: KindOptions = {},
): Promise<{ results: TrendSeries[]; hasMore: boolean; resolved_date_range: object }> {
  const context = await openKindContext(app, options);
  const full = trendsKind.schema.parse({ kind: 'TrendsQuery', ...query });
  return (await answerOf(trendsKind, full, context)) as never;
}

/** The distinct ids, or group keys, behind a point, in the order of the alphabet. */
export async function trendActors(app: TestApp, query: object, point: object): Promise<string[]> {
  const context = await openKindContext(app);
  const { select, groupTypeIndex } = await actorsOf(
    trendsKind,
    trendsKind.schema.parse({ kind: 'TrendsQuery', ...query }),
    point,
    context,
  );
  const { results } = await askHogql(app, select);
  const ids = results.map(([id]) => String(id));
  if (groupTypeIndex !== null) return ids.toSorted();
  const rows = await app.store.db.all<{ uuid: string; id: string }>(
    `SELECT p.uuid::VARCHAR AS uuid, d.distinct_id AS id FROM persons p JOIN person_distinct_ids d ON d.person_id = p.id`,
  );
  return ids.map((uuid) => rows.find((row) => row.uuid === uuid)!.id).toSorted();
}

/** The local time of a moment, by Intl: `2026-11-14 09:00:00`. */
export function localTime(at: string | number, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return format.format(new Date(at));
}

/** Days of the calendar from one to another, both included: `2026-11-14`. */
export function daysFrom(first: string, last: string): string[] {
  const days = [];
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += 86_400_000) {
    days.push(new Date(ms).toISOString().slice(0, 10));
  }
  return days;
}

/** Events by the local day on which they happened, in the order of the days. */
export function byDay(events: readonly ModelEvent[], days: readonly string[], zone: string): ModelEvent[][] {
  return days.map((day) => events.filter(({ at }) => localTime(at, zone).startsWith(day)));
}

/** The number below which a share of others lie, with straight lines between them; 0 of none. */
export function quantileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
}

/** What is different, once. */
export function different<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** Numbers as tests compare them: to nine digits, because sums of fractions depend on their order. */
export function rounded(numbers: readonly number[]): number[] {
  return numbers.map((number) => Number(number.toFixed(9)));
}
