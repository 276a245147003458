import { expect, test } from 'vitest';
import {
  askTrend,
  byDay,
  daysFrom,
  MODEL_EVENTS,
  openModelApp,
  trendActors,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';

const DAYS = daysFrom('2026-11-13', '2026-11-20');
const BOUGHT = { kind: 'EventsNode', event: 'bought' };
const VIEWED = { kind: 'EventsNode', event: '$pageview' };

const counts = (fits: (event: ModelEvent) => boolean): number[] =>
  byDay(MODEL_EVENTS.filter(fits), DAYS, 'UTC').map((list) => list.length);
const ask = async (app: TestApp, query: object) => (await askTrend(app, query)).results;

test('A-5 several events and actions are one series, each with its own filters', async () => {
  const app = await openModelApp();
  const { json } = await app.ask('/api/projects/1/actions/', {
    method: 'POST',
    body: {
      name: 'Safari',
      steps: [{ event: '$pageview', properties: [{ key: '$browser', value: 'Safari' }] }],
    },
  });
  const big = { ...BOUGHT, properties: [{ key: 'amount', operator: 'gte', value: 20 }] };
  const group = { kind: 'GroupNode', operator: 'OR', nodes: [big, { kind: 'ActionsNode', id: json.id }] };
  const fits = ({ event, properties }: ModelEvent): boolean =>
    event === 'bought' ? Number(properties['amount']) >= 20 : properties['$browser'] === 'Safari';
  const [either, persons, named] = await ask(app, {
    series: [group, { ...group, math: 'dau' }, { ...group, name: 'Either', custom_name: 'Own' }],
  });
  expect([either!.data, either!.label]).toEqual([counts(fits), 'bought, Safari']);
  expect(either!.action).toMatchObject({ type: 'groups', order: 0, name: 'bought, Safari' });
  expect(persons!.data[2]).toBe(0);
  expect(persons!.data.slice(0, 2)).toEqual([0, 2]);
  expect([named!.label, named!.action]).toEqual(['Either', expect.objectContaining({ custom_name: 'Own' })]);
  const own = { ...group, properties: [{ key: 'plan', type: 'person', value: 'pro' }] };
  expect((await ask(app, { series: [own] }))[0]!.data).toEqual(
    counts((event) => fits(event) && event.who === 'lin'),
  );
  expect(await trendActors(app, { series: [group] }, { day: '2026-11-14' })).toEqual(['lin', 'mo']);
  const one = { ...group, operator: 'AND', nodes: [BOUGHT] };
  expect((await ask(app, { series: [one] }))[0]!.data).toEqual(counts(({ event }) => event === 'bought'));
  const both = { ...group, operator: 'AND' };
  await expect(ask(app, { series: [both] })).rejects.toThrow('the operator AND of a GroupNode');
});

test('A-5 the numbers of a property can be multiplied', async () => {
  const app = await openModelApp();
  for (const math of ['sum', 'avg', 'max', 'median']) {
    const series = { ...BOUGHT, math, math_property: 'amount' };
    const [plain, half] = await ask(app, { series: [series, { ...series, math_multiplier: 0.5 }] });
    expect(half!.data, math).toEqual(plain!.data.map((number) => number / 2));
  }
  const twice = { ...BOUGHT, math: 'sum', math_property: 'amount', math_multiplier: '2' };
  expect(
    (await ask(app, { series: [twice], trendsFilter: { display: 'BoldNumber' } }))[0]!.aggregated_value,
  ).toBe(246);
});

test('A-5 of two first events at one moment, one that fits counts', async () => {
  const at = '2026-11-16T10:00:00Z';
  const first = (who: string, amount: number): ModelEvent => ({
    event: 'bought',
    who,
    at,
    properties: { amount },
  });
  const app = await openModelApp([first('lin', 1), first('lin', 2), first('mo', 1), first('mo', 1)]);
  const of = async (math: string) => {
    const series = [{ ...BOUGHT, math, properties: [{ key: 'amount', value: 2 }] }];
    return (await ask(app, { series }))[0]!.count;
  };
  expect(await of('first_time_for_user')).toBe(1);
  expect(await of('first_time_for_user_with_filters')).toBe(1);
});

test('A-5 active users may be groups of a type', async () => {
  const app = await openModelApp();
  const series = { ...BOUGHT, math_group_type_index: 0 };
  const [active, daily, unique] = await ask(app, {
    series: ['weekly_active', 'dau', 'unique_group'].map((math) => ({ ...series, math })),
  });
  expect(active!.data).toEqual([1, 1, 2, 2, 2, 2, 2, 2]);
  expect(daily!.data).toEqual(unique!.data);
});

test('A-5 names in the expression of a breakdown change nothing', async () => {
  const app = await openModelApp();
  const by = async (breakdown: string) =>
    (await ask(app, { series: [VIEWED], breakdownFilter: { breakdown, breakdown_type: 'hogql' } })).map(
      ({ label, data }) => [label, data],
    );
  const plain = await by('lower(properties.$browser)');
  expect(plain.length).toBeGreaterThan(2);
  for (const named of [
    'lower(properties.$browser) AS "Browser"',
    'lower(properties.$browser) AS breakdown_value',
    'lower(properties.$browser AS event)',
  ]) {
    expect(await by(named), named).toEqual(plain);
  }
});

test('A-5 formulas come one after another, each with both periods', async () => {
  const app = await openModelApp();
  const query = {
    series: [BOUGHT, VIEWED],
    trendsFilter: { formulaNodes: [{ formula: 'A ** 2' }, { formula: 'A+2*B', custom_name: 'Both' }] },
    compareFilter: { compare: true },
  };
  const results = await ask(app, query);
  expect(results.map(({ label, compare_label: of, action }) => [label, of, action])).toEqual([
    ['Formula (A ** 2)', 'current', null],
    ['Formula (A ** 2)', 'previous', null],
    ['Both', 'current', null],
    ['Both', 'previous', null],
  ]);
  const bought = counts(({ event }) => event === 'bought');
  expect(results[0]!.data).toEqual(bought.map((count) => count ** 2));
  const broken = await ask(app, {
    ...query,
    compareFilter: null,
    breakdownFilter: { breakdown: '$browser', breakdown_limit: 2 },
    trendsFilter: { formula: 'B - A' },
  });
  expect(broken.map(({ label, breakdown_value: value }) => [label, value])).toEqual([
    ['Formula (B - A)', 'Safari'],
    ['Formula (B - A)', 'Chrome'],
    ['Formula (B - A)', NULL_VALUE],
    ['Formula (B - A)', OTHER_VALUE],
  ]);
});
