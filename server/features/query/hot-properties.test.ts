import { beforeEach, expect, test } from 'vitest';
import { storeInsight } from '../../../test/support/insights.ts';
import { openModelApp } from '../../../test/support/trends-model.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { ASKS_CLICKHOUSE, type TestApp } from '../../../test/support/test-app.ts';
import type { StoreState } from '../../warehouse/duckdb/event-store.ts';

const NAME = '$feature/checkout-v2';
const SERIES = [{ kind: 'EventsNode', event: 'bought' }];
const DATES = { date_from: '2026-10-01', date_to: '2026-11-20' };
const QUERIES = [
  { kind: 'TrendsQuery', series: SERIES, dateRange: DATES, breakdownFilter: { breakdown: NAME } },
  {
    kind: 'TrendsQuery',
    series: SERIES,
    dateRange: DATES,
    properties: [{ type: 'event', key: NAME, value: 'test' }],
  },
  {
    kind: 'TrendsQuery',
    series: [{ ...SERIES[0], math: 'sum', math_property: 'amount' }],
    dateRange: DATES,
    properties: [{ type: 'event', key: 'amount', operator: 'gt', value: 12 }],
  },
  { kind: 'HogQLQuery', query: 'SELECT properties.amount, count() FROM events GROUP BY 1 ORDER BY 1' },
];

beforeEach((context) =>
  context.skip(ASKS_CLICKHOUSE, 'It is about statements for the file: leave out BURROW_TEST_WAREHOUSE.'),
);

async function answers(app: TestApp): Promise<unknown[]> {
  const asked = QUERIES.map((query) =>
    app.ask('/api/projects/1/query/', { method: 'POST', body: { query, refresh: 'force_blocking' } }),
  );
  return (await Promise.all(asked)).map(({ status, json }) => {
    expect(status).toBe(200);
    return json.results;
  });
}

async function hotNames(app: TestApp): Promise<string[]> {
  const state = await app.store.service('capture').call<StoreState>({ kind: 'store.state', projectId: 1 });
  return state.hotColumns.map(({ name, type }) => `${name} ${type}`).toSorted();
}

test('M9.9 frequently queried properties get their own columns, and every result stays the same', async () => {
  const app = await openModelApp();
  const before = await answers(app);
  expect(JSON.stringify(before[0])).toContain('"control"');
  // While the columns are created.
  const seen = new Set<string>();
  await expect
    .poll(
      async () => {
        seen.add(JSON.stringify(await answers(app)));
        return await hotNames(app);
      },
      { timeout: 20_000, interval: 100 },
    )
    .toEqual([`${NAME} String`, 'amount Float64']);
  expect([...seen]).toEqual([JSON.stringify(before)]);
  expect(await answers(app)).toEqual(before);

  const later = { event: 'bought', distinct_id: 'lin', timestamp: '2026-11-19T12:00:00Z' };
  await sendEvents(app, [
    { ...later, properties: { amount: 100, [NAME]: 'test' } },
    { ...later, properties: { amount: '7', [NAME]: 2 } },
    { ...later, properties: { amount: 'none', [NAME]: ['list'] } },
  ]);
  const mixed = await answers(app);
  expect(JSON.stringify(mixed[0])).toContain('[\\"list\\"]');
  expect(mixed).not.toEqual(before);
});

test('M9.9 checking an insight on write does not count as a use of its properties', async () => {
  const app = await openModelApp();
  // Written more often than the other is read, so that a counted property would have its column first.
  for (let times = 0; times < 3; times++) await storeInsight(app, { query: QUERIES[0]! });
  const { status } = await app.ask('/api/projects/1/query/', {
    method: 'POST',
    body: { query: QUERIES[3] },
  });
  expect(status).toBe(200);
  await expect.poll(() => hotNames(app), { timeout: 20_000, interval: 100 }).not.toEqual([]);
  expect(await hotNames(app)).toEqual(['amount Float64']);
});
