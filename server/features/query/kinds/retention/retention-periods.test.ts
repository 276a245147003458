import { expect, test } from 'vitest';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import {
  askRetention,
  countsOf,
  modelCounts,
  modelRetention,
  type RetentionModel,
} from '../../../../../test/support/retention-model.ts';
import { openModelApp, type ModelEvent } from '../../../../../test/support/trends-model.ts';

function did(event: string, who: string, at: string, plan?: string): ModelEvent {
  return { event, who, at, properties: plan === undefined ? {} : { plan } };
}

const open = (who: string, at: string, plan?: string): ModelEvent => did('open', who, at, plan);
const edit = (who: string, at: string): ModelEvent => did('edit', who, at);

/** Around both changes of the clocks of Europe/Berlin, and in the weeks and months beside them. */
const EVENTS: ModelEvent[] = [
  open('lin', '2025-12-03T10:00:00Z', 'free'),
  open('mo', '2026-01-31T23:30:00Z', 'pro'),
  edit('mo', '2026-02-14T09:00:00Z'),
  open('lin', '2026-02-28T22:59:00Z', 'pro'),
  open('lin', '2026-02-28T23:01:00Z', 'pro'),
  open('sam', '2026-03-08T08:00:00Z', 'pro'),
  edit('sam', '2026-03-15T12:00:00Z'),
  edit('lin', '2026-03-22T11:00:00Z'),
  // A Saturday, midnight of which is 23:00 UTC, and a Sunday of 23 hours, whose midnight is 22:00 UTC.
  open('eve', '2026-03-27T23:30:00Z', 'free'),
  open('mo', '2026-03-28T22:30:00Z', 'pro'),
  edit('mo', '2026-03-28T23:30:00Z'),
  open('kai', '2026-03-28T23:15:00Z', 'pro'),
  open('lin', '2026-03-29T00:30:00Z', 'pro'),
  edit('kai', '2026-03-29T01:00:00Z'),
  edit('lin', '2026-03-29T01:15:00Z'),
  edit('lin', '2026-03-29T01:45:00Z'),
  open('eve', '2026-03-29T21:59:59.999Z', 'pro'),
  edit('eve', '2026-03-29T22:00:00Z'),
  open('sam', '2026-03-30T21:00:00Z', 'pro'),
  edit('mo', '2026-03-30T22:15:00Z'),
  edit('eve', '2026-03-31T12:00:00Z'),
  edit('eve', '2026-03-31T12:30:00Z'),
  // An hour that exists twice, on a Sunday of 25 hours.
  open('lin', '2026-10-24T21:30:00Z', 'pro'),
  open('mo', '2026-10-24T22:10:00Z', 'pro'),
  open('noa', '2026-10-24T23:10:00Z', 'pro'),
  edit('noa', '2026-10-25T00:20:00Z'),
  open('mo', '2026-10-25T00:30:00Z', 'free'),
  edit('noa', '2026-10-25T01:20:00Z'),
  edit('mo', '2026-10-25T01:30:00Z'),
  edit('lin', '2026-10-25T22:30:00Z'),
  open('zoe', '2026-10-25T23:30:00Z', 'free'),
  open('zoe', '2026-10-26T08:00:00Z', 'pro'),
  edit('zoe', '2026-10-26T23:30:00Z'),
  edit('zoe', '2026-11-02T10:00:00Z'),
  edit('lin', '2026-11-09T10:00:00Z'),
];

const TYPES = {
  retention_recurring: 'recurring',
  retention_first_time: 'first time',
  retention_first_ever_occurrence: 'first ever',
} as const;
type Type = keyof typeof TYPES;

const PERIODS = ['Hour', 'Day', 'Week', 'Month'] as const;
type Period = (typeof PERIODS)[number];

/** Each period with a day of spring and of autumn on which Berlin's clocks change. */
const SPANS: { period: Period; total: number; to: string; zone: string; weekStartDay?: 'monday' }[] = [
  { period: 'Hour', total: 26, to: '2026-03-29', zone: 'Europe/Berlin' },
  { period: 'Hour', total: 27, to: '2026-10-25', zone: 'Europe/Berlin' },
  { period: 'Day', total: 5, to: '2026-03-31', zone: 'Europe/Berlin' },
  { period: 'Day', total: 4, to: '2026-10-27', zone: 'Europe/Berlin' },
  { period: 'Day', total: 5, to: '2026-03-31', zone: 'UTC' },
  { period: 'Week', total: 5, to: '2026-03-31', zone: 'Europe/Berlin' },
  { period: 'Week', total: 4, to: '2026-11-10', zone: 'Europe/Berlin', weekStartDay: 'monday' },
  { period: 'Month', total: 4, to: '2026-03-31', zone: 'Europe/Berlin' },
  { period: 'Month', total: 12, to: '2026-11-15', zone: 'America/New_York' },
];

