import { describe, expect, test } from 'vitest';
import { sendEvents, type SentEvent } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

const SESSIONS = {
  ann: '0190a000-0000-7000-8000-000000000001',
  bob: '0190a000-0000-7000-8000-000000000002',
} as const;

function sent(who: keyof typeof SESSIONS, event: string, minute: number): SentEvent {
  const isPage = event.startsWith('/');
  return {
    event: isPage ? '$pageview' : event,
    distinct_id: who,
    timestamp: new Date(Date.UTC(2026, 10, 18, 10, minute)).toISOString(),
    properties: {
      $session_id: SESSIONS[who],
      $groups: { company: `of ${who}` },
      ...(isPage && { $current_url: event }),
    },
  };
}

const RANGE = { dateRange: { date_from: '2026-11-17', date_to: '2026-11-19' } };
const FUNNEL = {
  kind: 'FunnelsQuery',
  ...RANGE,
  series: [
    { kind: 'EventsNode', event: 'visit' },
    { kind: 'EventsNode', event: 'pay' },
  ],
};

/** Ann takes both steps, Bob the first. */
async function openWithPaths(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    ...['/before', 'visit', '/between', 'pay', '/after'].map((event, at) => sent('ann', event, at)),
    ...['/before', 'visit', '/later'].map((event, at) => sent('bob', event, at)),
    sent('bob', '/much later', 90),
  ]);
  return app;
}

async function ask(app: TestApp, filter: object, funnel: object = {}, status = 200): Promise<unknown> {
  const query = {
    kind: 'PathsQuery',
    ...RANGE,
    funnelPathsFilter: { funnelSource: { ...FUNNEL, ...funnel }, ...filter },
  };
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
  expect(answer.status, answer.text).toBe(status);
  if (status !== 200) return answer.json.detail;
  return answer.json.results.map(
    ({ source, target, value }: { source: string; target: string; value: number }) => [source, target, value],
  );
}

const before = (funnelStep: number): object => ({ funnelPathType: 'funnel_path_before_step', funnelStep });
const between = (funnelStep: number): object => ({ funnelPathType: 'funnel_path_between_steps', funnelStep });
const after = (funnelStep: number): object => ({ funnelPathType: 'funnel_path_after_step', funnelStep });

describe('M9.9.2/PathsQuery paths around a step of a funnel', () => {
  test.each([
    ['persons', {}],
    ['groups', { aggregation_group_type_index: 0 }],
    ['sessions', { funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id' } }],
  ])('are of the events before it, after it, or since the step before, of %s', async (_, funnel) => {
    const app = await openWithPaths();
    expect(await ask(app, before(1), funnel)).toEqual([['1_/before', '2_visit', 2]]);
    expect(await ask(app, between(2), funnel)).toEqual([
      ['1_visit', '2_/between', 1],
      ['2_/between', '3_pay', 1],
    ]);
    expect(await ask(app, after(2), funnel)).toEqual([['1_pay', '2_/after', 1]]);
  });

  test('of those who did not take it begin at the end of the window', async () => {
    const app = await openWithPaths();
    await sendEvents(app, [sent('bob', '/last', 95)]);
    const funnelsFilter = { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'hour' };
    expect(await ask(app, after(-2), { funnelsFilter })).toEqual([['1_/much later', '2_/last', 1]]);
  });

  test('end where nothing follows for as long as the conversion window', async () => {
    const app = await openWithPaths();
    const edge = ['2_/later', '3_/much later', 1];
    expect(await ask(app, after(1))).toContainEqual(edge);
    const funnelsFilter = { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'hour' };
    expect(await ask(app, after(1), { funnelsFilter })).not.toContainEqual(edge);
  });

  test('count from the step before that was taken, where an optional one was left out', async () => {
    const app = await openWithPaths();
    const series = ['visit', 'read', 'pay'].map((event) => ({
      kind: 'EventsNode',
      event,
      ...(event === 'read' && { optionalInFunnel: true }),
    }));
    expect(await ask(app, between(3), { series })).toEqual([
      ['1_visit', '2_/between', 1],
      ['2_/between', '3_pay', 1],
    ]);
    // Who did not pay has visited, and not read.
    expect(await ask(app, before(-3), { series })).toEqual([['1_/before', '2_visit', 1]]);
  });

  test('require a step of a funnel, and one before it to be between', async () => {
    const app = await openWithPaths();
    for (const [filter, funnel, detail] of [
      [before(3), {}, 'funnelStep must be'],
      [between(1), {}, 'funnelStep must be'],
      [between(-2), {}, 'funnelStep must be'],
      [{ funnelStep: 1 }, {}, 'funnelPathType'],
      [before(1), { kind: 'TrendsQuery' }, 'funnelPathsFilter.funnelSource must be a FunnelsQuery'],
      [before(1), { series: 7 }, "funnelPathsFilter.funnelSource is invalid. 'series'"],
    ] as const) {
      expect(await ask(app, filter, funnel, 400)).toContain(detail);
    }
  });
});
