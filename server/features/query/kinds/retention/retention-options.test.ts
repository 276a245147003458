import { expect, test } from 'vitest';
import { askHogql } from '../../../../../test/support/ask-hogql.ts';
import { actorsOf, openKindContext } from '../../../../../test/support/kind-context.ts';
import {
  askRetention,
  countsOf,
  modelCounts,
  modelRetention,
  type RetentionModel,
} from '../../../../../test/support/retention-model.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';
import { openModelApp, PERSONS, type ModelEvent } from '../../../../../test/support/trends-model.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { retentionKind } from './index.ts';

function visit(
  who: string,
  at: string,
  browser: string | null,
  load: number | null,
  company?: string,
): ModelEvent {
  return { event: 'visit', who, at, properties: { $browser: browser, load }, ...(company && { company }) };
}

const EVENTS: ModelEvent[] = [
  visit('lin', '2026-11-01T09:00:00Z', 'Firefox', 3),
  visit('sam', '2026-11-14T23:00:00Z', 'Safari', 5, 'zoo'),
  visit('lin', '2026-11-15T08:00:00Z', 'Firefox', 10, 'acme'),
  visit('lin', '2026-11-15T09:00:00Z', 'Chrome', 20, 'acme'),
  visit('mo', '2026-11-15T20:00:00Z', 'Chrome', null, 'acme'),
  visit('eve', '2026-11-15T23:59:59.999Z', null, 4, 'zoo'),
  visit('mo', '2026-11-16T10:00:00Z', 'Safari', 7, 'acme'),
  visit('mo', '2026-11-16T20:00:00Z', 'Edge', 9),
  visit('lin', '2026-11-17T08:00:00Z', 'Firefox', 2.5),
  visit('lin', '2026-11-17T08:00:00Z', 'Chrome', 1),
  visit('eve', '2026-11-17T23:59:59.998Z', '', 6, 'zoo'),
  visit('sam', '2026-11-18T01:00:00Z', 'Safari', 8, 'acme'),
  visit('sam', '2026-11-18T02:00:00Z', 'Safari', 11, 'acme'),
  visit('mo', '2026-11-19T21:00:00Z', 'Safari', 30, 'zoo'),
  visit('eve', '2026-11-20T09:00:00Z', 'Edge', 1, 'zoo'),
];

const FILTER = {
  totalIntervals: 6,
  targetEntity: { id: 'visit', type: 'events' },
  returningEntity: { id: 'visit', type: 'events' },
};
const MODEL: RetentionModel = {
  period: 'Day',
  total: 6,
  to: '2026-11-20',
  target: () => true,
  returning: () => true,
};

test('M9.9 each retention option equals a count by loops over its events', async () => {
  const app = await openModelApp(EVENTS);
  const isFast = ({ properties: { load } }: ModelEvent): boolean => typeof load === 'number' && load <= 8;
  const fast = {
    id: 'visit',
    type: 'events',
    properties: [{ key: 'load', value: 8, operator: 'lte', type: 'event' }],
  };
  const cases: Record<string, [filter: object, model: Partial<RetentionModel>]> = {
    plain: [{}, {}],
    'reference previous': [{ retentionReference: 'previous' }, {}],
    'only what is fast counts back': [{ returningEntity: fast }, { returning: isFast }],
    'only what is fast counts in': [{ targetEntity: fast }, { target: isFast }],
    cumulative: [{ cumulative: true }, { cumulative: true }],
    'two visits': [{ minimumOccurrences: 2 }, { minimum: 2 }],
    'two visits, cumulative': [
      { minimumOccurrences: 2, cumulative: true },
      { minimum: 2, cumulative: true },
    ],
    windows: [{ timeWindowMode: '24_hour_windows' }, { windows: true }],
    'windows of weeks': [
      { timeWindowMode: '24_hour_windows', period: 'Week', totalIntervals: 3 },
      { windows: true, period: 'Week', total: 3 },
    ],
    'windows, first time': [
      { timeWindowMode: '24_hour_windows', retentionType: 'retention_first_time' },
      { windows: true, type: 'first time' },
    ],
    'windows, back when fast': [
      { timeWindowMode: '24_hour_windows', returningEntity: fast, minimumOccurrences: 1 },
      { windows: true, returning: isFast },
    ],
    brackets: [{ retentionCustomBrackets: [1, 2, 4] }, { brackets: [1, 2, 4] }],
    'brackets, cumulative': [
      { retentionCustomBrackets: [2, 2], cumulative: true },
      { brackets: [2, 2], cumulative: true },
    ],
    'strict dates': [{ timeWindowMode: 'strict_calendar_dates' }, {}],
  };
  for (const [name, [filter, changes]] of Object.entries(cases)) {
    const { results } = await askRetention(app, { retentionFilter: { ...FILTER, ...filter } });
    const model = modelRetention(EVENTS, { ...MODEL, ...changes });
    expect(countsOf(results), name).toEqual(modelCounts(model.get('')));
  }
  const { results } = await askRetention(app, {
    retentionFilter: { ...FILTER, retentionCustomBrackets: [1, 2, 4] },
  });
  expect(results[0]!.values.map(({ label }) => label)).toEqual(['Day 0', 'Day 1', 'Day 2-3', 'Day 4-7']);
});

