import { expect, test } from 'vitest';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import {
  askTrend,
  byDay,
  daysFrom,
  different,
  localTime,
  MODEL_EVENTS,
  openModelApp,
  quantileOf,
  rounded,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import { MATHS } from '../../node-schema.ts';

const DAYS = daysFrom('2026-11-13', '2026-11-20');

type Numbers = (events: readonly ModelEvent[], name: string) => number;

const numbersOf = (events: readonly ModelEvent[], name: string): number[] =>
  events.map(({ properties }) => properties[name]).filter((value) => typeof value === 'number');
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : sum(numbers) / numbers.length;

/** What each math of a property makes of its numbers. */
const OF_NUMBERS: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  avg: mean,
  sum,
  min: (numbers) => (numbers.length === 0 ? 0 : Math.min(...numbers)),
  max: (numbers) => (numbers.length === 0 ? 0 : Math.max(...numbers)),
  median: (numbers) => quantileOf(numbers, 0.5),
  p75: (numbers) => quantileOf(numbers, 0.75),
  p90: (numbers) => quantileOf(numbers, 0.9),
  p95: (numbers) => quantileOf(numbers, 0.95),
  p99: (numbers) => quantileOf(numbers, 0.99),
};

/** How often each person did it. */
function countsPerActor(events: readonly ModelEvent[]): number[] {
  return different(events.map(({ who }) => who)).map(
    (who) => events.filter((event) => event.who === who).length,
  );
}

/** What each math makes of the events of a day; those that look at other days are written out below. */
const OF_A_DAY: Readonly<Record<string, Numbers>> = {
  total: (events) => events.length,
  dau: (events) => different(events.map(({ who }) => who)).length,
  unique_session: (events) =>
    // Events without a session count as one more.
    different(events.map(({ properties }) => properties['$session_id'] || '')).length,
  unique_group: (events) => different(events.map(({ company }) => company).filter(Boolean)).length,
  hogql: (events, name) => sum(numbersOf(events, name)) * 2,
  ...Object.fromEntries(
    Object.entries(OF_NUMBERS).map(([math, of]): [string, Numbers] => [
      math,
      (events, name) => of(numbersOf(events, name)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(OF_NUMBERS).map(([math, of]): [string, Numbers] => [
      `${math}_count_per_actor`,
      (events) => of(countsPerActor(events)),
    ]),
  ),
};

/** Who was active in so many days up to each. */
function activeIn(events: readonly ModelEvent[], length: number, zone: string): number[] {
  return DAYS.map((day) => {
    const first = new Date(Date.parse(day) - (length - 1) * 86_400_000).toISOString().slice(0, 10);
    const inWindow = events.filter(({ at }) => {
      const local = localTime(at, zone).slice(0, 10);
      return local >= first && local <= day;
    });
    return different(inWindow.map(({ who }) => who)).length;
  });
}

/** The first event of each person, of those in the list. */
function firsts(events: readonly ModelEvent[]): ModelEvent[] {
  return different(events.map(({ who }) => who)).map(
    (who) => events.filter((event) => event.who === who).toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]!,
  );
}

function expected(
  math: string,
  all: readonly ModelEvent[],
  fits: (event: ModelEvent) => boolean,
  name: string,
  zone: string,
): number[] {
  const events = all.filter(fits);
  const perDay = (list: readonly ModelEvent[], of: Numbers): number[] =>
    byDay(list, DAYS, zone).map((ofDay) => of(ofDay, name));
  switch (math) {
    case 'weekly_active':
      return activeIn(events, 7, zone);
    case 'monthly_active':
      return activeIn(events, 30, zone);
    case 'first_time_for_user':
      return perDay(firsts(all).filter(fits), (ofDay) => ofDay.length);
    case 'first_time_for_user_with_filters':
    case 'first_matching_event_for_user':
      return perDay(firsts(events), (ofDay) => ofDay.length);
    default:
      return perDay(events, OF_A_DAY[math]!);
  }
}

/** Two kinds of events, each with the number that math looks at; the second one filtered, in a zone ahead of UTC. */
const CASES = [
  { event: 'bought', name: 'amount', zone: 'UTC', properties: [], fits: () => true },
  {
    event: '$pageview',
    name: 'load',
    zone: 'Asia/Kolkata',
    properties: [{ key: '$browser', operator: 'is_not', value: 'Firefox' }],
    fits: ({ properties }: ModelEvent) => properties['$browser'] !== 'Firefox',
  },
];

test(
  'M9.9 every math of a series equals a count in plain TypeScript',
  { tags: ['deep'], timeout: 180_000 },
  async () => {
    const app = await openModelApp();
    const table = createCoverageTable('Math of series', MATHS);
    for (const { event, name, zone, properties, fits } of CASES) {
      const ofEvent = MODEL_EVENTS.filter((one) => one.event === event);
      for (const math of MATHS) {
        const series = [
          {
            kind: 'EventsNode',
            event,
            math,
            math_property: name,
            math_hogql: `sum(toFloat(properties.${name})) * 2`,
            ...(math === 'unique_group' && { math_group_type_index: 0 }),
            properties,
          },
        ];
        const { results } = await askTrend(app, { series }, { timezone: zone });
        const numbers = expected(math, ofEvent, fits, name, zone);
        expect([results[0]!.days, rounded(results[0]!.data)], `${event} ${math}`).toEqual([
          DAYS,
          rounded(numbers),
        ]);
        expect(results[0]!.count, `${event} ${math}`).toBeCloseTo(sum(numbers), 6);
        table.saw(math);
      }
    }
    expect(table.missing()).toEqual([]);
  },
);

test('A-5 weekly and monthly active persons are counted up to the end of each shorter interval, and in a longer one', async () => {
  const app = await openModelApp();
  const day = 86_400_000;
  const cases: [
    interval: string,
    math: string,
    window: number,
    from: string,
    ends: (start: number) => number,
  ][] = [
    ['hour', 'weekly_active', 7, '2026-11-20', (start) => start + day / 24],
    ['hour', 'monthly_active', 30, '2026-11-14', (start) => start + day / 24],
    ['week', 'weekly_active', 7, '2026-11-01', (start) => start + 7 * day],
    ['week', 'monthly_active', 30, '2026-11-01', (start) => start + 7 * day],
    [
      'month',
      'weekly_active',
      7,
      '2026-10-01',
      (start) => new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1),
    ],
    [
      'month',
      'monthly_active',
      30,
      '2026-10-01',
      (start) => new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1),
    ],
  ];
  for (const [interval, math, window, from, endOf] of cases) {
    const series = [
      { kind: 'EventsNode', event: null, math, properties: [{ key: '$browser', operator: 'is_set' }] },
    ];
    const { results } = await askTrend(app, { series, interval, dateRange: { date_from: from } });
    const expectedOf = (start: string): number => {
      const begin = Date.parse(`${start.replace(' ', 'T')}${start.length === 10 ? 'T00:00:00' : ''}Z`);
      const whole = endOf(begin);
      // The week and the month of today are counted up to the end of today.
      const end = Math.min(whole, Date.UTC(2026, 10, 21));
      const isLong = interval === 'month' || (interval === 'week' && math === 'weekly_active');
      const since = isLong ? begin : end - window * day;
      const seen = MODEL_EVENTS.filter(
        ({ at, properties }) =>
          properties['$browser'] !== undefined && Date.parse(at) >= since && Date.parse(at) < end,
      );
      return different(seen.map(({ who }) => who)).length;
    };
    expect(results[0]!.data, `${math} by ${interval}`).toEqual(results[0]!.days.map(expectedOf));
  }
});

