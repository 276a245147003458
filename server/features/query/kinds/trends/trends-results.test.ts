import { expect, test } from 'vitest';
import {
  askTrend,
  byDay,
  daysFrom,
  different,
  MODEL_EVENTS,
  openModelApp,
  trendActors,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import { HogqlError } from '../../../../hogql/errors.ts';
import { OTHER_VALUE } from '../../breakdown.ts';

const DAYS = daysFrom('2026-11-13', '2026-11-20');
const BEFORE = daysFrom('2026-11-06', '2026-11-13');
const BOUGHT = { kind: 'EventsNode', event: 'bought' };
const VIEWED = { kind: 'EventsNode', event: '$pageview' };

const named = (name: string): ModelEvent[] => MODEL_EVENTS.filter(({ event }) => event === name);
const counts = (name: string, days = DAYS): number[] =>
  byDay(named(name), days, 'UTC').map((list) => list.length);

test('M9.9 formulas are computed from series, one line for each', async () => {
  const app = await openModelApp();
  const [a, b] = [counts('bought'), counts('$pageview')];
  const each = (of: (a: number, b: number) => number): number[] => a.map((x, at) => of(x, b[at]!));
  const ask = async (trendsFilter: object) =>
    (await askTrend(app, { series: [BOUGHT, VIEWED], trendsFilter })).results;
  const [share] = await ask({ formula: 'A / (A + B) * 100' });
  expect(share!.data).toEqual(each((x, y) => (x + y === 0 ? 0 : (x / (x + y)) * 100)));
  expect([share!.label, share!.action]).toEqual(['Formula (A / (A + B) * 100)', null]);
  const several = await ask({ formulas: ['A - B', 'greatest(A, B) % 3', '-A'] });
  expect(several.map(({ data }) => data)).toEqual([
    each((x, y) => x - y),
    each((x, y) => Math.max(x, y) % 3),
    each((x) => 0 - x),
  ]);
  const [total] = await ask({ formula: 'A/B', display: 'BoldNumber' });
  expect(total!.aggregated_value).toBe(a.reduce((x, y) => x + y) / b.reduce((x, y) => x + y));
  const refused: [formula: string, detail: string][] = [
    ['A + C', 'Series C does not exist: the last one is B'],
    ['A + properties.x', 'Series properties.x does not exist'],
    ['sleep(A)', 'supports the functions'],
    ['constructor(A)', 'supports the functions'],
    [`A = 'x'`, 'only contain series, numbers'],
    [`'a'`, 'only contain series, numbers'],
    ['(SELECT 1)', 'only contain series, numbers'],
  ];
  for (const [formula, detail] of refused) await expect(ask({ formula })).rejects.toThrow(detail);
  await expect(ask({ formula: 'A +' })).rejects.toBeInstanceOf(HogqlError);
});

test('M9.9 a formula over a breakdown uses the values of all its series together', async () => {
  const app = await openModelApp();
  const query = {
    series: [BOUGHT, VIEWED],
    trendsFilter: { formula: 'A + B * 100' },
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'person', breakdown_limit: 1 },
  };
  const { results } = await askTrend(app, query);
  const plans: Record<string, string> = { lin: 'pro', mo: 'free', sam: 'free' };
  const of = (isWanted: (plan: string | undefined) => boolean): number[] =>
    byDay(
      MODEL_EVENTS.filter(({ who }) => isWanted(plans[who])),
      DAYS,
      'UTC',
    ).map((list) => list.reduce((sum, { event }) => sum + (event === 'bought' ? 1 : 100), 0));
  expect(results.map(({ breakdown_value: value, data }) => [value, data])).toEqual([
    ['free', of((plan) => plan === 'free')],
    // Also what has no value.
    [OTHER_VALUE, of((plan) => plan !== 'free')],
  ]);
});

