import { describe, expect, test } from 'vitest';
import { createCohort, ruleOf } from '../../../../../test/support/app-cohorts.ts';
import { sendEvents, type SentEvent } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

interface Shown {
  name: string;
  custom_name: string | null;
  type: string;
  count: number;
  compare_label: string;
  breakdown: string;
  breakdown_value: unknown;
}

const step = (event: string, more: object = {}): object => ({ kind: 'EventsNode', event, ...more });
const BOTH = [step('visit'), step('pay')];
const OVER_TIME = { funnelVizType: 'trends' };

/** Minutes after ten o'clock on a day of November. */
const at = (day: number, minute = 0): string =>
  new Date(Date.UTC(2026, 10, day, 10) + minute * 60_000).toISOString();

async function openWith(events: SentEvent[]): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, events);
  return app;
}

function sent(who: string, event: string, timestamp: string, properties: object = {}): SentEvent {
  return { event, distinct_id: who, timestamp, properties };
}

async function post(app: TestApp, query: object, status = 200) {
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
  return answer.json;
}

function funnel(query: object): object {
  return {
    kind: 'FunnelsQuery',
    dateRange: { date_from: '2026-11-18', date_to: '2026-11-19' },
    series: BOTH,
    ...query,
  };
}

async function resultsOf(app: TestApp, query: object) {
  return (await post(app, funnel(query))).results;
}

async function personsOf(app: TestApp, query: object, point: object): Promise<string[]> {
  const source = { kind: 'FunnelsActorsQuery', source: funnel(query), ...point };
  const { results } = await post(app, { kind: 'ActorsQuery', source, select: ['actor'] });
  return (results as [{ distinct_ids: string[] }][]).map(([actor]) => actor.distinct_ids[0]!).toSorted();
}

const counts = (steps: Shown[]): number[] => steps.map(({ count }) => count);

describe('M9.9/funnel compared to the time before', () => {
  const compareFilter = { compare: true };
  const open = () =>
    openWith([
      sent('ann', 'visit', at(18), { plan: 'pro' }),
      sent('ann', 'pay', at(18, 10)),
      sent('bob', 'visit', at(17), { plan: 'free' }),
      sent('cy', 'visit', at(16), { plan: 'pro' }),
      sent('cy', 'pay', at(16, 60)),
    ]);

  test('has the steps of both periods, each with its label', async () => {
    const app = await open();
    const results: Shown[] = await resultsOf(app, { compareFilter });
    expect(results.map((one) => [one.compare_label, one.name, one.count])).toEqual([
      ['current', 'visit', 1],
      ['current', 'pay', 1],
      ['previous', 'visit', 2],
      ['previous', 'pay', 1],
    ]);
    const longAgo: Shown[] = await resultsOf(app, {
      compareFilter: { ...compareFilter, compare_to: '-30d' },
    });
    expect(counts(longAgo)).toEqual([1, 1, 0, 0]);
  });

  test('has every value of a breakdown in both periods', async () => {
    const breakdownFilter = { breakdown: 'plan' };
    const results: Shown[][] = await resultsOf(await open(), { compareFilter, breakdownFilter });
    expect(
      results.map((steps) => [steps[0]!.compare_label, steps[0]!.breakdown_value, ...counts(steps)]),
    ).toEqual([
      ['current', ['pro'], 1, 1],
      ['current', ['free'], 0, 0],
      ['previous', ['pro'], 1, 1],
      ['previous', ['free'], 1, 0],
    ]);
  });

  test.each([
    [{}, [['current', ['pro'], 1, 1], ['previous', ['pro'], 1, 1], ['previous', ['Other'], 1, 0]]], // prettier-ignore
    [
      { breakdown_hide_other_aggregation: true },
      [
        ['current', ['pro'], 1, 1],
        ['previous', ['pro'], 1, 1],
      ],
    ],
  ])('shows no zero for a value that is beyond the limit of a period', async (more, shown) => {
    const breakdownFilter = { breakdown: 'plan', breakdown_limit: 1, ...more };
    const results: Shown[][] = await resultsOf(await open(), { compareFilter, breakdownFilter });
    expect(
      results.map((steps) => [steps[0]!.compare_label, steps[0]!.breakdown_value, ...counts(steps)]),
    ).toEqual(shown);
  });

  test('lists the persons of either period', async () => {
    const app = await open();
    expect(await personsOf(app, { compareFilter }, { funnelStep: 1 })).toEqual(['ann']);
    const point = { funnelStep: 1, compare: 'previous' };
    expect(await personsOf(app, { compareFilter }, point)).toEqual(['bob', 'cy']);
  });

  test('over time has a line for each period', async () => {
    const results = await resultsOf(await open(), { compareFilter, funnelsFilter: OVER_TIME });
    expect(results).toMatchObject([
      { compare_label: 'current', data: [100, 0], days: ['2026-11-18', '2026-11-19'] },
      { compare_label: 'previous', data: [100, 0], days: ['2026-11-16', '2026-11-17'] },
    ]);
  });

  test('has times to convert in the same bins', async () => {
    const funnelsFilter = { funnelVizType: 'time_to_convert' };
    expect(await resultsOf(await open(), { compareFilter, funnelsFilter })).toMatchObject([
      { compare_label: 'current', bins: [[600, 1], [2100, 0], [3600, 0]] }, // prettier-ignore
      { compare_label: 'previous', bins: [[600, 0], [2100, 0], [3600, 1]] }, // prettier-ignore
    ]);
  });
});