test('M9.9 a single number for the whole range is not the sum of its days', async () => {
  const app = await openModelApp();
  const span = MODEL_EVENTS.filter(({ event, at }) => event === 'bought' && at >= '2026-11-13');
  const ask = async (math: string): Promise<number> => {
    const series = [{ kind: 'EventsNode', event: 'bought', math, math_property: 'amount' }];
    const { results } = await askTrend(app, { series, trendsFilter: { display: 'BoldNumber' } });
    expect([results[0]!.data, results[0]!.count]).toEqual([[], 0]);
    return results[0]!.aggregated_value!;
  };
  for (const math of ['total', 'dau', 'sum', 'avg', 'median', 'avg_count_per_actor']) {
    expect(await ask(math), math).toBeCloseTo(OF_A_DAY[math]!(span, 'amount'), 9);
  }
  // The seven days up to the end of today.
  expect(await ask('weekly_active')).toBe(4);
  expect(await ask('first_time_for_user')).toBe(2);
});

test('M9.9 all series of a query are counted in one statement, each by its own math and filters', async () => {
  const app = await openModelApp();
  const asked: unknown[] = [];
  const free = [{ type: 'person', key: 'plan', value: 'free' }];
  const { results } = await askTrend(
    app,
    {
      series: [
        { kind: 'EventsNode', event: 'bought' },
        { kind: 'EventsNode', event: '$pageview', math: 'dau' },
        { kind: 'EventsNode', event: 'bought', math: 'sum', math_property: 'amount', properties: free },
        { kind: 'EventsNode', event: null, name: 'All' },
      ],
    },
    { onAsk: (query) => asked.push(query) },
  );
  const count = (of: Numbers, fits: (event: ModelEvent) => boolean): number[] =>
    byDay(MODEL_EVENTS.filter(fits), DAYS, 'UTC').map((events) => of(events, 'amount'));
  const isFree = ({ who }: ModelEvent): boolean => who === 'mo' || who === 'sam';
  expect(results.map(({ data }) => data)).toEqual([
    count(OF_A_DAY['total']!, ({ event }) => event === 'bought'),
    count(OF_A_DAY['dau']!, ({ event }) => event === '$pageview'),
    count(OF_A_DAY['sum']!, (event) => event.event === 'bought' && isFree(event)),
    count(OF_A_DAY['total']!, () => true),
  ]);
  expect(results.map(({ label }) => label)).toEqual(['bought', '$pageview', 'bought', 'All events']);
  expect(asked).toHaveLength(1);
});

test('M9.9 a math without its required field is refused', async () => {
  const app = await openModelApp([]);
  const refused: [series: object, detail: string][] = [
    [{ math: 'sum' }, 'requires math_property'],
    [{ math: 'unique_group' }, 'requires math_group_type_index'],
    [{ math: 'hogql' }, 'requires math_hogql'],
    [{ math: 'hogql', math_hogql: 'sum(' }, 'Unclosed "("'],
  ];
  for (const [series, detail] of refused) {
    const query = { series: [{ kind: 'EventsNode', event: 'a', ...series }] };
    await expect(askTrend(app, query)).rejects.toThrow(detail);
  }
});
