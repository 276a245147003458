import type { GoldenTable } from './golden-table.ts';

type Event = readonly [second: number, name: string];

/** Three visits with all steps, of which only the last one is short, and what lies between them. */
const EVENTS: readonly Event[] = [
  [0, 'view'],
  [10, 'cart'],
  [10, 'other'],
  [100, 'view'],
  [101, 'cart'],
  [130, 'buy'],
  [200, 'view'],
  [203, 'view'],
  [205, 'cart'],
  [205, 'cart'],
  [209, 'buy'],
];

const table = (events: readonly Event[]): string =>
  `(SELECT r.1 AS s, r.2 AS e, toDateTime('2026-11-20 00:00:00') + r.1 AS t, toDate('2026-01-01') + r.1 AS d,
    toNullable(r.1) AS n FROM (SELECT arrayJoin([${events.map(([at, name]) => `tuple(${at}, '${name}')`).join(', ')}]) AS r))`;

/** The most steps of events that come one after the other, no longer than the window after the first; one event can be several. */
function longest(events: readonly Event[], window: number, steps: readonly string[]): number {
  const from = (at: number, begin: number, step: number): number =>
    Math.max(
      step,
      ...events.flatMap(([second, name], next) =>
        next >= at && step < steps.length && name === steps[step] && second <= begin + window
          ? [from(next, begin, step + 1)]
          : [],
      ),
    );
  return Math.max(
    0,
    ...events.flatMap(([second, name], at) => (name === steps[0] ? [from(at, second, 1)] : [])),
  );
}

const conditions = (steps: readonly string[]): string => steps.map((name) => `e = '${name}'`).join(', ');
const STEPS = ['view', 'cart', 'buy'];

const windows: GoldenTable = {
  title: 'chains of events within a window',
  from: table(EVENTS),
  rows: [
    ...[0, 1, 5, 6, 8, 9, 30, 1000].map((window): [string, number] => [
      `windowFunnel(${window})(t, ${conditions(STEPS)})`,
      longest(EVENTS, window, STEPS),
    ]),
    ...[['view'], ['buy', 'view'], ['buy', 'view', 'view'], ['cart', 'cart', 'cart'], ['none', 'view']].map(
      (steps): [string, number] => [`windowFunnel(90)(t, ${conditions(steps)})`, longest(EVENTS, 90, steps)],
    ),
    // Days of days, and whole numbers as they are.
    [`windowFunnel(9)(d, ${conditions(STEPS)})`, longest(EVENTS, 9, STEPS)],
    [`windowFunnel(8)(s, ${conditions(STEPS)})`, longest(EVENTS, 8, STEPS)],
    [`windowFunnel(6)(n, ${conditions(STEPS)})`, longest(EVENTS, 6, STEPS)],
    [`windowFunnel(9)(nullIf(n, 200), ${conditions(STEPS)})`, longest(EVENTS, 9, STEPS)],
    [`windowFunnel(9)(t, e = 'view', nullIf(e, 'cart') = 'cart', e = 'buy')`, 1],
    [`windowFunnelIf(9)(t, ${conditions(STEPS)}, s < 205)`, longest(EVENTS.slice(0, 8), 9, STEPS)],
    [`windowFunnelIf(9)(t, ${conditions(STEPS)}, s > 999)`, 0],
    [`windowFunnel(9)(t, e = 'view' AND s > 999)`, 0],
    // An event that is a step and the one before it is both.
    [`windowFunnel(1)(t, e = 'buy', e = 'buy')`, 2],
    [`windowFunnel(100)(t, e = 'buy', e = 'buy')`, 2],
  ],
};

/** What each mode makes of events at 1, 2, 3… seconds: steps a, b, c, and x that is none of them. */
const modes: readonly GoldenTable[] = (
  [
    // A step that comes again interrupts.
    ['abbc', 'strict_deduplication', 2],
    ['abc', 'strict_deduplication', 3],
    ['aabc', 'strict_deduplication', 3],
    ['abxbc', 'strict_deduplication', 2],
    // What comes in between interrupts, once there is a first step.
    ['abxc', 'strict_order', 2],
    ['xabc', 'strict_order', 3],
    ['acbc', 'strict_order', 1],
    ['cabc', 'strict_order', 3],
    ['xx', 'strict_order', 0],
    ['abc', 'strict_increase', 3],
  ] as const
).map(([names, mode, level]) => ({
  title: `${mode} of ${names}`,
  from: table([...names].map((name, at): Event => [at + 1, name])),
  rows: [
    [`windowFunnel(100, '${mode}')(t, e = 'a', e = 'b', e = 'c')`, level],
    [
      `windowFunnel(100)(t, e = 'a', e = 'b', e = 'c')`,
      longest(
        [...names].map((name, at) => [at, name]),
        100,
        [...'abc'],
      ),
    ],
  ],
}));

const SAME: readonly Event[] = [
  [1, 'a'],
  [1, 'b'],
  [2, 'c'],
];

/** Steps at the same time follow each other, but not where time must go on. */
const sameTime: GoldenTable = {
  title: 'chains of events at the same time',
  from: table(SAME),
  rows: [
    [`windowFunnel(100)(t, e = 'a', e = 'b', e = 'c')`, 3],
    [`windowFunnel(100, 'strict_increase')(t, e = 'a', e = 'b', e = 'c')`, 1],
    [`windowFunnel(100, 'strict_increase')(t, e = 'a', e = 'c')`, 2],
    [`windowFunnel(100, 'strict_order', 'strict_increase')(t, e = 'b', e = 'c')`, 2],
  ],
};