describe('M9.9/funnel broken down by one cohort', () => {
  const open = async () => {
    const app = await openWith([
      sent('ann', 'visit', at(18), { $set: { plan: 'pro' } }),
      sent('ann', 'pay', at(18, 1)),
      sent('bob', 'visit', at(18)),
      sent('cy', 'visit', at(18)),
    ]);
    const rule = ruleOf({ key: 'plan', value: 'pro', type: 'person', operator: 'exact' });
    const { id } = await createCohort(app, { name: 'Pros', ...rule });
    return { app, breakdownFilter: { breakdown: [id], breakdown_type: 'cohort' } };
  };

  test('also counts those who are not in it, and lists them', async () => {
    const { app, breakdownFilter } = await open();
    const results: Shown[][] = await resultsOf(app, { breakdownFilter });
    expect(results.map((steps) => [steps[0]!.breakdown, ...counts(steps)])).toEqual([
      ['Pros', 1, 1],
      ['Not in Pros', 2, 0],
    ]);
    const funnelStepBreakdown = results[1]![0]!.breakdown_value;
    const point = { funnelStep: 1, funnelStepBreakdown };
    expect(await personsOf(app, { breakdownFilter }, point)).toEqual(['bob', 'cy']);
    expect(await personsOf(app, { breakdownFilter }, { funnelStep: 1 })).toEqual(['ann', 'bob', 'cy']);
    const baseline = { funnelStep: 1, funnelStepBreakdown: '$$_posthog_breakdown_baseline_$$' };
    expect(await personsOf(app, { breakdownFilter }, baseline)).toEqual(['ann', 'bob', 'cy']);
    const byPlan = { breakdown: 'plan', breakdown_type: 'person' };
    expect(await personsOf(app, { breakdownFilter: byPlan }, baseline)).toEqual(['ann', 'bob', 'cy']);
  });

  test('is picked by its ID before the name of another', async () => {
    const { app, breakdownFilter } = await open();
    const [id] = breakdownFilter.breakdown as [number];
    const rule = ruleOf({ key: 'plan', value: 'pro', type: 'person', operator: 'is_not_set' });
    const named = await createCohort(app, { name: String(id), ...rule });
    const both = { ...breakdownFilter, breakdown: [named.id, id] };
    const ask = (funnelStepBreakdown: unknown): Promise<string[]> =>
      personsOf(app, { breakdownFilter: both }, { funnelStep: 1, funnelStepBreakdown });
    expect(await ask(id)).toEqual(['ann']);
    expect(await ask('Pros')).toEqual(['ann']);
    expect(await ask(named.id)).toEqual(['bob', 'cy']);
  });

  test('names the cohort over time', async () => {
    const { app, breakdownFilter } = await open();
    const results: Shown[] = await resultsOf(app, { breakdownFilter, funnelsFilter: OVER_TIME });
    expect(results.map((line) => line.breakdown_value)).toEqual(['Pros', 'Not in Pros']);
  });
});

