import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askHogql } from '../../../../test/support/ask-hogql.ts';
import {
  modelFunnel,
  modelTrends,
  type Walk,
  type WalkEvent,
} from '../../../../test/support/funnel-walk-model.ts';
import { openTestStore } from '../../../../test/support/store.ts';
import type { Store } from '../../../db/client.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const uuid = (number: number): string => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
const quoted = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`;
/** A list that has a type when it is empty too. */
const listed = (items: readonly string[], one: string): string =>
  items.length === 0 ? `arrayFilter(x -> 0, [${one}])` : `[${items.join(', ')}]`;

const eventSql = (hasIntervals: boolean) => (event: WalkEvent) => {
  const parts = [
    `toFloat(${event.at})`,
    ...(hasIntervals ? [`_toUInt64(${event.interval})`] : []),
    `toUUID('${event.uuid}')`,
    `'${event.breakdown}'`,
    `arrayFilter(x -> x != 0, [0, ${event.steps.join(', ')}])`,
  ];
  return `(${parts.join(', ').replace('[0, ]', '[0]')})`;
};

const ORDERS = ['ordered', 'strict', 'unordered'] as const;

const RUNS = 10;
const PERSONS = 20;

const SOME_EVENT: WalkEvent = { at: 1, interval: 0, uuid: uuid(0), breakdown: '', steps: [1] };
/** A funnel, of the events of several persons. */
type Funnel = Omit<Walk, 'events'>;

const shared = ({ window, attribution, order, values }: Funnel): string =>
  `${window}, '${attribution}', '${order}', ${quoted(values)}`;
const funnelSql = (funnel: Funnel): string =>
  `aggregate_funnel(${funnel.steps}, ${shared(funnel)}, [${funnel.optional.join(', ')}], events)`;
const trendsSql = (funnel: Funnel, [from, to]: readonly [number, number]): string =>
  `aggregate_funnel_trends(${from}, ${to}, ${funnel.steps}, ${shared(funnel)}, events)`;

/** What a call says for each of the persons. */
async function askForAll(
  call: string,
  persons: readonly WalkEvent[][],
  hasIntervals = false,
): Promise<unknown[]> {
  const some = eventSql(hasIntervals)(SOME_EVENT);
  const lists = persons.map((events) => listed(events.map(eventSql(hasIntervals)), some));
  const from = `(SELECT arrayJoin(arrayZip([${lists.join(', ')}], range(${lists.length}))) AS person, person.1 AS events, person.2 AS at)`;
  return (await askHogql(store, `SELECT ${call} FROM ${from} ORDER BY at`)).results.map(([value]) => value);
}

/** Events in the order of their time, each of which is some steps, or excludes some, or is none. */
const eventsOf = (steps: number, hasNone: boolean): fc.Arbitrary<WalkEvent[]> => {
  const numbers = (least: number): fc.Arbitrary<number[]> =>
    fc.subarray(
      Array.from({ length: steps + 1 - least }, (_, at) => at + least),
      { minLength: 1 },
    );
  const some = numbers(1);
  const excluding = numbers(2).map((all) => all.map((step) => -step));
  const kinds = [
    { weight: 6, arbitrary: fc.integer({ min: 1, max: steps }).map((step) => [step]) },
    { weight: 2, arbitrary: some },
    { weight: 2, arbitrary: excluding },
    ...(hasNone ? [{ weight: 1, arbitrary: fc.constant([]) }] : []),
  ];
  const event = fc.record({
    at: fc.integer({ min: 1, max: 24 }),
    breakdown: fc.constantFrom('a', 'b'),
    steps: fc.oneof(...kinds),
  });
  return fc
    .array(event, { maxLength: 14 })
    .map((all) =>
      all
        .toSorted((a, b) => a.at - b.at)
        .map((one, at) => ({ ...one, interval: Math.floor(one.at / 5) * 5, uuid: uuid(at) })),
    );
};

/** A funnel and the events of some persons. */
type Case = readonly [funnel: Funnel, persons: WalkEvent[][]];

const funnels = (order: Walk['order']): fc.Arbitrary<Case> =>
  fc.integer({ min: 2, max: 4 }).chain((steps) =>
    fc.tuple(
      fc.record({
        steps: fc.constant(steps),
        order: fc.constant(order),
        window: fc.constantFrom(0, 2, 5, 100),
        attribution: fc.constantFrom('first_touch', 'last_touch', 'all_events', 'step_0', 'step_1'),
        values: fc.constantFrom(['a'], ['a', 'b'], []),
        optional: fc.constant([]),
      }),
      fc.array(eventsOf(steps, order === 'strict'), { minLength: 1, maxLength: PERSONS }),
    ),
  );

const withOptional = (some: fc.Arbitrary<Case>): fc.Arbitrary<Case> =>
  some.chain(([funnel, persons]) =>
    fc
      .subarray(Array.from({ length: funnel.steps - 1 }, (_, at) => at + 2))
      .map((optional) => [{ ...funnel, optional }, persons]),
  );

/** Funnels of each order, and those with steps that may be left out. */
const CASES: [title: string, cases: fc.Arbitrary<Case>][] = [
  ...ORDERS.map((order): [string, fc.Arbitrary<Case>] => [order, funnels(order)]),
  ...(['ordered', 'strict'] as const).map((order): [string, fc.Arbitrary<Case>] => [
    `${order}, with optional steps`,
    withOptional(funnels(order)),
  ]),
];

const at = (time: number, ...steps: number[]): WalkEvent => ({
  at: time,
  interval: 0,
  uuid: uuid(time),
  breakdown: 'a',
  steps,
});
const SIMPLE: Funnel = {
  steps: 3,
  order: 'ordered',
  window: 100,
  attribution: 'first_touch',
  values: ['a'],
  optional: [],
};

test.each(['ordered', 'strict'] as const)(
  'optional steps of a funnel that is %s, listed twice or beyond its steps, are those that it has',
  async (order) => {
    const persons = [[at(1, 1), at(2, 2), at(3, 3)], [at(1, 1), at(2, 3)], [at(1, 1)]];
    const funnel = { ...SIMPLE, order, optional: [2] };
    const expected = persons.map((events) => modelFunnel({ ...funnel, events }));
    expect(expected[0]![0]![0]).toBe(1);
    for (const optional of [[2], [2, 2], [0, 2], [-1, 2, 4, 33, 2]])
      expect(await askForAll(funnelSql({ ...funnel, optional }), persons), String(optional)).toEqual(
        expected,
      );
  },
);

test.each(ORDERS)(
  'an event that repeats a step, or has one beyond the last, has no other result: %s',
  async (order) => {
    const plain = [
      [at(1, 1), at(2, 1, 2), at(3, 3)],
      [at(1, 1), at(2, -2), at(3, 2)],
    ];
    const repeated = [
      [at(1, 1, 1), at(2, 1, 1, 2, 2, 4), at(3, 3, 3, 99)],
      [at(1, 1, 1, 1), at(2, -2, -2), at(3, 2, 5, 2)],
    ];
    const funnel = { ...SIMPLE, order };
    const expected = plain.map((events) => modelFunnel({ ...funnel, events }));
    expect(await askForAll(funnelSql(funnel), repeated)).toEqual(expected);
    const inTime = plain.map((events) => modelTrends({ ...funnel, events }, [1, 3]));
    expect(await askForAll(trendsSql(funnel, [1, 3]), repeated, true)).toEqual(inTime);
  },
);

describe('funnel functions answer what a walk over the events answers', () => {
  test.each(CASES)('%s', async (_, cases) => {
    await fc.assert(
      fc.asyncProperty(cases, async ([funnel, persons]) => {
        const expected = persons.map((events) => modelFunnel({ ...funnel, events }));
        expect(await askForAll(funnelSql(funnel), persons)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  test.each(ORDERS)('%s, over time', async (order) => {
    const step = fc.integer({ min: 1, max: 4 });
    await fc.assert(
      fc.asyncProperty(funnels(order), step, step, async ([funnel, persons], least, most) => {
        const to = Math.min(most, funnel.steps);
        const span = [Math.min(least, to), to] as const;
        const expected = persons.map((events) => modelTrends({ ...funnel, events }, span));
        expect(await askForAll(trendsSql(funnel, span), persons, true)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });
});
