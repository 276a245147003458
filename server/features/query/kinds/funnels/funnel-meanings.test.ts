import { describe, expect, test } from 'vitest';
import { sendEvents, type SentEvent } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

type Journey = readonly (readonly [minute: number, event: string, properties?: object])[];

const AT = (minute: number): string => new Date(Date.UTC(2026, 10, 18, 10) + minute * 60_000).toISOString();

async function openWith(journeys: Readonly<Record<string, Journey>>): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(
    app,
    Object.entries(journeys).flatMap(([who, events]) =>
      events.map(([minute, event, properties = {}]) => ({
        event,
        distinct_id: who,
        timestamp: AT(minute),
        properties,
      })),
    ),
  );
  return app;
}

const step = (event: string | null, more: object = {}): object => ({ kind: 'EventsNode', event, ...more });
const steps = (...events: (string | null)[]): object[] => events.map((event) => step(event));
const excluded = (event: string, funnelFromStep: number, funnelToStep: number): object => ({
  ...step(event),
  funnelFromStep,
  funnelToStep,
});

interface Step {
  count: number;
  average_conversion_time: number | null;
  breakdown: string[];
  breakdown_value: string[];
}

async function post(app: TestApp, query: object, status = 200) {
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
  return answer.json;
}

const funnel = (query: object): object => ({
  kind: 'FunnelsQuery',
  dateRange: { date_from: '2026-11-18', date_to: '2026-11-19' },
  ...query,
});

async function countsOf(app: TestApp, query: object): Promise<number[]> {
  return ((await post(app, funnel(query))).results as Step[]).map(({ count }) => count);
}

/** The counts by the value of the breakdown, in their order. */
async function groupsOf(app: TestApp, query: object): Promise<[string[], ...number[]][]> {
  const groups = (await post(app, funnel(query))).results as Step[][];
  return groups.map((group) => [group[0]!.breakdown_value, ...group.map(({ count }) => count)]);
}

async function personsOf(app: TestApp, query: object, point: object): Promise<string[]> {
  const source = { kind: 'FunnelsActorsQuery', source: funnel(query), ...point };
  const { results } = await post(app, { kind: 'ActorsQuery', source, select: ['actor'] });
  return (results as [{ distinct_ids: string[] }][]).map(([actor]) => actor.distinct_ids[0]!).sort();
}

describe('A-6 steps of a funnel at one moment', () => {
  test('convert in their order, whichever event was stored first, and their time is in no average', async () => {
    const app = await openWith({
      ann: [
        [0, 'visit'],
        [0, 'pay'],
      ],
      bob: [
        [0, 'pay'],
        [0, 'visit'],
      ],
      cy: [
        [0, 'visit'],
        [2, 'pay'],
      ],
      dee: [[0, 'visit']],
    });
    const { results } = await post(app, funnel({ series: steps('visit', 'pay') }));
    expect(results.map(({ count }: Step) => count)).toEqual([4, 3]);
    expect(results[1].average_conversion_time).toBe(120);
    expect(await countsOf(app, { series: steps('visit', 'pay', 'pay') })).toEqual([4, 3, 0]);
  });

  test('need an event each, also where an event fits several', async () => {
    const app = await openWith({
      ann: [
        [0, 'visit', { page: 'a' }],
        [0, 'visit', { page: 'b' }],
      ],
      bob: [[0, 'visit', { page: 'a' }]],
    });
    const a = step('visit', { properties: [{ key: 'page', value: 'a', type: 'event', operator: 'exact' }] });
    expect(await countsOf(app, { series: steps('visit', 'visit') })).toEqual([2, 1]);
    expect(await countsOf(app, { series: steps(null, null, null) })).toEqual([2, 1, 0]);
    expect(await countsOf(app, { series: [a, step('visit')] })).toEqual([2, 1]);
    expect(await countsOf(app, { series: [step(null), a] })).toEqual([2, 1]);
  });

  test('ignore what is excluded then, and do not break a strict order', async () => {
    const app = await openWith({
      ann: [
        [0, 'zero'],
        [1, 'one'],
        [1, 'one'],
        [1, 'not'],
        [1, 'two'],
        [2, 'three'],
      ],
    });
    const series = steps('zero', 'one', 'two', 'three');
    for (const exclusion of [excluded('not', 0, 1), excluded('not', 1, 2)]) {
      const funnelsFilter = { exclusions: [exclusion] };
      expect(await countsOf(app, { series, funnelsFilter })).toEqual([1, 1, 1, 1]);
    }
    expect(await countsOf(app, { series, funnelsFilter: { funnelOrderType: 'strict' } })).toEqual([
      1, 1, 1, 1,
    ]);
  });
});