test('M9.9/funnel a step of several events is taken by any of them, and is named after all', async () => {
  const app = await openWith([
    sent('ann', 'visit', at(18)),
    sent('ann', 'pay', at(18, 1)),
    sent('bob', 'call', at(18)),
    sent('cy', 'pay', at(18)),
  ]);
  const group = { kind: 'GroupNode', operator: 'OR', nodes: [step('visit'), step('call')] };
  const results: Shown[] = await resultsOf(app, { series: [group, step('pay')] });
  expect(results.map(({ name, type, count }) => [name, type, count])).toEqual([
    ['visit, call', 'group', 2],
    ['pay', 'events', 1],
  ]);
  const exclusions = [{ ...step('call'), funnelFromStep: 0, funnelToStep: 1 }];
  await post(app, funnel({ series: [group, step('pay')], funnelsFilter: { exclusions } }), 400);
});

test('M9.9/funnel a step with a name of its own shows it', async () => {
  const app = await openWith([sent('ann', 'visit', at(18))]);
  const series = [step('visit', { name: 'Arrival' }), step('pay', { name: 'pay' })];
  const results: Shown[] = await resultsOf(app, { series });
  expect(results.map((one) => [one.name, one.custom_name])).toEqual([
    ['visit', 'Arrival'],
    ['pay', null],
  ]);
});

test('M9.9/funnel the median of the whole time is that of all groups together', async () => {
  const app = await openWith([
    sent('ann', 'visit', at(18), { plan: 'pro' }),
    sent('ann', 'pay', at(18, 1)),
    sent('bob', 'visit', at(18), { plan: 'free' }),
    sent('bob', 'pay', at(18, 3)),
    sent('cy', 'visit', at(18), { plan: 'free' }),
    sent('cy', 'pay', at(18, 8)),
  ]);
  const median = async (query: object): Promise<unknown> =>
    (await post(app, funnel(query))).total_median_conversion_time;
  expect(await median({})).toBe(180);
  expect(await median({ breakdownFilter: { breakdown: 'plan' } })).toBe(180);
  expect(await median({ dateRange: { date_from: '2026-11-01', date_to: '2026-11-02' } })).toBe(null);
});

test('M9.9/funnel over time shows the values with which most began, and no Other', async () => {
  const who = ['a', 'b', 'c', 'd', 'e', 'f'];
  const app = await openWith(
    who.map((one, place) => sent(one, 'visit', at(18), { plan: ['x', 'x', 'x', 'y', 'y', 'z'][place] })),
  );
  const results: Shown[] = await resultsOf(app, {
    breakdownFilter: { breakdown: 'plan', breakdown_limit: 2 },
    funnelsFilter: OVER_TIME,
  });
  expect(results.map((line) => line.breakdown_value).toSorted()).toEqual([['x'], ['y']]);
});

test('M9.9/funnel over time leaves out intervals whose attempts may still convert, when requested', async () => {
  const app = await openWith([sent('ann', 'visit', at(18)), sent('ann', 'pay', at(18, 1))]);
  const daysOf = async (filter: object): Promise<string[]> => {
    const dateRange = { date_from: '-3d' };
    const funnelsFilter = { ...OVER_TIME, funnelWindowInterval: 2, ...filter };
    return (await resultsOf(app, { dateRange, funnelsFilter }))[0].days;
  };
  const all = await daysOf({});
  const ended = await daysOf({ hideIncompleteConversionWindowPeriods: true });
  expect(ended.length).toBeGreaterThan(0);
  expect(ended).toEqual(all.slice(0, all.length - 3));
});

test('M9.9/funnel over time lists no persons of intervals that are left out', async () => {
  // It is the 20th.
  const app = await openWith([sent('ann', 'visit', at(15)), sent('bob', 'visit', at(19))]);
  const ask = (filter: object): Promise<string[]> => {
    const funnelsFilter = { ...OVER_TIME, funnelWindowInterval: 2, ...filter };
    const query = { dateRange: { date_from: '-7d' }, funnelsFilter };
    return personsOf(app, query, { funnelTrendsDropOff: true });
  };
  expect(await ask({})).toEqual(['ann', 'bob']);
  expect(await ask({ hideIncompleteConversionWindowPeriods: true })).toEqual(['ann']);
});

test('M9.9/funnel optional steps come neither first, nor without an order, nor before the same step', async () => {
  const app = await openTestApp();
  const optional = { optionalInFunnel: true };
  const series = [step('visit'), step('read', optional), step('pay')];
  await post(app, funnel({ series }));
  await post(app, funnel({ series, funnelsFilter: { funnelOrderType: 'strict' } }));
  for (const refused of [
    { series: [step('visit', optional), step('pay')] },
    { series, funnelsFilter: { funnelOrderType: 'unordered' } },
    { series, funnelsFilter: OVER_TIME },
    { series: [step('visit'), step('pay', optional), step('pay')] },
  ]) {
    expect((await post(app, funnel(refused), 400)).code).toBe('invalid_input');
  }
});