test(
  'M9.9.1 each type of retention counts returning persons, in every period and over clock changes',
  { tags: ['deep'] },
  async () => {
    const app = await openModelApp(EVENTS);
    const names = PERIODS.flatMap((period) => Object.keys(TYPES).map((type) => `${type} ${period}`));
    const table = createCoverageTable('Types of retention by period', names);
    const isPro = { key: 'plan', value: 'pro', type: 'event', operator: 'exact' };
    for (const { period, total, to, zone, weekStartDay } of SPANS) {
      for (const type of Object.keys(TYPES) as Type[]) {
        const model: RetentionModel = {
          period,
          total,
          to,
          zone,
          ...(weekStartDay && { weekStartDay }),
          type: TYPES[type],
          entity: ({ event }) => event === 'open',
          target: ({ event, properties }) => event === 'open' && properties['plan'] === 'pro',
          returning: ({ event }) => event === 'edit',
        };
        const query = {
          dateRange: { date_to: to },
          retentionFilter: {
            period,
            totalIntervals: total,
            retentionType: type,
            targetEntity: { id: 'open', type: 'events', properties: [isPro] },
            returningEntity: { id: 'edit', type: 'events' },
          },
        };
        const options = { timezone: zone, ...(weekStartDay && { weekStartDay }) };
        const { results } = await askRetention(app, query, options);
        const name = `${type} ${period} ${to} ${zone}`;
        const expected = modelCounts(modelRetention(EVENTS, model).get(''));
        expect(
          expected.flat().some((count) => count > 0),
          name,
        ).toBe(true);
        expect(countsOf(results), name).toEqual(expected);
        table.saw(`${type} ${period}`);
      }
    }
    expect(table.missing()).toEqual([]);
  },
);

test('M9.9 by default, persons with a pageview on a day are counted again over the next seven days', async () => {
  const views = [
    did('$pageview', 'lin', '2026-11-13T00:00:00Z'),
    did('$pageview', 'lin', '2026-11-20T08:00:00Z'),
    did('$pageview', 'mo', '2026-11-12T23:59:59.999Z'),
    did('$pageview', 'mo', '2026-11-19T08:00:00Z'),
    did('$pageview', 'mo', '2026-11-20T08:00:00Z'),
    did('seen', 'mo', '2026-11-13T08:00:00Z'),
  ];
  const { results, hasMore } = await askRetention(await openModelApp(views), { retentionFilter: {} });
  expect(hasMore).toBe(false);
  expect(countsOf(results)).toEqual([
    [1, 0, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0],
    [1, 1],
    [2],
  ]);
  expect(results[6]).toEqual({
    date: '2026-11-19T00:00:00Z',
    label: 'Day 6',
    values: [
      { count: 1, label: 'Day 0', aggregation_value: null },
      { count: 1, label: 'Day 1', aggregation_value: null },
    ],
  });
});

test('A-6 the weeks of the first day and the last count whole, and no later one', async () => {
  const app = await openModelApp([
    open('eve', '2026-10-05T09:00:00Z'),
    open('mo', '2026-10-06T09:00:00Z'),
    open('lin', '2026-10-08T09:00:00Z'),
    open('mo', '2026-10-09T09:00:00Z'),
    open('eve', '2026-10-12T09:00:00Z'),
    open('lin', '2026-10-13T09:00:00Z'),
    open('mo', '2026-10-20T09:00:00Z'),
    open('lin', '2026-10-23T09:00:00Z'),
    open('kai', '2026-10-23T09:00:00Z'),
    open('lin', '2026-10-26T09:00:00Z'),
  ]);
  const entity = { id: 'open', type: 'events' };
  const { results } = await askRetention(app, {
    dateRange: { date_from: '2026-10-07', date_to: '2026-10-21', explicitDate: true },
    retentionFilter: {
      period: 'Week',
      totalIntervals: 3,
      targetEntity: entity,
      returningEntity: entity,
    },
  });
  expect(countsOf(results)).toEqual([[3, 2, 2], [2, 1], [3]]);
});
