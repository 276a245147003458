import { expect, test } from 'vitest';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import { askHogql } from '../../../../../test/support/ask-hogql.ts';
import {
  answerOf,
  actorsOf,
  openKindContext,
  type KindOptions,
} from '../../../../../test/support/kind-context.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';
import {
  daysFrom,
  localTime,
  MODEL_EVENTS,
  openModelApp,
  type ModelEvent,
  type TrendSeries,
} from '../../../../../test/support/trends-model.ts';
import { INTERVALS } from '../../node-schema.ts';
import { stickinessKind } from './index.ts';

const BOUGHT = { kind: 'EventsNode', event: 'bought' };
const VIEWED = { kind: 'EventsNode', event: '$pageview' };
const RANGE = { date_from: '2026-11-14', date_to: '2026-11-20' };

async function ask(app: TestApp, query: object, options: KindOptions = {}): Promise<TrendSeries[]> {
  const context = await openKindContext(app, options);
  const full = stickinessKind.schema.parse({
    kind: 'StickinessQuery',
    series: [BOUGHT],
    dateRange: RANGE,
    ...query,
  });
  return (await answerOf(stickinessKind, full, context)).results as TrendSeries[];
}

/** In how many intervals, named by a function, each of those who did something did it; and as many zeros as there are. */
function intervalsOf(
  events: readonly ModelEvent[],
  nameOf: (event: ModelEvent) => string,
  suffices: (count: number) => boolean = () => true,
  actorOf: (event: ModelEvent) => string | undefined = ({ who }) => who,
): Map<string, number> {
  const counts = new Map<string, Map<string, number>>();
  for (const event of events) {
    const actor = actorOf(event);
    if (actor === undefined) continue;
    const own = counts.get(actor) ?? new Map<string, number>();
    counts.set(actor, own.set(nameOf(event), (own.get(nameOf(event)) ?? 0) + 1));
  }
  return new Map(
    [...counts]
      .map(([actor, own]) => [actor, [...own.values()].filter(suffices).length] as const)
      .filter(([, n]) => n > 0),
  );
}

function histogram(intervals: Map<string, number>, length: number): number[] {
  return Array.from(
    { length },
    (_, at) => [...intervals.values()].filter((count) => count === at + 1).length,
  );
}

const day =
  (zone: string) =>
  ({ at }: ModelEvent): string =>
    localTime(at, zone).slice(0, 10);

function inRange(event: string, zone = 'UTC', from = '2026-11-14', to = '2026-11-20'): ModelEvent[] {
  return MODEL_EVENTS.filter((one) => one.event === event && day(zone)(one) >= from && day(zone)(one) <= to);
}

test('M9.9.2 stickiness counts persons by their exact number of active days, for each series', async () => {
  const app = await openModelApp();
  for (const zone of ['UTC', 'Europe/Berlin']) {
    const results = await ask(app, { series: [BOUGHT, VIEWED] }, { timezone: zone });
    const expected = ['bought', '$pageview'].map((name) =>
      histogram(intervalsOf(inRange(name, zone), day(zone)), 7),
    );
    expect(
      results.map(({ data }) => data),
      zone,
    ).toEqual(expected);
    expect(results.map(({ label, count }) => [label, count])).toEqual([
      ['bought', expected[0]!.reduce((a, b) => a + b)],
      ['$pageview', expected[1]!.reduce((a, b) => a + b)],
    ]);
    expect(results[0]!.labels.slice(0, 3)).toEqual(['1 day', '2 days', '3 days']);
    expect(results[0]!.days).toEqual([1, 2, 3, 4, 5, 6, 7]);
  }
});