test('M9.9 sums and averages of a property are returned beside the counts', async () => {
  const app = await openModelApp(EVENTS);
  const amount = ({ properties: { load } }: ModelEvent): number | null =>
    typeof load === 'number' ? load : null;
  const age = ({ who }: ModelEvent): number | null => Number(PERSONS[who]!['age'] ?? NaN) || null;
  const cases: [filter: object, changes: Partial<RetentionModel>][] = [
    [{}, { amount }],
    [{ cumulative: true }, { cumulative: true, amount }],
    [{ retentionCustomBrackets: [2] }, { brackets: [2], amount }],
    [{ retentionType: 'retention_first_time' }, { type: 'first time', amount }],
    [{ timeWindowMode: '24_hour_windows' }, { windows: true, amount }],
    [{ aggregationProperty: 'age', aggregationPropertyType: 'person' }, { amount: age }],
  ];
  for (const [filter, changes] of cases) {
    const expected = modelRetention(EVENTS, { ...MODEL, ...changes }).get('')!;
    for (const aggregationType of ['sum', 'avg']) {
      const retentionFilter = { ...FILTER, aggregationType, aggregationProperty: 'load', ...filter };
      const { results } = await askRetention(app, { retentionFilter });
      const found = results.map(({ values }) => values.map(({ aggregation_value: value }) => value));
      const wanted = expected.map((row) =>
        row.map(({ amounts, persons }) => {
          const sum = amounts.reduce((total, one) => total + one, 0);
          return aggregationType === 'sum' ? sum : persons.length === 0 ? 0 : sum / persons.length;
        }),
      );
      expect(found, JSON.stringify(retentionFilter)).toEqual(wanted);
      expect(countsOf(results)).toEqual(modelCounts(expected));
    }
  }
});

test('A-6 a retention is broken down by a property that start and return events share', async () => {
  const app = await openModelApp(EVENTS);
  const value = ({ properties: { $browser: browser } }: ModelEvent): string => String(browser || NULL_VALUE);
  for (const [filter, changes] of [
    [{}, {}],
    [{ retentionType: 'retention_first_time' }, { type: 'first time' }],
    [{ timeWindowMode: '24_hour_windows' }, { windows: true }],
  ] as [object, Partial<RetentionModel>][]) {
    const expected = modelRetention(EVENTS, { ...MODEL, ...changes, value });
    const query = { retentionFilter: { ...FILTER, ...filter }, breakdownFilter: { breakdown: '$browser' } };
    const { results } = await askRetention(app, query);
    const values = [...new Set(results.map((row) => row.breakdown_value))];
    expect(values.toSorted()).toEqual([...expected.keys()].toSorted());
    for (const one of values) {
      const rows = results.filter((row) => row.breakdown_value === one);
      expect(countsOf(rows), String(one)).toEqual(modelCounts(expected.get(String(one))));
    }
  }
  const limited = await askRetention(app, {
    retentionFilter: FILTER,
    breakdownFilter: { breakdowns: [{ property: '$browser', type: 'event' }], breakdown_limit: 1 },
  });
  expect([...new Set(limited.results.map((row) => row.breakdown_value))]).toEqual([
    'Chrome',
    NULL_VALUE,
    OTHER_VALUE,
  ]);
  expect(limited.hasMore).toBe(true);
  const both = await askRetention(app, {
    retentionFilter: FILTER,
    breakdownFilter: { breakdowns: [{ property: '$browser' }, { property: 'plan', type: 'person' }] },
  });
  const pairs = modelRetention(EVENTS, {
    ...MODEL,
    value: (event) => `${value(event)}::${PERSONS[event.who]!['plan'] ?? NULL_VALUE}`,
  });
  expect(new Set(both.results.map((row) => row.breakdown_value))).toEqual(new Set(pairs.keys()));
});

