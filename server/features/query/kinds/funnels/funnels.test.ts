import { describe, expect, test } from 'vitest';
import { createCohort, ruleOf } from '../../../../../test/support/app-cohorts.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { ASKS_CLICKHOUSE, openTestApp } from '../../../../../test/support/test-app.ts';

const AT = (minute: number): string => new Date(Date.UTC(2026, 10, 18, 10, minute)).toISOString();

describe('POST P/query/ with a FunnelsQuery', () => {
  test('returns the steps with their counts and conversion times', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { event: '$pageview', distinct_id: 'ann', timestamp: AT(0) },
      { event: 'signup', distinct_id: 'ann', timestamp: AT(1) },
      { event: '$pageview', distinct_id: 'bob', timestamp: AT(0) },
      { event: 'signup', distinct_id: 'bob', timestamp: AT(3) },
      { event: '$pageview', distinct_id: 'cy', timestamp: AT(0) },
    ]);
    const { status, json } = await app.ask('/api/projects/1/query/', {
      method: 'POST',
      body: {
        query: {
          kind: 'FunnelsQuery',
          dateRange: { date_from: '2026-11-18', date_to: '2026-11-18' },
          series: [
            { kind: 'EventsNode', event: '$pageview' },
            { kind: 'EventsNode', event: 'signup', custom_name: 'Joined' },
          ],
          funnelsFilter: { funnelWindowInterval: 14, funnelWindowIntervalUnit: 'day' },
        },
      },
    });
    expect(status).toBe(200);
    expect(json.results).toEqual([
      {
        action_id: '$pageview',
        name: '$pageview',
        custom_name: null,
        order: 0,
        people: [],
        count: 3,
        type: 'events',
        average_conversion_time: null,
        median_conversion_time: null,
      },
      {
        action_id: 'signup',
        name: 'signup',
        custom_name: 'Joined',
        order: 1,
        people: [],
        count: 2,
        type: 'events',
        average_conversion_time: 120,
        median_conversion_time: 120,
      },
    ]);
    if (!ASKS_CLICKHOUSE) expect(json.hogql).toContain('lead(number, 1, NULL)');
  });

  test('accepts actions as steps, counts groups, and breaks down by cohorts and held properties', async () => {
    const app = await openTestApp();
    const company = (name: string): object => ({ $groups: { company: name } });
    await sendEvents(app, [
      { event: 'visit', distinct_id: 'ann', timestamp: AT(0), properties: { ...company('acme'), tab: '1' } },
      { event: 'pay', distinct_id: 'bob', timestamp: AT(1), properties: { ...company('acme'), tab: '1' } },
      { event: 'visit', distinct_id: 'bob', timestamp: AT(2), properties: { ...company('zoo'), tab: '1' } },
      { event: 'pay', distinct_id: 'bob', timestamp: AT(4), properties: { tab: '2' } },
      { event: 'visit', distinct_id: 'cy', timestamp: AT(0), properties: { $set: { plan: 'pro' } } },
      { event: 'pay', distinct_id: 'cy', timestamp: AT(1) },
    ]);
    const action = await app.ask('/api/projects/1/actions/', {
      method: 'POST',
      body: { name: 'Paid', steps: [{ event: 'pay' }] },
    });
    expect(action.status).toBe(201);
    const rule = ruleOf({ key: 'plan', value: 'pro', type: 'person', operator: 'exact' });
    const cohort = await createCohort(app, { name: 'Pros', ...rule });
    const steps = async (query: object): Promise<{ status: number; results: any }> => {
      const { status, json } = await app.ask('/api/projects/1/query/', {
        method: 'POST',
        body: {
          query: {
            kind: 'FunnelsQuery',
            dateRange: { date_from: '2026-11-18' },
            series: [
              { kind: 'EventsNode', event: 'visit' },
              { kind: 'ActionsNode', id: action.json.id },
            ],
            ...query,
          },
        },
      });
      return { status, results: json.results ?? json };
    };
    const counts = (results: { count: number }[]): number[] => results.map(({ count }) => count);
    const persons = await steps({});
    expect(counts(persons.results)).toEqual([3, 2]);
    expect(persons.results[1]).toMatchObject({ action_id: action.json.id, name: 'Paid', type: 'actions' });
    // Ann of Acme visited, Bob of Acme paid.
    expect(counts((await steps({ aggregation_group_type_index: 0 })).results)).toEqual([2, 1]);
    expect(counts((await steps({ funnelsFilter: { holdConstant: ['tab'] } })).results)).toEqual([3, 0]);
    const byTab = { funnelsFilter: { funnelAggregateByHogQL: 'properties.tab' } };
    expect(counts((await steps(byTab)).results)).toEqual([1, 1]);
    const broken = await steps({
      breakdownFilter: { breakdown: [cohort.id, 'all'], breakdown_type: 'cohort' },
    });
    expect(broken.results.map(counts)).toEqual([
      [3, 2],
      [1, 1],
    ]);
    expect(broken.results[1][0]).toMatchObject({ breakdown: 'Pros', breakdown_value: cohort.id });
    for (const [bad, detail] of [
      [
        {
          funnelsFilter: {
            exclusions: [{ kind: 'EventsNode', event: 'x', funnelFromStep: 1, funnelToStep: 1 }],
          },
        },
        'between two steps',
      ],
      [{ funnelsFilter: { funnelVizType: 'trends', funnelFromStep: 1 } }, 'funnelFromStep must be before'],
      [{ funnelsFilter: { funnelWindowInterval: 9_000_000_000 } }, '100 years'],
      [{ funnelsFilter: { holdConstant: 'tab' } }, 'list of event property names'],
      [
        { series: Array.from({ length: 33 }, () => ({ kind: 'EventsNode', event: 'visit' })) },
        'up to 32 steps',
      ],
      [
        { series: [0, 1].map(() => ({ kind: 'EventsNode', event: 'visit', optionalInFunnel: true })) },
        'cannot be optional',
      ],
    ] as const) {
      const { status, results } = await steps(bad);
      expect([status, results.code]).toEqual([400, 'invalid_input']);
      expect(results.detail).toContain(detail);
    }
  });

  test('with 32 steps in any order returns a result', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'visit', distinct_id: 'ann', timestamp: AT(0) }]);
    const excluding = [{ kind: 'EventsNode', event: `it's`, funnelFromStep: 0, funnelToStep: 31 }];
    for (const [funnelOrderType, exclusions] of [
      ['ordered', []],
      ['ordered', excluding],
      ['strict', excluding],
      ['unordered', excluding],
    ]) {
      const { status } = await app.ask('/api/projects/1/query/', {
        method: 'POST',
        body: {
          query: {
            kind: 'FunnelsQuery',
            series: Array.from({ length: 32 }, (_, at) => ({ kind: 'EventsNode', event: `step ${at}` })),
            funnelsFilter: { funnelOrderType, exclusions },
          },
        },
      });
      expect(status).toBe(200);
    }
  });

  test('in order, with 32 steps over ten thousand years, returns a result', async () => {
    const app = await openTestApp();
    const names = Array.from({ length: 32 }, (_, at) => `step ${at}`);
    await sendEvents(
      app,
      names.map((event, at) => ({ event, distinct_id: 'ann', timestamp: AT(at) })),
    );
    const { status, json } = await app.ask('/api/projects/1/query/', {
      method: 'POST',
      body: {
        query: {
          kind: 'FunnelsQuery',
          dateRange: { date_from: '0001-01-01', date_to: '9999-12-30' },
          series: names.map((event) => ({ kind: 'EventsNode', event })),
        },
      },
    });
    expect(status).toBe(200);
    expect(json.results.map(({ count }: { count: number }) => count)).toEqual(names.map(() => 1));
  });
});
