import { expect, test } from 'vitest';
import { askHogql } from '../../../../../test/support/ask-hogql.ts';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import {
  answerOf,
  actorsOf,
  openKindContext,
  type KindOptions,
} from '../../../../../test/support/kind-context.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import { daysFrom, localTime, type TrendSeries } from '../../../../../test/support/trends-model.ts';
import { lifecycleKind } from './index.ts';

interface Visit {
  who: string;
  at: string;
  company?: string;
}

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const;
const visit = (who: string, at: string, company?: string): Visit => ({
  who,
  at,
  ...(company && { company }),
});

/** In the order in which they are sent: who has a profile came to be with the first. `ghost` and `spook` have none. */
const VISITS: Visit[] = [
  visit('ann', '2026-10-22T10:00:00Z', 'acme'),
  visit('ann', '2026-10-23T10:00:00Z'),
  visit('ann', '2026-10-25T22:30:00Z', 'acme'),
  visit('ann', '2026-10-25T23:30:00Z', 'acme'),
  visit('bob', '2026-10-24T22:30:00Z', 'zoo'),
  visit('bob', '2026-10-26T10:00:00Z', 'zoo'),
  // What was sent later and happened before does not make him older.
  visit('bob', '2026-10-22T09:00:00Z'),
  visit('cid', '2026-10-24T12:00:00Z'),
  visit('cid', '2026-10-27T12:00:00Z'),
  visit('cid', '2026-10-28T12:00:00Z', 'zoo'),
  visit('ghost', '2026-09-02T12:00:00Z'),
  visit('ghost', '2026-10-26T12:00:00Z'),
  visit('spook', '2026-10-25T12:00:00Z'),
  visit('spook', '2026-10-26T12:00:00Z'),
  visit('dan', '2026-09-15T12:00:00Z'),
  visit('dan', '2026-11-03T12:00:00Z'),
];
const WITHOUT_PROFILE = ['ghost', 'spook'];
/** Events without a profile are not counted. */
const COUNTED = VISITS.filter(({ who }) => !WITHOUT_PROFILE.includes(who));
const CREATED: Record<string, string> = {};
for (const { who, at } of COUNTED) CREATED[who] ??= at;

async function openApp(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    {
      event: '$groupidentify',
      distinct_id: 'setup',
      timestamp: '2026-10-01T00:00:00Z',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { tier: 'gold' } },
    },
    ...VISITS.map(({ who, at, company }) => ({
      event: 'visit',
      distinct_id: who,
      timestamp: at,
      properties: {
        ...(WITHOUT_PROFILE.includes(who) && { $process_person_profile: false }),
        ...(company && { $groups: { company } }),
      },
    })),
  ]);
  return app;
}

async function ask(app: TestApp, query: object, options: KindOptions = {}) {
  const context = await openKindContext(app, options);
  const series = [{ kind: 'EventsNode', event: 'visit' }];
  const full = lifecycleKind.schema.parse({ kind: 'LifecycleQuery', series, ...query });
  const results = (await answerOf(lifecycleKind, full, context)).results as (TrendSeries & {
    status: string;
  })[];
  const who = async (point: object): Promise<unknown[]> => {
    const { select, groupTypeIndex } = await actorsOf(lifecycleKind, full, point, context);
    const ids = (await askHogql(app, select, options)).results.map(([id]) => id);
    if (groupTypeIndex !== null) return ids.toSorted();
    const { results: known } = await askHogql(
      app,
      'select person_id, any(distinct_id) from events group by person_id',
    );
    return known
      .filter(([id]) => ids.includes(id!))
      .map(([, name]) => name)
      .toSorted();
  };
  return { results, who };
}

/** Who has which status in each interval; the first interval is the one before those that are shown. */
function model(
  names: readonly string[],
  nameOf: (at: string) => string,
  actorOf: (visit: Visit) => string | undefined = ({ who }) => who,
  created: Record<string, string> = CREATED,
): Record<(typeof STATUSES)[number], string[][]> {
  const actors = [...new Set(COUNTED.map(actorOf).filter((actor) => actor !== undefined))].toSorted();
  const seenIn = (actor: string, at: number): boolean =>
    COUNTED.some((one) => actorOf(one) === actor && nameOf(one.at) === names[at]);
  const statusOf = (actor: string, at: number): string | null => {
    const [now, before] = [seenIn(actor, at), seenIn(actor, at - 1)];
    if (!now) return before ? 'dormant' : null;
    const isFirst = names.slice(0, at).every((_, earlier) => !seenIn(actor, earlier));
    if (isFirst && nameOf(created[actor]!) === names[at]) return 'new';
    return before ? 'returning' : 'resurrecting';
  };
  const of = (status: string): string[][] =>
    names.slice(1).map((_, at) => actors.filter((actor) => statusOf(actor, at + 1) === status));
  return {
    new: of('new'),
    returning: of('returning'),
    resurrecting: of('resurrecting'),
    dormant: of('dormant'),
  };
}

function numbers(of: ReturnType<typeof model>): [string, number[]][] {
  return STATUSES.map((status) => [
    status,
    of[status].map((actors) => (status === 'dormant' && actors.length > 0 ? -actors.length : actors.length)),
  ]);
}

const DAYS = daysFrom('2026-10-22', '2026-10-29');
const BERLIN_DAY = (at: string): string => localTime(at, 'Europe/Berlin').slice(0, 10);
const RANGE = { date_from: '2026-10-23', date_to: '2026-10-29' };