test('M9.9.2 stickiness supports every interval, and multiples of them', async () => {
  const app = await openModelApp();
  const table = createCoverageTable('Intervals of stickiness', INTERVALS);
  const nameOf: Record<(typeof INTERVALS)[number], (local: string) => string> = {
    second: (local) => local,
    minute: (local) => local.slice(0, 16),
    hour: (local) => local.slice(0, 13),
    day: (local) => local.slice(0, 10),
    // 15 November 2026 is a Sunday.
    week: (local) =>
      String(Math.floor((Date.parse(local.slice(0, 10)) - Date.parse('2026-11-15')) / (7 * 86_400_000))),
    month: (local) => local.slice(0, 7),
    quarter: (local) => String(Math.floor((Number(local.slice(5, 7)) - 1) / 3)),
    year: (local) => local.slice(0, 4),
  };
  const cases: [interval: (typeof INTERVALS)[number], from: string, to: string, length: number][] = [
    ['second', '2026-11-16T12:00:00Z', '2026-11-16T12:01:59Z', 120],
    ['second', '2026-11-14T08:00:00Z', '2026-11-14T08:00:29Z', 30],
    ['minute', '2026-11-16', '2026-11-16T23:59:59Z', 1440],
    ['minute', '2026-11-14', '2026-11-14T23:59:59Z', 1440],
    ['hour', '2026-11-16', '2026-11-17T23:59:59Z', 48],
    ['hour', '2026-11-14', '2026-11-14T23:59:59Z', 24],
    // By the hour a day ends the range at its first moment.
    ['hour', '2026-11-16', '2026-11-17', 25],
    ['day', '2026-11-16', '2026-11-20', 5],
    ['day', '2026-10-12', '2026-10-31', 20],
    ['week', '2026-11-01', '2026-11-21', 3],
    ['week', '2026-11-15', '2026-11-20', 1],
    ['month', '2026-10-01', '2026-11-30', 2],
    ['month', '2026-11-01', '2026-11-30', 1],
    ['quarter', '2026-07-01', '2026-11-30', 2],
    ['quarter', '2026-10-01', '2026-11-30', 1],
    ['year', '2026-01-01', '2026-11-30', 1],
    ['year', '2026-11-01', '2026-11-30', 1],
  ];
  for (const [interval, from, to, length] of cases) {
    const [result] = await ask(app, {
      series: [VIEWED],
      interval,
      dateRange: { date_from: from, date_to: to },
    });
    const until = to === '2026-11-17' ? `${to}T00:00:00Z` : to.length === 10 ? `${to}T23:59:59Z` : to;
    const seen = MODEL_EVENTS.filter(
      ({ event, at }) => event === '$pageview' && Date.parse(at) >= Date.parse(from) && at <= until,
    );
    const intervals = intervalsOf(seen, ({ at }) => nameOf[interval](localTime(at, 'UTC')));
    expect(result!.data, `${interval} ${from}`).toEqual(histogram(intervals, length));
    expect(result!.labels.at(-1)).toBe(length === 1 ? `1 ${interval}` : `${length} ${interval}s`);
    table.saw(interval);
  }
  expect(table.missing()).toEqual([]);
  const [pairs] = await ask(app, { series: [VIEWED], intervalCount: 2 });
  const days = daysFrom('2026-11-14', '2026-11-20');
  const byPair = intervalsOf(inRange('$pageview'), (event) =>
    // Counted back from the last day, so that the first pair may lack a day.
    String(Math.floor((days.length - 1 - days.indexOf(day('UTC')(event))) / 2)),
  );
  expect(pairs!.data).toEqual(histogram(byPair, 4));
});

test('M9.9.2 stickiness can be cumulative, require a number of events, count groups, and compare', async () => {
  const app = await openModelApp();
  const plain = histogram(intervalsOf(inRange('bought'), day('UTC')), 7);
  const [cumulative] = await ask(app, { stickinessFilter: { computedAs: 'cumulative' } });
  expect(cumulative!.data).toEqual(plain.map((_, at) => plain.slice(at).reduce((a, b) => a + b)));
  expect(cumulative!.labels.slice(0, 2)).toEqual(['1 day or more', '2 days or more']);
  const criteria: [operator: string, value: number, suffices: (count: number) => boolean][] = [
    ['gte', 2, (count) => count >= 2],
    ['lte', 1, (count) => count <= 1],
    ['exact', 2, (count) => count === 2],
  ];
  for (const [operator, value, suffices] of criteria) {
    const [found] = await ask(app, { stickinessFilter: { stickinessCriteria: { operator, value } } });
    expect(found!.data, operator).toEqual(histogram(intervalsOf(inRange('bought'), day('UTC'), suffices), 7));
  }
  const groups = [{ ...BOUGHT, math: 'unique_group', math_group_type_index: 0 }];
  const [companies] = await ask(app, { series: groups });
  const byCompany = intervalsOf(inRange('bought'), day('UTC'), undefined, ({ company }) => company);
  expect(companies!.data).toEqual(histogram(byCompany, 7));
  const compared = await ask(app, { compareFilter: { compare: true } });
  const before = histogram(intervalsOf(inRange('bought', 'UTC', '2026-11-07', '2026-11-13'), day('UTC')), 7);
  expect(compared.map(({ compare_label, data }) => [compare_label, data])).toEqual([
    ['current', plain],
    ['previous', before],
  ]);
});