test('A-6 a retention takes its last interval whole', async () => {
  const at = (day: string): ModelEvent => visit('ann', `2026-11-${day}T09:00:00Z`, null, null);
  // Weeks begin on Sundays: the 8th and the 15th. The day of the end is a Wednesday.
  const events = [at('09'), at('20')];
  const app = await openModelApp(events);
  const retentionFilter = { ...FILTER, period: 'Week', totalIntervals: 2 };
  const { results } = await askRetention(app, { retentionFilter, dateRange: { date_to: '2026-11-18' } });
  expect(countsOf(results)).toEqual([[1, 1], [1]]);
  const ranged = await askRetention(app, {
    retentionFilter,
    dateRange: { date_from: '2026-11-10', date_to: '2026-11-18', explicitDate: true },
  });
  expect(countsOf(ranged.results)).toEqual([[1, 1], [1]]);
});

test('A-6 with windows, everyone starts with each value of the breakdown that they are seen with', async () => {
  const events = [
    visit('ann', '2026-11-15T14:00:00Z', 'Chrome', 1),
    visit('ann', '2026-11-16T13:00:00Z', 'Chrome', 2),
    visit('ann', '2026-11-16T15:00:00Z', 'Firefox', 4),
    visit('bob', '2026-11-16T15:00:00Z', 'Edge', 8),
  ];
  const app = await openModelApp(events);
  const windows = { ...FILTER, timeWindowMode: '24_hour_windows' };
  const query = {
    retentionFilter: { ...windows, aggregationType: 'sum', aggregationProperty: 'load' },
    breakdownFilter: { breakdown: '$browser', breakdown_limit: 2 },
  };
  const { results } = await askRetention(app, query);
  const first = (value: string, row: number) =>
    results
      .filter((one) => one.breakdown_value === value)
      .at(row)!
      .values.slice(0, 2)
      .map(({ count, aggregation_value: sum }) => [count, sum]);
  expect(first('Chrome', 0)).toEqual([
    [1, 3],
    [0, 0],
  ]);
  expect(first('Edge', 1)).toEqual([
    [1, 8],
    [0, 0],
  ]);
  expect(first(OTHER_VALUE, 0)).toEqual([
    [1, 0],
    [1, 4],
  ]);
});

test('A-6 a sum of the first interval has return events after the start event, where they are others', async () => {
  const event = (name: string, at: string, load: number): ModelEvent => ({
    ...visit('ann', at, null, load),
    event: name,
  });
  const events = [
    event('pay', '2026-11-19T08:00:00Z', 1),
    event('visit', '2026-11-19T09:00:00Z', 10),
    event('pay', '2026-11-19T10:00:00Z', 100),
    event('pay', '2026-11-20T08:00:00Z', 1000),
  ];
  const app = await openModelApp(events);
  const retentionFilter = {
    ...FILTER,
    totalIntervals: 2,
    returningEntity: { id: 'pay', type: 'events' },
    aggregationType: 'sum',
    aggregationProperty: 'load',
  };
  const { results } = await askRetention(app, { retentionFilter });
  expect(results[0]!.values.map(({ aggregation_value: sum }) => sum)).toEqual([110, 1000]);
});