describe('A-6 exclusions', () => {
  test('drop a person whose furthest attempt they void, unless another comes as far', async () => {
    const series = steps('visit', 'pay');
    const funnelsFilter = {
      exclusions: [excluded('leave', 0, 1)],
      funnelWindowInterval: 10,
      funnelWindowIntervalUnit: 'minute',
    };
    const app = await openWith({
      converted: [
        [0, 'visit'],
        [1, 'pay'],
      ],
      voided: [
        [0, 'visit'],
        [1, 'leave'],
        [2, 'pay'],
      ],
      left: [
        [0, 'visit'],
        [1, 'leave'],
      ],
      'left too late': [
        [0, 'visit'],
        [11, 'leave'],
      ],
      'tried again': [
        [0, 'visit'],
        [1, 'leave'],
        [20, 'visit'],
      ],
      'converted again': [
        [0, 'visit'],
        [1, 'leave'],
        [2, 'pay'],
        [60, 'visit'],
        [65, 'pay'],
      ],
      'tried before': [
        [0, 'visit'],
        [20, 'visit'],
        [21, 'leave'],
        [22, 'pay'],
      ],
    });
    const query = { series, funnelsFilter };
    expect(await personsOf(app, query, { funnelStep: 1 })).toEqual(
      ['converted', 'converted again', 'left too late', 'tried again'].sort(),
    );
    expect(await personsOf(app, query, { funnelStep: 2 })).toEqual(['converted', 'converted again']);
    const { results } = await post(app, funnel(query));
    expect(results[1].average_conversion_time).toBe((60 + 300) / 2);
  });

  test('are refused for an event of their steps, and without an order between single steps', async () => {
    const app = await openTestApp();
    const refused = async (query: object): Promise<string> => (await post(app, funnel(query), 400)).detail;
    const series = steps('visit', 'cart', 'pay');
    expect(await refused({ series, funnelsFilter: { exclusions: [excluded('cart', 0, 1)] } })).toContain(
      'must not be an event of the steps',
    );
    const unordered = { funnelOrderType: 'unordered' };
    expect(
      await refused({ series, funnelsFilter: { ...unordered, exclusions: [excluded('x', 0, 1)] } }),
    ).toContain('between the first step and the last');
    const attribution = { breakdownAttributionType: 'step', breakdownAttributionValue: 1 };
    const breakdownFilter = { breakdown: 'plan' };
    expect(
      await refused({ series, breakdownFilter, funnelsFilter: { ...unordered, ...attribution } }),
    ).toContain('the first step only');
  });
});