test('M9.9.2 lifecycle counts new, returning, resurrecting and dormant persons, also over clock changes', async () => {
  const app = await openApp();
  const { results, who } = await ask(app, { dateRange: RANGE }, { timezone: 'Europe/Berlin' });
  const expected = model(DAYS, BERLIN_DAY);
  expect(results.map(({ status, data }) => [status, data])).toEqual(numbers(expected));
  expect(results[3]).toMatchObject({ label: 'visit - dormant', days: DAYS.slice(1) });
  expect(results[0]!.labels[0]).toBe('23-Oct-2026');
  for (const status of STATUSES) {
    expect(expected[status].flat().length, status).toBeGreaterThan(0);
    for (const [at, day] of DAYS.slice(1).entries()) {
      expect(await who({ day, status }), `${status} ${day}`).toEqual(expected[status][at]);
    }
  }
  expect(await who({ status: 'new' })).toEqual([...new Set(expected.new.flat())].toSorted());
  await expect(who({ day: '2026-10-22', status: 'new' })).rejects.toThrow('does not have the interval');
});

test('M9.9.2 lifecycle has intervals of hours, days, weeks and months', async () => {
  const app = await openApp();
  const intervals = ['hour', 'day', 'week', 'month'] as const;
  const table = createCoverageTable('Intervals of lifecycle', intervals);
  const week = (at: string): string =>
    String(Math.floor((Date.parse(at) - Date.parse('2026-10-04T00:00:00Z')) / (7 * 86_400_000)));
  const hours = (day: string, before: string): string[] => [
    `${before}T23`,
    ...Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}`),
  ];
  const cases: [(typeof intervals)[number], object, string[], (at: string) => string][] = [
    [
      'hour',
      { date_from: '2026-10-25', date_to: '2026-10-25T23:59:59' },
      hours('2026-10-25', '2026-10-24'),
      (at) => at.slice(0, 13),
    ],
    [
      'hour',
      { date_from: '2026-10-22', date_to: '2026-10-22T23:59:59' },
      hours('2026-10-22', '2026-10-21'),
      (at) => at.slice(0, 13),
    ],
    ['day', RANGE, DAYS, (at) => at.slice(0, 10)],
    ['day', { date_from: '2026-10-25', date_to: '2026-10-27' }, DAYS.slice(2, 6), (at) => at.slice(0, 10)],
    ['week', { date_from: '2026-10-18', date_to: '2026-11-07' }, ['1', '2', '3', '4'], week],
    ['week', { date_from: '2026-10-27', date_to: '2026-11-07' }, ['2', '3', '4'], week],
    [
      'month',
      { date_from: '2026-09-01', date_to: '2026-11-30' },
      ['2026-08', '2026-09', '2026-10', '2026-11'],
      (at) => at.slice(0, 7),
    ],
    [
      'month',
      { date_from: '2026-10-10', date_to: '2026-11-30' },
      ['2026-09', '2026-10', '2026-11'],
      (at) => at.slice(0, 7),
    ],
  ];
  for (const [interval, dateRange, names, nameOf] of cases) {
    const { results } = await ask(app, { interval, dateRange });
    expect(
      results.map(({ status, data }) => [status, data]),
      `${interval} ${JSON.stringify(dateRange)}`,
    ).toEqual(numbers(model(names, nameOf)));
    table.saw(interval);
  }
  expect(table.missing()).toEqual([]);
});

test('M9.9.2 lifecycle counts groups, and shows only the toggled statuses', async () => {
  const app = await openApp();
  const series = [{ kind: 'EventsNode', event: 'visit', math: 'unique_group', math_group_type_index: 0 }];
  // The one is known since the beginning of October, the other by its first event alone.
  const created = { acme: '2026-10-01T00:00:00Z', zoo: '2026-10-24T22:30:00Z' };
  const expected = model(
    DAYS,
    (at) => at.slice(0, 10),
    ({ company }) => company,
    created,
  );
  const { results, who } = await ask(app, { series, dateRange: RANGE });
  expect(results.map(({ status, data }) => [status, data])).toEqual(numbers(expected));
  expect(await who({ day: '2026-10-24', status: 'new' })).toEqual(['zoo']);
  const toggled = await ask(app, {
    dateRange: RANGE,
    lifecycleFilter: { toggledLifecycles: ['dormant', 'new'] },
  });
  expect(toggled.results.map(({ status }) => status)).toEqual(['new', 'dormant']);
});

test('M9.9.2 lifecycle by minutes has as many points as there are minutes', async () => {
  const app = await openTestApp();
  const minutes = Array.from({ length: 40 * 1440 }, (_, at) => at);
  const start = Date.parse('2026-10-01T00:00:00Z');
  const seen = [0, 1, 14_400, 57_599];
  await sendEvents(
    app,
    seen.map((at) => ({ event: 'visit', timestamp: new Date(start + at * 60_000).toISOString() })),
  );
  const dateRange = { date_from: '2026-10-01', date_to: '2026-11-09' };
  await expect(ask(app, { interval: 'minute', dateRange })).rejects.toThrow('more than 50000 data points');
  const { results } = await ask(app, {
    interval: 'minute',
    dateRange: { ...dateRange, date_to: '2026-11-03T23:59:59' },
  });
  const expected = minutes
    .slice(0, 34 * 1440)
    .map((at) => (seen.includes(at - 1) && !seen.includes(at) ? -1 : 0));
  expect(results[3]!.data).toEqual(expected);
  expect(results.map(({ count }) => count)).toEqual([1, 1, 1, -2]);
});