test('A-5 the previous period comes after the current one, each broken down by its own values', async () => {
  const app = await openModelApp();
  const { results } = await askTrend(app, { series: [BOUGHT, VIEWED], compareFilter: { compare: true } });
  expect(results.map(({ label, compare, compare_label: of }) => [label, compare, of])).toEqual([
    ['bought', true, 'current'],
    ['$pageview', true, 'current'],
    ['bought', true, 'previous'],
    ['$pageview', true, 'previous'],
  ]);
  expect(results.map(({ data }) => data)).toEqual([
    counts('bought'),
    counts('$pageview'),
    counts('bought', BEFORE),
    counts('$pageview', BEFORE),
  ]);
  expect(results[2]!.days).toEqual(BEFORE);
  const month = await askTrend(app, {
    series: [BOUGHT],
    compareFilter: { compare: true, compare_to: '-1m' },
  });
  expect(month.results[1]!.data).toEqual(counts('bought', daysFrom('2026-10-13', '2026-10-20')));
  const browsers = await askTrend(app, {
    series: [VIEWED],
    compareFilter: { compare: true },
    breakdownFilter: { breakdown: '$browser', breakdown_limit: 2 },
  });
  const values = (of: string): unknown[] =>
    browsers.results.filter((one) => one.compare_label === of).map(({ breakdown_value: value }) => value);
  expect([values('current'), values('previous')]).toEqual([['Chrome', 'Safari', OTHER_VALUE], ['Safari']]);
  const all = { series: [BOUGHT], dateRange: { date_from: 'all' }, compareFilter: { compare: true } };
  const { results: ever } = await askTrend(app, all);
  expect(ever.map(({ count }) => count)).toEqual([named('bought').length, 0]);
});

test('M9.9 lines are smoothed and cumulated for display', async () => {
  const app = await openModelApp();
  const data = counts('bought');
  const ask = async (trendsFilter: object) =>
    (await askTrend(app, { series: [BOUGHT], trendsFilter })).results[0]!;
  const smooth = await ask({ smoothingIntervals: 3 });
  expect(smooth.data).toEqual(
    data.map((_, at) => {
      const window = data.slice(Math.max(0, at - 2), at + 1);
      return Math.floor(window.reduce((a, b) => a + b) / window.length);
    }),
  );
  const series = [{ ...BOUGHT, math: 'avg', math_property: 'amount' }];
  const pie = { smoothingIntervals: 3, display: 'ActionsPie' };
  const plain = await askTrend(app, { series, trendsFilter: { display: 'ActionsPie' } });
  const [mean] = (await askTrend(app, { series, trendsFilter: pie })).results;
  expect(mean!.aggregated_value).toBe(plain.results[0]!.aggregated_value);
  expect(mean!.aggregated_value! % 1).not.toBe(0);
  const grown = await ask({ display: 'ActionsLineGraphCumulative' });
  expect(grown.data).toEqual(data.map((_, at) => data.slice(0, at + 1).reduce((a, b) => a + b)));
  expect(grown.count).toBe(data.reduce((a, b) => a + b));
});

test('M9.9 a cumulative trend counts a person, group or session once, where it first appears', async () => {
  const app = await openModelApp();
  const viewed = byDay(named('$pageview'), DAYS, 'UTC');
  const grownOf = (days: readonly (readonly ModelEvent[])[], keyOf: (event: ModelEvent) => unknown) =>
    days.map(
      (_, at) =>
        different(
          days
            .slice(0, at + 1)
            .flat()
            .map(keyOf)
            .filter(Boolean),
        ).length,
    );
  const ask = async (more: object, of: object = {}) =>
    (
      await askTrend(app, {
        series: [{ ...VIEWED, ...more }],
        trendsFilter: { display: 'ActionsLineGraphCumulative' },
        ...of,
      })
    ).results;
  const [persons] = await ask({ math: 'dau' });
  expect(persons!.data).toEqual(grownOf(viewed, ({ who }) => who));
  expect(persons!.count).toBe(persons!.data.at(-1));
  const [sessions] = await ask({ math: 'unique_session' });
  expect(sessions!.data).toEqual(grownOf(viewed, ({ properties }) => properties['$session_id']));
  const [companies] = await ask({ ...BOUGHT, math: 'unique_group', math_group_type_index: 0 });
  expect(companies!.data).toEqual(grownOf(byDay(named('bought'), DAYS, 'UTC'), ({ company }) => company));
  const browsers = await ask({ math: 'dau' }, { breakdownFilter: { breakdown: '$browser' } });
  for (const { breakdown_value: browser, data } of browsers.filter(({ data: days }) => days.at(-1)! > 0))
    expect(data, String(browser)).toEqual(
      grownOf(
        viewed.map((day) =>
          day.filter(
            ({ properties }) => (properties['$browser'] || '$$_posthog_breakdown_null_$$') === browser,
          ),
        ),
        ({ who }) => who,
      ),
    );
});