describe('A-6 first-time events in funnels', () => {
  const FIRST = { math: 'first_time_for_user' };
  const FIRST_FITTING = { math: 'first_time_for_user_with_filters' };

  test('take a step once, where they are the first of the person', async () => {
    const app = await openWith({
      ann: [
        [0, '$pageview', { $browser: 'Chrome' }],
        [1, '$pageview', { $browser: 'Chrome' }],
      ],
    });
    const first = step('$pageview', FIRST);
    expect(await countsOf(app, { series: [first, step('$pageview')] })).toEqual([1, 1]);
    expect(await countsOf(app, { series: [first, first] })).toEqual([1, 0]);
    expect(await countsOf(app, { series: [step('$pageview'), first] })).toEqual([1, 0]);
    const chrome = { properties: [{ key: '$browser', value: 'Chrome', type: 'event', operator: 'exact' }] };
    expect(
      await countsOf(app, { series: [step('$pageview', { ...FIRST, ...chrome }), step('$pageview')] }),
    ).toEqual([1, 1]);
  });

  test('of an action count no person who did it before the range', async () => {
    const YEAR = 365 * 24 * 60;
    const app = await openWith({
      'signed up': [[0, 'signup']],
      paid: [
        [0, 'signup'],
        [1, 'pay'],
      ],
      watched: [
        [-YEAR, 'watch'],
        [0, 'signup'],
        [1, 'pay'],
        [2, 'watch'],
      ],
      'only watched': [[0, 'watch']],
      'paid first': [
        [0, 'pay'],
        [1, 'signup'],
        [2, 'watch'],
      ],
    });
    const action = await app.ask('/api/projects/1/actions/', {
      method: 'POST',
      body: { name: 'Watched', steps: [{ event: 'watch' }] },
    });
    const watched = { kind: 'ActionsNode', id: action.json.id };
    expect(await countsOf(app, { series: [...steps('signup', 'pay'), watched] })).toEqual([4, 2, 1]);
    expect(await countsOf(app, { series: [...steps('signup', 'pay'), { ...watched, ...FIRST }] })).toEqual([
      4, 2, 0,
    ]);
  });

  test('are those of all distinct IDs of a person', async () => {
    const app = await openTestApp();
    const YEAR = 365 * 24 * 60;
    const merge = (of: string, anonymous: string): SentEvent => ({
      event: '$identify',
      distinct_id: of,
      timestamp: AT(-2 * YEAR),
      properties: { $anon_distinct_id: anonymous },
    });
    const view = (who: string, minute: number): SentEvent => ({
      event: '$pageview',
      distinct_id: who,
      timestamp: AT(minute),
    });
    await sendEvents(app, [
      merge('u1', 'anon1'),
      merge('u2', 'anon2'),
      view('u1', 0),
      view('u1', 60),
      view('anon1', -YEAR),
      view('anon2', 0),
      view('u2', 60),
      view('anon3', 120),
    ]);
    const series = [step('$pageview', FIRST), step('$pageview')];
    expect(await countsOf(app, { series })).toEqual([2, 1]);
    const dateRange = { date_from: '2025-11-01', date_to: '2026-11-19' };
    expect(await countsOf(app, { series, dateRange })).toEqual([3, 1]);
  });

  test('with filters are the first that fit; without, the first of all must fit', async () => {
    const app = await openWith({
      ann: [
        [0, 'event1'],
        [10, 'event1', { property: 'woah' }],
        [30, 'event2'],
      ],
      bob: [[20, 'event1']],
    });
    const woah = { properties: [{ key: 'property', value: 'woah', type: 'event', operator: 'exact' }] };
    const counts = (math: object): Promise<number[]> =>
      countsOf(app, { series: [step('event1', { ...math, ...woah }), step('event2')] });
    expect(await counts(FIRST_FITTING)).toEqual([1, 1]);
    expect(await counts(FIRST)).toEqual([0, 0]);
  });
});