test('M9.9/funnel picked steps are two of its steps, in order', async () => {
  const app = await openTestApp();
  const series = [...BOTH, step('pay again')];
  for (const funnelsFilter of [
    { funnelFromStep: 2 },
    { funnelToStep: 3 },
    { funnelFromStep: 1, funnelToStep: 1 },
  ]) {
    expect((await post(app, funnel({ series, funnelsFilter }), 400)).code).toBe('invalid_input');
  }
});

test('M9.9.2/ActorsQuery a funnel of sessions lists them, each with its person', async () => {
  const [one, two] = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002'];
  const app = await openWith([
    sent('ann', 'visit', at(18), { $session_id: one, $set: { email: 'ann@example.com' } }),
    sent('ann', 'pay', at(18, 1), { $session_id: one }),
    sent('ann', 'visit', at(19), { $session_id: two }),
  ]);
  const ask = async (expression: string, point: object, more: object = {}, status = 200) => {
    const funnelsFilter = { funnelAggregateByHogQL: expression };
    const source = { kind: 'FunnelsActorsQuery', source: funnel({ funnelsFilter }), ...point };
    return await post(app, { kind: 'ActorsQuery', source, select: ['actor'], ...more }, status);
  };
  const sessionsOf = async (point: object, more: object = {}): Promise<unknown[]> => {
    const { columns, results } = await ask('properties.$session_id', point, more);
    expect(columns).toEqual(['actor', 'person']);
    return results
      .map(([session, person]: any[]) => [session.session_id, person.properties.email])
      .toSorted();
  };
  expect(await sessionsOf({ funnelStep: 1 })).toEqual([
    [one, 'ann@example.com'],
    [two, 'ann@example.com'],
  ]);
  expect(await sessionsOf({ funnelStep: -2 })).toEqual([[two, 'ann@example.com']]);
  expect(await sessionsOf({ funnelStep: 1 }, { search: 'bob' })).toEqual([]);
  const pages = [0, 1].map((offset) => sessionsOf({ funnelStep: 1 }, { limit: 1, offset }));
  expect((await Promise.all(pages)).flat()).toEqual([
    [one, 'ann@example.com'],
    [two, 'ann@example.com'],
  ]);
  const { hogql } = await ask('properties.$session_id', { funnelStep: 1 });
  expect(hogql).toMatch(/ORDER BY [^()]*actors\.actor_id/);
  await ask('properties.plan', { funnelStep: 1 }, {}, 400);
});

test('M9.9/funnel of some days of the week has no events of other days', async () => {
  // The 18th is a Wednesday.
  const app = await openWith([
    sent('ann', 'visit', at(18)),
    sent('ann', 'other', at(19)),
    sent('ann', 'pay', at(20)),
    sent('bob', 'visit', at(19)),
  ]);
  const ask = async (daysOfWeek: unknown): Promise<number[]> => {
    const dateRange = { date_from: '2026-11-18', date_to: '2026-11-21', daysOfWeek };
    return counts(await resultsOf(app, { dateRange, funnelsFilter: { funnelOrderType: 'strict' } }));
  };
  expect(await ask([3, 5])).toEqual([1, 1]);
  expect(await ask([])).toEqual([2, 0]);
  expect(await ask(null)).toEqual([2, 0]);
});

test('M9.9/funnel values are cleaned by the path rules of the project', async () => {
  const app = await openWith([
    sent('ann', 'visit', at(18), { $pathname: '/shop/1' }),
    sent('bob', 'visit', at(18), { $pathname: '/shop/2' }),
  ]);
  const rules = [{ alias: '/shop', regex: '/shop/.*' }];
  await app.ask('/api/projects/1/', { method: 'PATCH', body: { path_cleaning_filters: rules } });
  const ask = async (more: object): Promise<unknown[]> => {
    const breakdownFilter = { breakdown: '$pathname', ...more };
    const results: Shown[][] = await resultsOf(app, { breakdownFilter });
    return results.map((steps) => [steps[0]!.breakdown_value, ...counts(steps)]);
  };
  expect(await ask({ breakdown_path_cleaning: true })).toEqual([[['/shop'], 2, 0]]);
  expect(await ask({})).toHaveLength(2);
});
