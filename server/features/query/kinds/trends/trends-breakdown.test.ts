import { afterAll, expect, test } from 'vitest';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import {
  askTrend,
  byDay,
  COMPANIES,
  daysFrom,
  different,
  MODEL_EVENTS,
  openModelApp,
  PERSONS,
  trendActors,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import type { KindOptions } from '../../../../../test/support/kind-context.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';
import { BREAKDOWN_TYPES, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';

const DAYS = daysFrom('2026-11-13', '2026-11-20');
const BOUGHT = { kind: 'EventsNode', event: 'bought' };
const VIEWED = { kind: 'EventsNode', event: '$pageview' };

type Text = (event: ModelEvent) => string | null;

const property =
  (name: string): Text =>
  ({ properties }) =>
    properties[name] === undefined || properties[name] === null ? null : String(properties[name]);
const ofPerson =
  (name: string): Text =>
  ({ who }) =>
    PERSONS[who]![name] === undefined ? null : String(PERSONS[who]![name]);
const ofCompany =
  (name: string): Text =>
  ({ company }) =>
    company === undefined ? null : (COMPANIES[company]![name] ?? null);

/** The days' counts by value: the greatest first, then what is missing, then the sums of the others (A-5). */
function expected(
  events: readonly ModelEvent[],
  of: Text,
  limit = 25,
  measure: (events: readonly ModelEvent[]) => number = (list) => list.length,
): [string, number[]][] {
  const inDays = byDay(events, DAYS, 'UTC').flat();
  const valueOf = (event: ModelEvent): string => of(event) || NULL_VALUE;
  const numbersOf = (value: string): number[] =>
    byDay(
      inDays.filter((event) => valueOf(event) === value),
      DAYS,
      'UTC',
    ).map(measure);
  const sumOf = (value: string): number => numbersOf(value).reduce((sum, number) => sum + number, 0);
  const isMissing = (value: string): number => (value === NULL_VALUE ? 1 : 0);
  const ranked = different(inDays.map(valueOf)).toSorted(
    (a, b) => isMissing(a) - isMissing(b) || sumOf(b) - sumOf(a) || (a < b ? -1 : 1),
  );
  const others = ranked.slice(limit).map(numbersOf);
  return [
    ...ranked.slice(0, limit).map((value): [string, number[]] => [value, numbersOf(value)]),
    ...(others.length === 0
      ? []
      : [
          [OTHER_VALUE, DAYS.map((_, at) => others.reduce((sum, one) => sum + one[at]!, 0))] as [
            string,
            number[],
          ],
        ]),
  ];
}

const named = (name: string): ModelEvent[] => MODEL_EVENTS.filter(({ event }) => event === name);
const persons = (events: readonly ModelEvent[]): number => different(events.map(({ who }) => who)).length;

/** Types of breakdowns, and what else they can be. */
const coverage = createCoverageTable('Breakdowns', [
  ...BREAKDOWN_TYPES,
  'several',
  'bins',
  'limit',
  '$feature/checkout-v2',
]);
afterAll(() => {
  expect(coverage.missing()).toEqual([]);
});

test('M9.9 a trend is broken down by properties of events, persons, groups and sessions', async () => {
  const app = await openModelApp();
  const durations: Record<string, string> = { s1: '0', s2: '1800', s3: '60', s4: '0', s5: '0' };
  const entries: Record<string, string> = {};
  const cases: [series: object, filter: Record<string, unknown>, events: ModelEvent[], of: Text][] = [
    [
      BOUGHT,
      { breakdown: '$feature/checkout-v2', breakdown_type: 'event' },
      named('bought'),
      property('$feature/checkout-v2'),
    ],
    [VIEWED, { breakdown: '$browser' }, named('$pageview'), property('$browser')],
    [BOUGHT, { breakdown: 'plan', breakdown_type: 'person' }, named('bought'), ofPerson('plan')],
    [VIEWED, { breakdowns: [{ property: 'age', type: 'person' }] }, named('$pageview'), ofPerson('age')],
    [
      BOUGHT,
      { breakdown: 'tier', breakdown_type: 'group', breakdown_group_type_index: 0 },
      named('bought'),
      ofCompany('tier'),
    ],
    [
      BOUGHT,
      { breakdowns: [{ property: '$group_key', type: 'group', group_type_index: 0 }] },
      named('bought'),
      ({ company }) => company ?? null,
    ],
    [
      VIEWED,
      { breakdown: '$session_duration', breakdown_type: 'session' },
      named('$pageview'),
      ({ properties }) => durations[String(properties['$session_id'])] ?? null,
    ],
    [
      VIEWED,
      { breakdown: '$entry_current_url', breakdown_type: 'session' },
      named('$pageview'),
      ({ properties }) => entries[String(properties['$session_id'])] ?? null,
    ],
    [
      BOUGHT,
      { breakdown: `if(toFloat(properties.amount) >= 20, 'much', 'little')`, breakdown_type: 'hogql' },
      named('bought'),
      ({ properties }) => (Number(properties['amount']) >= 20 ? 'much' : 'little'),
    ],
    [
      VIEWED,
      { breakdowns: [{ property: 'length(properties.$browser)', type: 'hogql' }] },
      named('$pageview'),
      ({ properties }) => String(String(properties['$browser']).length),
    ],
    [
      BOUGHT,
      { breakdown: 'distinct_id', breakdown_type: 'event_metadata' },
      named('bought'),
      ({ who }) => who,
    ],
    [
      VIEWED,
      { breakdown: '$session_id', breakdown_type: 'event_metadata' },
      named('$pageview'),
      property('$session_id'),
    ],
  ];
  for (const [series, breakdownFilter, events, of] of cases) {
    const name = JSON.stringify(breakdownFilter);
    const { results } = await askTrend(app, { series: [series], breakdownFilter });
    const found = results.map(({ breakdown_value: value, data }) => [[value].flat()[0], data]);
    expect(found, name).toEqual(expected(events, of));
    const [item] = (breakdownFilter['breakdowns'] as { type: string }[] | undefined) ?? [];
    coverage.saw(item?.type ?? String(breakdownFilter['breakdown_type'] ?? 'event'));
  }
}, 180_000);

test('A-5 values beyond the limit are merged or hidden, for any math', async () => {
  const app = await openModelApp();
  const cases: [math: object, measure: (events: readonly ModelEvent[]) => number][] = [
    [{}, (events) => events.length],
    [{ math: 'dau' }, persons],
    [
      { math: 'sum', math_property: 'load' },
      (events) => events.reduce((sum, { properties }) => sum + Number(properties['load'] ?? 0), 0),
    ],
    [
      { math: 'avg_count_per_actor' },
      (events) => (events.length === 0 ? 0 : events.length / persons(events)),
    ],
  ];
  for (const limit of [1, 2]) {
    for (const [math, measure] of cases) {
      const query = {
        series: [{ ...VIEWED, ...math }],
        breakdownFilter: { breakdown: '$browser', breakdown_limit: limit },
      };
      const all = expected(named('$pageview'), property('$browser'), limit, measure);
      const { results, hasMore } = await askTrend(app, query);
      const name = `${JSON.stringify(math)} ${limit}`;
      expect(
        results.map(({ breakdown_value: value }) => value),
        name,
      ).toEqual(all.map(([value]) => value));
      expect(
        results.map(({ data }) => data),
        name,
      ).toEqual(all.map(([, data]) => data));
      expect(hasMore, name).toBe(true);
      coverage.saw('limit');
      const hidden = { ...query.breakdownFilter, breakdown_hide_other_aggregation: true };
      const rest = await askTrend(app, { ...query, breakdownFilter: hidden });
      expect(
        rest.results.map(({ breakdown_value: value }) => value),
        name,
      ).toEqual(all.map(([value]) => value).filter((value) => value !== OTHER_VALUE));
    }
  }
}, 180_000);

test('M9.9 a trend is broken down by several properties together', async () => {
  const app = await openModelApp();
  const breakdowns = [{ property: '$browser' }, { property: 'plan', type: 'person' }];
  const ask = async (limit: number) =>
    (await askTrend(app, { series: [VIEWED], breakdownFilter: { breakdowns, breakdown_limit: limit } }))
      .results;
  const pairs = (event: ModelEvent): string =>
    JSON.stringify([property('$browser')(event) || NULL_VALUE, ofPerson('plan')(event) || NULL_VALUE]);
  const all = expected(named('$pageview'), pairs);
  const found = await ask(25);
  expect(found.map(({ breakdown_value: value, data }) => [JSON.stringify(value), data])).toEqual(
    expect.arrayContaining(all),
  );
  expect(found).toHaveLength(all.length);
  expect(found.map(({ label }) => label)).toContain(`${NULL_VALUE}::free`);
  coverage.saw('several');
  const two = await ask(2);
  expect(two.map(({ breakdown_value: value }) => value).at(-1)).toEqual([OTHER_VALUE, OTHER_VALUE]);
  expect(two.reduce((sum, { count }) => sum + count, 0)).toBe(
    found.reduce((sum, { count }) => sum + count, 0),
  );
  coverage.saw('several');
});

test('A-5 numbers are broken down into bins of equal width', async () => {
  const bought = (amount: number | string | null): ModelEvent => ({
    event: 'bought',
    who: 'lin',
    at: '2026-11-17T10:00:00Z',
    properties: { amount },
  });
  const app = await openModelApp([10, 10, 10, 10, 10, 10, 20, 20, 30, 40].map(bought));
  const ask = async (bins: number, of: TestApp, filter: object = {}) =>
    (
      await askTrend(of, {
        series: [BOUGHT],
        breakdownFilter: { breakdown: 'amount', breakdown_histogram_bin_count: bins, ...filter },
      })
    ).results.map(({ label, breakdown_value: value, count }) => [label, value, count]);
  const four = [
    ['[10,17.5]', '[10,17.5]', 6],
    ['[17.5,25]', '[17.5,25]', 2],
    ['[25,32.5]', '[25,32.5]', 1],
    ['[32.5,40.01]', '[32.5,40.01]', 1],
  ];
  expect(await ask(4, app)).toEqual(four);
  expect(await ask(4, app, { breakdown_limit: 2 })).toEqual([
    ...four.slice(0, 2),
    [OTHER_VALUE, OTHER_VALUE, 2],
  ]);
  // Bins that hold nothing are no series.
  expect(await ask(10, app)).toEqual([
    ['[10,13]', '[10,13]', 6],
    ['[19,22]', '[19,22]', 2],
    ['[28,31]', '[28,31]', 1],
    ['[37,40.01]', '[37,40.01]', 1],
  ]);
  coverage.saw('bins');
  const one = await openModelApp([bought(4), bought(null), bought('much')]);
  expect(await ask(10, one)).toEqual([
    ['[4,4.01]', '[4,4.01]', 1],
    ['["",""]', '["",""]', 2],
  ]);
  coverage.saw('bins');
  const bins = {
    series: [BOUGHT],
    breakdownFilter: { breakdown: 'amount', breakdown_histogram_bin_count: 4 },
  };
  const some = await openModelApp([bought(10), bought(40), { ...bought(null), who: 'mo' }]);
  const persons = async (breakdown: string) =>
    await trendActors(some, bins, { day: '2026-11-17', breakdown });
  expect(await persons('[10,17.5]')).toEqual(['lin']);
  expect(await persons('[17.5,40]')).toEqual([]);
  expect(await persons(NULL_VALUE)).toEqual(['mo']);
  expect(await persons('["",""]')).toEqual(['mo']);
  for (const wrong of ['["a","b"]', '[10,false]', '[{},{}]', '10']) {
    await expect(persons(wrong), wrong).rejects.toThrow('is not a range of numbers');
  }
});

test('M9.9 a trend is broken down by cohorts, of which 0 is all users', async () => {
  const app = await openModelApp();
  const inCohort = (id: number): string[] => (id === 7 ? ['lin', 'mo'] : ['sam']);
  const options = {
    cohorts: [
      { id: 7, name: 'Friends', isStatic: true },
      { id: 8, name: 'Sams', isStatic: true },
    ],
    cohort: (id: number | string) => ({
      id: Number(id),
      sql: `SELECT person_id FROM person_distinct_ids WHERE project_id = 1 AND list_contains($members${id}, distinct_id)`,
      params: { [`members${id}`]: inCohort(Number(id)) },
    }),
  };
  for (const series of [[BOUGHT], [BOUGHT, { ...VIEWED, math: 'dau' }]]) {
    const query = { series, breakdownFilter: { breakdown: [7, 8, 'all'], breakdown_type: 'cohort' } };
    const { results } = await askTrend(app, query, options);
    const count = (event: string, measure: (events: readonly ModelEvent[]) => number, who: string[]) =>
      byDay(
        named(event).filter((one) => who.includes(one.who)),
        DAYS,
        'UTC',
      ).map(measure);
    const sumOf = (numbers: unknown): number =>
      (numbers as number[]).reduce((sum, number) => sum + number, 0);
    const lines = (event: string, measure: (events: readonly ModelEvent[]) => number) =>
      [
        [7, count(event, measure, inCohort(7))],
        [8, count(event, measure, inCohort(8))],
        ['all', count(event, measure, Object.keys(PERSONS))],
      ].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a));
    const wanted = [
      ...lines('bought', (events) => events.length),
      ...(series.length === 1 ? [] : lines('$pageview', persons)),
    ];
    expect(results.map(({ breakdown_value: value, data }) => [value, data])).toEqual(wanted);
    // The greatest first, and with the name of the event where all users are among them.
    expect(results.slice(0, 3).map(({ label }) => label)).toEqual([
      'bought - all users',
      'bought - Friends',
      'bought - Sams',
    ]);
    coverage.saw('cohort');
  }
  await expect(
    askTrend(app, { series: [BOUGHT], breakdownFilter: { breakdown: 9, breakdown_type: 'cohort' } }, options),
  ).rejects.toThrow('Cohort 9 does not exist');
});