describe('A-6 a breakdown of a funnel', () => {
  const JOURNEYS: Readonly<Record<string, Journey>> = {
    ann: [
      [0, 'one', { browser: 'Chrome' }],
      [1, 'two', { browser: 'Safari' }],
      [2, 'two', { browser: 'Chrome' }],
      [3, 'three', { browser: 'Chrome' }],
    ],
  };
  const query = (funnelsFilter: object, breakdown: unknown = 'browser'): object => ({
    series: steps('one', 'two', 'three'),
    breakdownFilter: { breakdown, breakdown_type: 'event' },
    funnelsFilter,
  });
  const ofStep = (breakdownAttributionValue: number): object => ({
    breakdownAttributionType: 'step',
    breakdownAttributionValue,
  });

  test('attributed to a step has a person under each value of that step, and no one who never had it', async () => {
    const app = await openWith({ ...JOURNEYS, bob: [[0, 'one', { browser: 'Opera' }]] });
    expect(await groupsOf(app, query(ofStep(0)))).toEqual([
      [['Chrome'], 1, 1, 1],
      [['Opera'], 1, 0, 0],
    ]);
    expect(await groupsOf(app, query(ofStep(1)))).toEqual([
      [['Chrome'], 1, 1, 1],
      [['Safari'], 1, 1, 1],
    ]);
    expect(await groupsOf(app, query(ofStep(2)))).toEqual([[['Chrome'], 1, 1, 1]]);
    expect(await groupsOf(app, query({ breakdownAttributionType: 'all_events' }))).toEqual([
      [['Chrome'], 1, 1, 1],
      [['Opera'], 1, 0, 0],
    ]);
  });

  test('by several properties has all of them from the first event that has one', async () => {
    const app = await openWith({
      ann: [
        [0, 'one'],
        [1, 'two', { browser: 'Chrome' }],
        [2, 'three', { browser: 'Safari', version: '15' }],
      ],
      bob: [[0, 'one']],
    });
    expect(await groupsOf(app, query({}, ['browser', 'version']))).toEqual([
      [['Chrome', ''], 1, 1, 1],
      [['', ''], 1, 0, 0],
    ]);
    expect(
      await groupsOf(app, query({ breakdownAttributionType: 'last_touch' }, ['browser', 'version'])),
    ).toEqual([
      [['Safari', '15'], 1, 1, 1],
      [['', ''], 1, 0, 0],
    ]);
  });

  test('is ordered by the last step, and its values beyond the limit are Other', async () => {
    const of = (who: string, browser: string, ...events: string[]): Readonly<Record<string, Journey>> => ({
      [who]: events.map((event, at) => [at, event, { browser }] as const),
    });
    const app = await openWith({
      ...of('a', 'Chrome', 'one'),
      ...of('b', 'Chrome', 'one'),
      ...of('c', 'Chrome', 'one'),
      ...of('d', 'Safari', 'one', 'two'),
      ...of('e', 'Opera', 'one', 'two', 'three'),
      ...of('f', 'Edge', 'one', 'two'),
    });
    expect(await groupsOf(app, query({}))).toEqual([
      [['Opera'], 1, 1, 1],
      [['Edge'], 1, 1, 0],
      [['Safari'], 1, 1, 0],
      [['Chrome'], 3, 0, 0],
    ]);
    const limited = { ...query({}), breakdownFilter: { breakdown: 'browser', breakdown_limit: 1 } };
    expect(await groupsOf(app, limited)).toEqual([
      [['Opera'], 1, 1, 1],
      [['Other'], 5, 2, 0],
    ]);
    const point = (funnelStepBreakdown: unknown) => ({ funnelStep: 1, funnelStepBreakdown });
    expect(await personsOf(app, limited, point('Other'))).toEqual(['a', 'b', 'c', 'd', 'f']);
    expect(await personsOf(app, limited, point(['Opera']))).toEqual(['e']);
  });
});

describe('A-6 a funnel without an order', () => {
  const unordered = { funnelOrderType: 'unordered' };

  test('needs two events for the same event twice', async () => {
    const app = await openWith({
      ann: [
        [0, 'visit'],
        [1, 'visit'],
        [2, 'pay'],
      ],
      bob: [
        [0, 'pay'],
        [1, 'visit'],
      ],
      cy: [[0, 'visit']],
    });
    expect(await countsOf(app, { series: steps('visit', 'visit'), funnelsFilter: unordered })).toEqual([
      3, 1,
    ]);
    expect(await countsOf(app, { series: steps('visit', 'visit', 'pay'), funnelsFilter: unordered })).toEqual(
      [3, 2, 1],
    );
    expect(await countsOf(app, { series: steps('visit', null), funnelsFilter: unordered })).toEqual([3, 2]);
  });

  test('counts the first attempt that comes as far, and begins again after an exclusion', async () => {
    const app = await openWith({
      ann: [
        [0, 'b'],
        [1, 'b'],
        [5, 'a'],
        [60, 'a'],
        [61, 'b'],
      ],
      bob: [
        [0, 'a'],
        [1, 'x'],
        [2, 'b'],
      ],
      cy: [
        [0, 'a'],
        [1, 'b'],
        [2, 'x'],
        [3, 'a'],
      ],
    });
    const funnelsFilter = { ...unordered, exclusions: [excluded('x', 0, 1)] };
    const { results } = await post(app, funnel({ series: steps('a', 'b'), funnelsFilter }));
    expect(results.map(({ count }: Step) => count)).toEqual([3, 2]);
    expect(results[1].average_conversion_time).toBe((300 + 60) / 2);
  });
});

describe('A-6 a funnel in strict order', () => {
  test('goes on over further events of the step at which a person is', async () => {
    const app = await openWith({
      'same step again': [
        [0, 'a'],
        [1, 'b'],
        [2, 'b'],
        [3, 'c'],
      ],
      'first step again': [
        [0, 'a'],
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ],
      broken: [
        [0, 'a'],
        [1, 'b'],
        [2, 'other'],
        [3, 'c'],
      ],
    });
    const query = { series: steps('a', 'b', 'c'), funnelsFilter: { funnelOrderType: 'strict' } };
    expect(await countsOf(app, query)).toEqual([3, 3, 2]);
    expect(await personsOf(app, query, { funnelStep: -3 })).toEqual(['broken']);
  });
});