test('M9.9 a retention is broken down by cohorts, of which 0 is all users', async () => {
  const app = await openModelApp(EVENTS);
  const members = ['lin', 'eve'];
  const options = {
    cohorts: [{ id: 7, name: 'Friends', isStatic: true }],
    cohort: () => ({
      id: 7,
      sql: 'SELECT person_id FROM person_distinct_ids WHERE project_id = 1 AND list_contains($members, distinct_id)',
      params: { members },
    }),
  };
  const breakdownFilter = { breakdown: [7, 0], breakdown_type: 'cohort' };
  for (const [filter, changes] of [
    [{}, {}],
    [{ retentionType: 'retention_first_time' }, { type: 'first time' }],
  ] as [object, Partial<RetentionModel>][]) {
    const query = { retentionFilter: { ...FILTER, ...filter }, breakdownFilter };
    const { results } = await askRetention(app, query, options);
    const counts = (events: readonly ModelEvent[]): number[][] =>
      modelCounts(modelRetention(events, { ...MODEL, ...changes }).get(''));
    const of = (value: unknown) => countsOf(results.filter((row) => row.breakdown_value === value));
    expect(of('7')).toEqual(counts(EVENTS.filter(({ who }) => members.includes(who))));
    expect(of('0')).toEqual(counts(EVENTS));
  }
});

test('M9.9 a sampled retention is scaled to all persons', async () => {
  const senders = Array.from({ length: 400 }, (_, at) => `sender-${at}`);
  const app = await openModelApp([]);
  await sendEvents(
    app,
    senders.flatMap((who) =>
      ['2026-11-19', '2026-11-20'].map((day) => ({
        event: 'visit',
        distinct_id: who,
        timestamp: `${day}T08:00:00Z`,
      })),
    ),
  );
  const query = { retentionFilter: { ...FILTER, totalIntervals: 2 } };
  expect(countsOf((await askRetention(app, query)).results)).toEqual([[400, 400], [400]]);
  const sampled = countsOf((await askRetention(app, { ...query, samplingFactor: 0.5 })).results);
  const [[begun, back], [last]] = sampled as [[number, number], [number]];
  // A sampled person is sampled with all events.
  expect([back, last]).toEqual([begun, begun]);
  expect(begun % 2).toBe(0);
  expect(begun).toBeGreaterThan(250);
  expect(begun).toBeLessThan(550);
});

test('M9.9 groups are counted too, and filters and dates limit the events', async () => {
  const app = await openModelApp(EVENTS);
  const ofCompany = EVENTS.filter(({ company }) => company !== undefined);
  const groups = await askRetention(app, { retentionFilter: FILTER, aggregation_group_type_index: 0 });
  expect(countsOf(groups.results)).toEqual(
    modelCounts(
      modelRetention(
        ofCompany.map((event) => ({ ...event, who: event.company! })),
        MODEL,
      ).get(''),
    ),
  );
  const properties = [{ key: 'plan', value: 'free', type: 'person', operator: 'exact' }];
  const free = await askRetention(app, { retentionFilter: FILTER, properties });
  const ofFree = EVENTS.filter(({ who }) => PERSONS[who]!['plan'] === 'free');
  expect(countsOf(free.results)).toEqual(modelCounts(modelRetention(ofFree, MODEL).get('')));
  // Nothing after the span is looked at.
  const spanned = await askRetention(app, {
    retentionFilter: { ...FILTER, totalIntervals: 4 },
    dateRange: { date_from: '2026-11-15', date_to: '2026-11-17' },
  });
  expect(countsOf(spanned.results)).toEqual(
    modelCounts(modelRetention(EVENTS, { ...MODEL, total: 3, to: '2026-11-17' }).get('')),
  );
  const ended = await askRetention(app, { retentionFilter: FILTER, dateRange: { date_to: '2026-11-18' } });
  expect(countsOf(ended.results)).toEqual(
    modelCounts(modelRetention(EVENTS, { ...MODEL, to: '2026-11-18' }).get('')),
  );
  const whole = await askRetention(app, { retentionFilter: FILTER, dateRange: { date_from: 'all' } });
  expect(whole.results[0]!.date).toBe('2020-01-01T00:00:00Z');
});

