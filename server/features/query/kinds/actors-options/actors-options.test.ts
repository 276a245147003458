import { expect, test } from 'vitest';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { openTestApp } from '../../../../../test/support/test-app.ts';

const VISIT = { kind: 'EventsNode', event: 'visit' };
const RANGE = { dateRange: { date_from: '2026-11-18', date_to: '2026-11-19' } };

test('M9.9.2/InsightActorsQueryOptions the other points of an insight are listed', async () => {
  const app = await openTestApp();
  await sendEvents(app, [
    { event: 'visit', distinct_id: 'ann', timestamp: '2026-11-18T10:00:00Z', properties: { plan: 'pro' } },
    { event: 'visit', distinct_id: 'bob', timestamp: '2026-11-19T10:00:00Z' },
  ]);
  const options = async (source: object) => {
    const query = { kind: 'InsightActorsQueryOptions', source };
    const { status, json } = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
    expect(status, JSON.stringify(json)).toBe(200);
    const { day, status: states, interval, breakdown, breakdowns, series, compare } = json;
    return { day, status: states, interval, breakdown, breakdowns, series, compare };
  };
  const none = { status: null, interval: null, breakdown: null, breakdowns: null, compare: null };
  const days = ['2026-11-18', '2026-11-19'].map((value, at) => ({ label: `${18 + at}-Nov-2026`, value }));
  const trends = { kind: 'TrendsQuery', ...RANGE, series: [VISIT, { ...VISIT, event: 'pay' }] };
  expect(await options({ kind: 'InsightActorsQuery', source: trends })).toEqual({
    ...none,
    day: days,
    series: [
      { label: 'visit', value: 0 },
      { label: 'pay', value: 1 },
    ],
  });
  const compared = { ...trends, series: [VISIT], compareFilter: { compare: true } };
  const broken = { ...compared, breakdownFilter: { breakdown: 'plan' } };
  expect(await options({ kind: 'InsightActorsQuery', source: broken })).toMatchObject({
    compare: [
      { label: 'Current', value: 'current' },
      { label: 'Previous', value: 'previous' },
    ],
    breakdown: [
      { label: 'pro', value: 'pro' },
      { label: 'None (i.e. no value)', value: '$$_posthog_breakdown_null_$$' },
    ],
  });
  const several = {
    ...trends,
    breakdownFilter: { breakdowns: [{ property: 'plan' }, { property: 'tab' }] },
  };
  expect(await options({ kind: 'InsightActorsQuery', source: several })).toMatchObject({
    breakdown: null,
    breakdowns: [
      { values: [{ value: '$$_posthog_breakdown_null_$$' }, { value: 'pro' }] },
      { values: [{ value: '$$_posthog_breakdown_null_$$' }] },
    ],
  });
  const lifecycle = { kind: 'LifecycleQuery', ...RANGE, series: [VISIT] };
  expect(await options({ kind: 'InsightActorsQuery', source: lifecycle })).toMatchObject({
    day: days,
    status: [{ value: 'dormant' }, { value: 'new' }, { value: 'resurrecting' }, { value: 'returning' }],
  });
  const funnel = { kind: 'FunnelsQuery', ...RANGE, series: [VISIT, VISIT] };
  const nothing = { ...none, day: null, series: null };
  expect(await options({ kind: 'FunnelsActorsQuery', funnelStep: 1, source: funnel })).toEqual(nothing);
  const byPlan = { ...funnel, breakdownFilter: { breakdown: 'plan' } };
  const found = await options({ kind: 'FunnelsActorsQuery', funnelStep: 1, source: byPlan });
  const baseline = { label: 'Baseline', value: '$$_posthog_breakdown_baseline_$$' };
  expect(found.breakdown).toEqual([
    baseline,
    { label: 'None (i.e. no value)', value: '' },
    { label: 'pro', value: 'pro' },
  ]);
  const both = { ...byPlan, breakdownFilter: { breakdown: ['plan', 'tab'], breakdown_type: 'event' } };
  const values = await options({ kind: 'FunnelsActorsQuery', funnelStep: 1, source: both });
  expect(values).toMatchObject({
    breakdown: expect.arrayContaining([{ label: 'pro, None (i.e. no value)', value: '["pro",""]' }]),
    breakdowns: null,
  });
  const periods = { ...byPlan, compareFilter: { compare: true } };
  expect(await options({ kind: 'FunnelsActorsQuery', funnelStep: 1, source: periods })).toMatchObject({
    breakdown: found.breakdown,
    compare: [{ value: 'current' }, { value: 'previous' }],
  });
});