test('A-6 an action with a step for any event fits every event', async () => {
  const app = await openWith({
    ann: [
      [0, 'signup'],
      [1, 'cart'],
    ],
  });
  const action = await app.ask('/api/projects/1/actions/', {
    method: 'POST',
    body: { name: 'Anything', steps: [{ event: 'pay' }, { event: null }] },
  });
  const series = [step('signup'), { kind: 'ActionsNode', id: action.json.id }];
  expect(await countsOf(app, { series })).toEqual([1, 1]);
});

describe('A-6 a funnel over time', () => {
  const trends = { funnelVizType: 'trends' };

  test('counts no event before its first day, also in a week that began before', async () => {
    // The 18th is a Wednesday.
    const DAY = 24 * 60;
    const app = await openWith({
      before: [
        [-DAY, 'a'],
        [-DAY + 1, 'b'],
      ],
      within: [
        [0, 'a'],
        [1, 'b'],
      ],
    });
    const { results } = await post(
      app,
      funnel({ series: steps('a', 'b'), interval: 'week', funnelsFilter: trends }),
    );
    expect(results).toMatchObject([
      { data: [100], reached_from_step_count: [1], reached_to_step_count: [1] },
    ]);
  });

  test('measures conversion between the steps that are picked', async () => {
    const app = await openWith({
      one: [
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
      ],
      two: [[0, 'a']],
      three: [
        [0, 'b'],
        [1, 'c'],
      ],
      four: [
        [0, 'a'],
        [1, 'b'],
      ],
    });
    const ask = async (filter: object) => {
      const dateRange = { date_from: '2026-11-18', date_to: '2026-11-18' };
      const query = { series: steps('a', 'b', 'c'), dateRange, funnelsFilter: { ...trends, ...filter } };
      const [line] = (await post(app, funnel(query))).results;
      return [line.reached_from_step_count, line.reached_to_step_count, line.data];
    };
    expect(await ask({ funnelFromStep: 1 })).toEqual([[2], [1], [50]]);
    expect(await ask({ funnelToStep: 1 })).toEqual([[3], [2], [66.67]]);
    expect(await ask({ funnelOrderType: 'unordered', funnelToStep: 1 })).toEqual([[4], [3], [75]]);
  });

  test('leaves out intervals whose attempts an exclusion voids', async () => {
    const app = await openWith({
      one: [
        [0, 'a'],
        [1, 'x'],
        [2, 'b'],
      ],
      two: [
        [0, 'a'],
        [1, 'b'],
      ],
    });
    const funnelsFilter = { ...trends, exclusions: [excluded('x', 0, 1)] };
    const [line] = (await post(app, funnel({ series: steps('a', 'b'), funnelsFilter }))).results;
    expect([line.reached_from_step_count, line.reached_to_step_count]).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});

test('M9.9/funnel times to convert are in as many bins as are requested, up to 90', async () => {
  const app = await openWith({
    a: [
      [0, 'one'],
      [60, 'two'],
      [180, 'three'],
    ],
    b: [
      [0, 'one'],
      [37, 'two'],
    ],
    c: [
      [0, 'one'],
      [1380, 'two'],
    ],
  });
  const ask = async (filter: object) => {
    const funnelsFilter = { funnelVizType: 'time_to_convert', funnelToStep: 1, ...filter };
    return (await post(app, funnel({ series: steps('one', 'two', 'three'), funnelsFilter }))).results;
  };
  expect(await ask({})).toEqual({
    bins: [
      [2220, 2],
      [42510, 0],
      [82800, 1],
    ],
    average_conversion_time: 29540,
    median_conversion_time: 3600,
  });
  expect((await ask({ binCount: 7 })).bins.map(([from]: [number]) => from)).toEqual([
    2220, 13732, 25244, 36756, 48268, 59780, 71292, 82804,
  ]);
  expect((await ask({ binCount: 200 })).bins).toHaveLength(91);
});