test('M9.9.2 the persons of each stickiness number are those active that often', async () => {
  const app = await openModelApp();
  const context = await openKindContext(app);
  const names = async (point: object, filter: object = {}): Promise<unknown[]> => {
    const query = stickinessKind.schema.parse({
      kind: 'StickinessQuery',
      series: [BOUGHT, VIEWED],
      dateRange: RANGE,
      ...filter,
    });
    const { select } = await actorsOf(stickinessKind, query, point, context);
    const ids = (await askHogql(app, select)).results.map(([id]) => id);
    const { results } = await askHogql(app, 'select person_id, distinct_id from person_distinct_ids');
    return results
      .filter(([id]) => ids.includes(id!))
      .map(([, name]) => name)
      .toSorted();
  };
  const intervals = intervalsOf(inRange('$pageview'), day('UTC'));
  for (const count of [1, 2, 3]) {
    const expected = [...intervals]
      .filter(([, own]) => own === count)
      .map(([who]) => who)
      .toSorted();
    expect(await names({ series: 1, day: count })).toEqual(expected);
  }
  expect(await names({ series: 1 })).toEqual([...intervals.keys()].toSorted());
  const atLeast = [...intervals]
    .filter(([, own]) => own >= 2)
    .map(([who]) => who)
    .toSorted();
  expect(await names({ series: 1, day: 2 }, { stickinessFilter: { computedAs: 'cumulative' } })).toEqual(
    atLeast,
  );
  await expect(names({ series: 2, day: 1 })).rejects.toThrow('This series does not exist');
  for (const wrong of [0, 8, 'x', 1.5]) await expect(names({ day: wrong })).rejects.toThrow('from 1 to 7');
});

test('A-5 stickiness counts the values of an expression, and several events as one series', async () => {
  const app = await openModelApp();
  const byValue = (of: ModelEvent['properties'][string] | undefined): string | undefined =>
    of === undefined || of === null ? undefined : String(of);
  const [variants] = await ask(app, {
    series: [{ ...VIEWED, math: 'hogql', math_hogql: 'e.properties.$browser' }],
  });
  const expected = intervalsOf(inRange('$pageview'), day('UTC'), undefined, ({ properties }) =>
    byValue(properties['$browser']),
  );
  expect(variants!.data).toEqual(histogram(expected, 7));
  const group = { kind: 'GroupNode', operator: 'OR', nodes: [BOUGHT, VIEWED] };
  const [either] = await ask(app, { series: [group] });
  const both = [...inRange('bought'), ...inRange('$pageview')];
  expect([either!.label, either!.data]).toEqual([
    'bought, $pageview',
    histogram(intervalsOf(both, day('UTC')), 7),
  ]);
});

test('A-5 the persons of a stickiness number can be those of at least or at most as many intervals', async () => {
  const app = await openModelApp();
  const intervals = intervalsOf(inRange('$pageview'), day('UTC'));
  const names = async (point: object): Promise<number> => {
    const query = stickinessKind.schema.parse({
      kind: 'StickinessQuery',
      series: [VIEWED],
      dateRange: RANGE,
    });
    const { select } = await actorsOf(stickinessKind, query, point, await openKindContext(app));
    return (await askHogql(app, select)).results.length;
  };
  const how = (fits: (count: number) => boolean): number => [...intervals.values()].filter(fits).length;
  expect(await names({ day: 2, operator: 'gte' })).toBe(how((count) => count >= 2));
  expect(await names({ day: 2, operator: 'lte' })).toBe(how((count) => count <= 2));
  expect(await names({ day: 2, operator: 'exact' })).toBe(how((count) => count === 2));
  expect(how((count) => count >= 2) + how((count) => count < 2)).toBe(intervals.size);
});