/** Returns a function for the distinct ids of the persons of a data point. */
async function openNames(app: TestApp): Promise<(query: object, point: object) => Promise<unknown[]>> {
  const context = await openKindContext(app);
  const { results } = await askHogql(app, 'select person_id, distinct_id from person_distinct_ids');
  const names = new Map(results.map(([id, name]) => [id, name]));
  return async (query, point) => {
    const full = retentionKind.schema.parse({ kind: 'RetentionQuery', ...query });
    const { select } = await actorsOf(retentionKind, full, point, context);
    return (await askHogql(app, select)).results.map(([id]) => names.get(id!)).toSorted();
  };
}

test('M9.9.2 the persons of each retention cell are those it counts', async () => {
  const namesBehind = await openNames(await openModelApp(EVENTS));
  for (const [filter, changes] of [
    [{}, {}],
    [
      { cumulative: true, minimumOccurrences: 2 },
      { cumulative: true, minimum: 2 },
    ],
    [{ retentionCustomBrackets: [1, 3] }, { brackets: [1, 3] }],
  ] as [object, Partial<RetentionModel>][]) {
    const retentionFilter = { ...FILTER, ...filter };
    const rows = modelRetention(EVENTS, { ...MODEL, ...changes }).get('')!;
    for (const interval of [0, 2]) {
      const row = rows[interval]!;
      for (const [day, { persons }] of row.entries()) {
        expect(await namesBehind({ retentionFilter }, { interval, day })).toEqual(persons.toSorted());
      }
      expect(await namesBehind({ retentionFilter }, { interval })).toEqual(row[0]!.persons.toSorted());
    }
  }
  const broken = { retentionFilter: FILTER, breakdownFilter: { breakdown: '$browser' } };
  expect(await namesBehind(broken, { interval: 0, day: 2, breakdown: 'Chrome' })).toEqual(['lin']);
  expect(await namesBehind(broken, { interval: 0, day: 1, breakdown: 'Chrome' })).toEqual([]);
  expect(await namesBehind(broken, { interval: 0, breakdown: NULL_VALUE })).toEqual(['eve']);
  await expect(namesBehind(broken, { interval: 6 })).rejects.toThrow('does not have row 6');
  await expect(namesBehind(broken, { interval: 5, day: 1 })).rejects.toThrow(
    'does not have place 1 in row 5',
  );
});

test('M9.9 invalid retention options are refused with a message', async () => {
  const app = await openModelApp([]);
  const refused: [query: object, detail: string][] = [
    [{ retentionFilter: { totalIntervals: 1_001 } }, 'more than 1000 intervals'],
    [{ retentionFilter: { totalIntervals: 400 } }, 'more than 100000 cells'],
    [{ retentionFilter: { retentionCustomBrackets: [1e9] } }, 'more than 1000 intervals'],
    [{ retentionFilter: { retentionCustomBrackets: Array(101).fill(2) } }, 'more than 100 brackets'],
    [
      { retentionFilter: { totalIntervals: 200 }, breakdownFilter: { breakdown: 'x' } },
      'more than 250000 cells',
    ],
    [
      { retentionFilter: { targetEntity: { id: 'x', type: 'actions' } } },
      'targetEntity must reference an action by its id',
    ],
    [
      { retentionFilter: { returningEntity: { type: 'data_warehouse' } } },
      'returningEntity must be an event or an action',
    ],
    [{ retentionFilter: { aggregationType: 'sum' } }, 'requires aggregationProperty'],
    [
      { retentionFilter: { timeWindowMode: '24_hour_windows', cumulative: true } },
      'not supported for 24 hour windows',
    ],
    [
      { retentionFilter: {}, breakdownFilter: { breakdown: 'x', breakdown_histogram_bin_count: 3 } },
      'does not support histogram breakdowns',
    ],
  ];
  for (const [query, detail] of refused)
    await expect(askRetention(app, query), detail).rejects.toThrow(detail);
  const hostile = { id: `'; DROP TABLE events; --\ud800`, type: 'events' };
  const { results } = await askRetention(app, {
    retentionFilter: { targetEntity: hostile, returningEntity: { id: 12345, type: 'actions' } },
    breakdownFilter: { breakdown: '__proto__' },
  });
  expect(results).toEqual([]);
});