test('M9.9 displays of one number have that number, and no points', async () => {
  const app = await openModelApp();
  for (const display of ['BoldNumber', 'ActionsPie', 'ActionsBarValue', 'ActionsTable', 'WorldMap']) {
    const { results } = await askTrend(app, { series: [BOUGHT], trendsFilter: { display } });
    const [{ data, labels, days, count, aggregated_value: value }] = results as [(typeof results)[0]];
    expect([data, labels, days, count, value], display).toEqual([[], [], [], 0, 6 + 1]);
  }
  const { results } = await askTrend(app, {
    series: [VIEWED],
    trendsFilter: { display: 'ActionsPie' },
    breakdownFilter: { breakdown: '$browser' },
  });
  expect(results.map(({ breakdown_value: value, aggregated_value: count }) => [value, count])).toEqual([
    ['Chrome', 2],
    ['Safari', 2],
    ['Edge', 1],
    ['Firefox', 1],
    ['$$_posthog_breakdown_null_$$', 1],
  ]);
});

test('M9.9 test accounts are left out when requested, and filters of the query apply to every series', async () => {
  const app = await openModelApp();
  const testAccountFilters = [
    { key: 'plan', type: 'person' as const, operator: 'is_not' as const, value: 'free' },
  ];
  const ask = async (query: object) =>
    (await askTrend(app, { series: [BOUGHT], ...query }, { testAccountFilters })).results[0]!.data;
  const paying = byDay(
    named('bought').filter(({ who }) => who !== 'mo' && who !== 'sam'),
    DAYS,
    'UTC',
  ).map((list) => list.length);
  expect(await ask({ filterTestAccounts: true })).toEqual(paying);
  expect(await ask({ filterTestAccounts: false })).toEqual(counts('bought'));
  const either = {
    type: 'OR',
    values: [
      { type: 'AND', values: [{ key: 'amount', operator: 'gt', value: 20 }] },
      { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] },
    ],
  };
  const fits = ({ who, properties }: ModelEvent): boolean =>
    Number(properties['amount']) > 20 || who === 'lin';
  expect(await ask({ properties: either })).toEqual(
    byDay(named('bought').filter(fits), DAYS, 'UTC').map((list) => list.length),
  );
});

test('M9.9 sampled counts are scaled up', async () => {
  const many = Array.from({ length: 400 }, (_, at) => ({
    event: 'bought',
    who: `p${at}`,
    at: '2026-11-19T12:00:00Z',
    properties: { amount: 10 },
  }));
  const app = await openModelApp(many);
  const ask = async (math: string) => {
    const series = [{ ...BOUGHT, math, math_property: 'amount' }];
    return (await askTrend(app, { series, samplingFactor: 0.5 })).results[0]!.count;
  };
  for (const math of ['total', 'dau']) {
    expect(await ask(math), math).toBeGreaterThan(300);
    expect(await ask(math), math).toBeLessThan(500);
    expect((await ask(math)) % 2, math).toBe(0);
  }
  expect(await ask('avg')).toBe(10);
  await expect(askTrend(app, { series: [BOUGHT], samplingFactor: 0 })).rejects.toThrow('samplingFactor');
});