const idOf = (number: number): string => `00000000-0000-0000-0000-00000000000${number}`;
/** Events of a person as funnel functions take them: second, number, steps. */
const steps = (...events: readonly (readonly [at: number, id: number, steps: readonly number[]])[]): string =>
  `[${events.map(([at, id, numbers]) => `(toFloat(${at}), toUUID('${idOf(id)}'), 'en', [${numbers.join(', ')}])`).join(', ')}]`;
/** The same with the interval in which each event is. */
const stepsOfIntervals = (
  ...events: readonly (readonly [at: number, interval: number, id: number, steps: readonly number[]])[]
): string =>
  `[${events.map(([at, interval, id, numbers]) => `(toFloat(${at}), _toUInt64(${interval}), toUUID('${idOf(id)}'), 'en', [${numbers.join(', ')}])`).join(', ')}]`;

const walked = (count: number, order: string, more: string): string =>
  `aggregate_funnel(${count}, 3600, 'first_touch', '${order}', ['en'], ${more})`;
const inTurn = steps([1, 1, [1]], [2, 2, [2]], [3, 3, [3]]);

/** What PostHog's tests of its funnel functions expect, and its rules for each order. */
const walks: GoldenTable = {
  title: 'how far events come in a funnel of PostHog',
  rows: [
    [
      walked(3, 'ordered', `[], ${inTurn}`),
      [[2, 'en', [1, 1], [1, 2, 3].map((number) => [idOf(number), idOf(number)]), 7]],
    ],
    [`${walked(3, 'ordered', inTurn)}[1].1`, 2],
    [`${walked(2, 'ordered', `[], ${steps([1, 2, [2]], [1.5, 1, [1]])}`)}[1].1`, 0],
    [`${walked(2, 'ordered', `[], ${steps([1, 2, [2]], [1, 1, [1]])}`)}[1].1`, 1],
    [walked(2, 'ordered', `[], ${steps([1, 1, [1]], [2, 2, [-2]], [3, 3, [2]])}`), [[-1, 'en', [], [], 0]]],
    [`${walked(2, 'ordered', `[], ${steps([1, 1, [1]], [3601, 2, [2]])}`)}[1].1`, 1],
    [`${walked(2, 'ordered', `[], ${steps([1, 1, [1]], [3602, 2, [2]])}`)}[1].1`, 0],
    [`${walked(2, 'strict', `[], ${steps([1, 1, [1]], [2, 2, [3]], [3, 3, [2]])}`)}[1].1`, 0],
    [`${walked(3, 'ordered', `[2], ${steps([1, 1, [1]], [2, 3, [3]])}`)}[1].5`, 5],
    [`${walked(3, 'ordered', `[2], ${steps([1, 1, [1]], [2, 3, [3]])}`)}[1].1`, 1],
    [
      walked(2, 'unordered', `[], ${steps([1, 2, [2]], [2, 1, [1]])}`),
      [[1, 'en', [1], [[idOf(2)], [idOf(1)]], 3]],
    ],
    [`aggregate_funnel(2, 9, 'all_events', 'ordered', ['en', 'de'], ${inTurn})[2].1`, -1],
    [
      `aggregate_funnel_array(1, 9, 'step_0', 'ordered', [['a'], ['b']], [], [(toFloat(1), 7, ['b'], [1])])[2].4`,
      [[7, 7]],
    ],
    [`aggregate_funnel_cohort(1, 9, 'first_touch', 'ordered', [5], [], [(toFloat(1), 7, 5, [1])])[1].2`, 5],
    [`aggregate_funnel(2, 9, 'first_touch', 'ordered', [''], [], [])`, [[-1, '', [], [[], []], 0]]],
    [`aggregate_funnel(2, 9, 'first_touch', 'ordered', [], [], ${inTurn})`, []],
    [
      `aggregate_funnel_trends(1, 2, 2, 9, 'first_touch', 'ordered', ['en'], ${stepsOfIntervals([1, 0, 1, [1]], [2, 0, 2, [2]], [11, 10, 3, [1]])})`,
      [
        [0, 1, 'en', idOf(2)],
        [10, -1, 'en', idOf(3)],
      ],
    ],
    [
      `aggregate_funnel_trends(0, 2, 9, 'first_touch', 'unordered', ['en'], ${stepsOfIntervals([1, 0, 1, [2]], [2, 0, 2, [1]])})`,
      [[0, 1, 'en', idOf(2)]],
    ],
    [`aggregate_funnel_array_trends(1, 2, 2, 9, 'first_touch', 'strict', [['']], [])`, []],
    [
      `aggregate_funnel_array(1, 9, 'last_touch', 'unordered', [['a']], [(toFloat(1), 7, ['b'], [1])])[1].2`,
      ['a'],
    ],
    [`aggregate_funnel_cohort(2, 9, 'all_events', 'strict', [5, 6], [(toFloat(1), 7, 6, [1])])[2].1`, 0],
    [
      `aggregate_funnel_array_trends(0, 1, 9, 'all_events', 'ordered', [['a']], [(toFloat(1), 0, 7, ['b'], [1])])`,
      [],
    ],
    [
      `aggregate_funnel_cohort_trends(1, 2, 2, 9, 'step_1', 'ordered', [5], [(toFloat(1), 0, 7, 6, [1]), (toFloat(2), 0, 8, 5, [2])])`,
      [[0, 1, 5, 8]],
    ],
    [
      `aggregate_funnel_cohort_trends(1, 1, 1, 9, 'first_touch', 'strict', [5], [(toFloat(1), 0, 7, 5, [1])])`,
      [[0, -1, 5, 7]],
    ],
  ],
};

export const funnelTables: readonly GoldenTable[] = [windows, ...modes, sameTime, walks];