test('M9.9 a flag is read from events: as a breakdown and as a filter', async () => {
  const app = await openModelApp();
  const variant = property('$feature/checkout-v2');
  const ask = async (query: object) => (await askTrend(app, { series: [BOUGHT], ...query })).results;
  const parts = await ask({ breakdownFilter: { breakdown: '$feature/checkout-v2' } });
  expect(parts.map(({ label, data }) => [label, data])).toEqual(
    expected(named('bought'), variant).map(([value, data]) => [value, data]),
  );
  coverage.saw('$feature/checkout-v2');
  for (const value of ['test', 'control']) {
    const wanted = byDay(
      named('bought').filter((event) => variant(event) === value),
      DAYS,
      'UTC',
    ).map((list) => list.length);
    for (const filter of [
      { type: 'event', key: '$feature/checkout-v2', value: [value] },
      { type: 'feature', key: 'checkout-v2', value },
      { type: 'flag', key: 'checkout-v2', operator: 'flag_evaluates_to', value },
    ]) {
      expect((await ask({ properties: [filter] }))[0]!.data, JSON.stringify(filter)).toEqual(wanted);
    }
  }
});

test('M9.9 a property with a promoted column is broken down by, filtered by and summed as before', async () => {
  const app = await openModelApp();
  const propertyType = (_: string, name: string) => (name === 'amount' ? ('Numeric' as const) : null);
  const queries = [
    { series: [BOUGHT], breakdownFilter: { breakdown: '$feature/checkout-v2' } },
    { series: [BOUGHT], properties: [{ type: 'feature', key: 'checkout-v2', value: 'test' }] },
    { series: [BOUGHT], breakdownFilter: { breakdown: 'amount', breakdown_limit: 3 } },
    {
      series: [{ ...BOUGHT, math: 'sum', math_property: 'amount' }],
      properties: [{ key: 'amount', operator: 'gt', value: 12 }],
    },
    { series: [BOUGHT], properties: [{ key: 'amount', value: ['5.5', 40] }] },
  ];
  const ask = async (eventColumn?: KindOptions['eventColumn']) =>
    await Promise.all(
      queries.map(async (query) => {
        const options = { propertyType, ...(eventColumn !== undefined && { eventColumn }) };
        return (await askTrend(app, query, options)).results.map(({ label, data }) => [label, data]);
      }),
    );
  const before = await ask();
  expect(before.flat().some(([, data]) => (data as number[]).some((count) => count > 0))).toBe(true);
  // Half of the events are settled, as compaction does it, and the column is filled for those.
  await app.store.db.transaction(async (tx) => {
    await tx.run(`INSERT INTO events SELECT * FROM recent_events WHERE timestamp < TIMESTAMP '2026-11-16'`);
    await tx.run(`DELETE FROM events_recent WHERE timestamp < TIMESTAMP '2026-11-16'`);
  });
  await app.store.db.run('ALTER TABLE events ADD COLUMN hot_variant VARCHAR');
  await app.store.db.run('ALTER TABLE events ADD COLUMN hot_amount DOUBLE');
  await app.store.db.run(
    `UPDATE events SET hot_variant = json_extract_string(properties, '$."$feature/checkout-v2"'),
       hot_amount = TRY_CAST(json_extract_string(properties, '$.amount') AS DOUBLE)`,
  );
  const after = await ask((name) => {
    if (name === '$feature/checkout-v2') return { column: 'hot_variant', type: 'String' };
    return name === 'amount' ? { column: 'hot_amount', type: 'Float64' } : null;
  });
  expect(after).toEqual(before);
  coverage.saw('$feature/checkout-v2');
});