test('M9.7 an action is a series: its steps are alternatives', async () => {
  const app = await openModelApp();
  const answer = await app.ask('/api/projects/1/actions/', {
    method: 'POST',
    body: {
      name: 'Big or Chrome',
      steps: [
        { event: 'bought', properties: [{ key: 'amount', operator: 'gte', value: 20, type: 'event' }] },
        { event: '$pageview', properties: [{ key: '$browser', value: 'Chrome', type: 'event' }] },
      ],
    },
  });
  const { id } = answer.json as { id: number };
  const { results } = await askTrend(app, {
    series: [
      { kind: 'ActionsNode', id },
      { kind: 'ActionsNode', id: 999 },
    ],
  });
  const fits = ({ event, properties }: ModelEvent): boolean =>
    event === 'bought' ? Number(properties['amount']) >= 20 : properties['$browser'] === 'Chrome';
  expect(results[0]!.data).toEqual(byDay(MODEL_EVENTS.filter(fits), DAYS, 'UTC').map((list) => list.length));
  expect(results[0]!.action).toMatchObject({ id, type: 'actions', name: 'Big or Chrome', order: 0 });
  expect(results[0]!.label).toBe('Big or Chrome');
  // One that was deleted is no series.
  expect(results).toHaveLength(1);
});

test('M9.9 the persons of a data point are those that were counted there', async () => {
  const app = await openModelApp();
  const query = {
    series: [
      BOUGHT,
      { ...VIEWED, math: 'weekly_active' },
      { ...BOUGHT, math: 'unique_group', math_group_type_index: 0 },
    ],
  };
  const day = '2026-11-17';
  const on = (name: string) => named(name).filter(({ at }) => at.startsWith(day));
  expect(await trendActors(app, query, { series: 0, day })).toEqual(
    different(on('bought').map(({ who }) => who)).toSorted(),
  );
  const week = named('$pageview').filter(({ at }) => at >= '2026-11-11' && at < '2026-11-18');
  expect(await trendActors(app, query, { series: 1, day })).toEqual(
    different(week.map(({ who }) => who)).toSorted(),
  );
  expect(await trendActors(app, query, { series: 2, day: `${day}T00:00:00Z` })).toEqual(['acme']);
  expect(await trendActors(app, query, { series: 0 })).toEqual(['eve', 'lin', 'mo', 'sam']);
  const broken = { series: [VIEWED], breakdownFilter: { breakdown: '$browser', breakdown_limit: 1 } };
  expect(await trendActors(app, broken, { breakdown: 'Chrome' })).toEqual(['lin', 'sam']);
  expect(await trendActors(app, broken, { breakdown: OTHER_VALUE })).toEqual(['eve', 'lin', 'mo', 'sam']);
  expect(await trendActors(app, broken, { breakdown: '$$_posthog_breakdown_null_$$' })).toEqual(['sam']);
  const first = { series: [{ ...BOUGHT, math: 'first_time_for_user' }] };
  expect(await trendActors(app, first, { day: '2026-11-19' })).toEqual(['eve']);
  expect(
    await trendActors(app, { series: [BOUGHT], compareFilter: { compare: true } }, { compare: 'previous' }),
  ).toEqual(['sam']);
  await expect(trendActors(app, query, { series: 9 })).rejects.toThrow('This series does not exist');
  // Also on a day that the query does not show.
  expect(await trendActors(app, query, { day: '2026-11-07' })).toEqual(['sam']);
  expect(await trendActors(app, query, { day: '2025-01-01' })).toEqual([]);
  await expect(trendActors(app, query, { day: 'x' })).rejects.toThrow('does not have the interval');
});

test('an invalid query is refused, and a hostile one too', async () => {
  const app = await openModelApp([]);
  const ask = (query: object) => askTrend(app, { series: [BOUGHT], ...query });
  await expect(ask({ dateRange: { date_from: 'soon' } })).rejects.toThrow('date_from');
  await expect(ask({ interval: 'minute', dateRange: { date_from: '-3y' } })).rejects.toThrow(
    '50000 data points',
  );
  await expect(ask({ properties: [{ type: 'hogql', key: '1; DROP TABLE events' }] })).rejects.toBeInstanceOf(
    HogqlError,
  );
  const names = [`x'; DROP TABLE events; --`, '__proto__', '', '\u0000', '$$_posthog_breakdown_other_$$'];
  for (const event of names) {
    expect((await ask({ series: [{ ...BOUGHT, event }] })).results[0]!.count, event).toBe(0);
  }
  expect((await ask({ breakdownFilter: { breakdown: `a"); DROP TABLE events; --` } })).results).toEqual([]);
  expect(
    (await ask({ dateRange: { date_from: '2026-11-20', date_to: '2026-11-10' } })).results[0]!.data,
  ).toEqual([]);
});
