import { afterAll, describe, expect, test } from 'vitest';
import { funnelQuery, openFunnels } from '../../../../../test/support/app-funnels.ts';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import {
  outcomeOf,
  outcomesOf,
  peopleOf,
  stepsOf,
  type ModelEvent,
  type ModelFunnel,
} from '../../../../../test/support/funnel-model.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

const of = (who: string, ...events: readonly (readonly [event: string, hours: number])[]): ModelEvent[] =>
  events.map(([event, hours]) => ({ who, event, at: hours * HOUR, plan: who === 'dee' ? 'pro' : 'free' }));

/** A shop on three days of November: it begins on the 18th at 10:00. */
const SHOP: readonly ModelEvent[] = [
  ...of('ann', ['visit', 0], ['cart', 1], ['pay', 3]),
  ...of('bob', ['visit', 0], ['help', 1], ['cart', 2], ['pay', 4]),
  ...of('cy', ['visit', 1], ['cart', 1], ['cart', 5], ['leave', 6], ['visit', 25]),
  ...of('dee', ['cart', 2], ['visit', 3], ['pay', 4], ['cart', 26], ['pay', 60]),
  ...of('eve', ['visit', 20], ['visit', 26], ['cart', 28], ['leave', 29], ['pay', 30]),
  ...of('flo', ['pay', 1], ['leave', 2]),
];

const STEPS: ModelFunnel['steps'] = [{ event: 'visit' }, { event: 'cart' }, { event: 'pay' }];
const ORDERS = ['ordered', 'strict', 'unordered'] as const;
const SHOWN = ['steps', 'time_to_convert', 'trends'] as const;
const EXCLUDED: Readonly<Record<string, ModelFunnel['exclusions']>> = {
  'without exclusions': [],
  'with exclusions': [{ event: 'help', from: 0, to: 1 }],
  'with several exclusions': [
    { event: 'help', from: 0, to: 2 },
    { event: 'leave', from: 1, to: 2 },
  ],
};
const KINDS = ORDERS.flatMap((order) =>
  SHOWN.flatMap((shown) => ['plain', 'excluding'].map((name) => `${order}, ${shown}, ${name}`)),
);
const coverage = createCoverageTable('Funnels: order, visualisation, exclusions', KINDS);

afterAll(() => {
  expect(coverage.missing()).toEqual([]);
});

const round = (number: number | null): number | null =>
  number === null ? null : Math.round(number * 100) / 100;
const mean = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

const median = (numbers: readonly number[]): number | null => {
  const half = numbers.length / 2;
  return mean(numbers.toSorted((a, b) => a - b).slice(Math.ceil(half) - 1, Math.floor(half) + 1));
};

const EXPECTED: Readonly<Record<(typeof SHOWN)[number], (funnel: ModelFunnel) => unknown>> = {
  steps: (funnel) =>
    stepsOf(outcomesOf(SHOP, funnel), funnel).map(({ count, gaps }) => [count, round(mean(gaps))]),
  time_to_convert: (funnel) => {
    const times = outcomesOf(SHOP, funnel).flatMap(({ times: [first, ...rest] }) => {
      const last = rest.at(-1) ?? null;
      return last === null ? [] : [last - first!];
    });
    if (times.length === 0) {
      return { bins: [], average_conversion_time: null, median_conversion_time: null };
    }
    const [least, most] = [Math.min(...times), Math.max(...times)];
    const bins = Math.ceil(Math.cbrt(times.length));
    const width = most > least ? Math.ceil((most - least) / bins) : 60;
    const starts = Array.from({ length: bins + 1 }, (_, at) => least + at * width);
    return {
      bins: starts.map((start) => [
        start,
        times.filter((time) => time >= start && time < start + width).length,
      ]),
      average_conversion_time: round(mean(times)),
      median_conversion_time: round(median(times)),
    };
  },
  trends: (funnel) => {
    const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
    const began = (start: number): number => Math.floor((start + 10 * HOUR) / DAY) + 1;
    const outcomes = days.map((_, day) =>
      peopleOf(SHOP).flatMap((own) => {
        const times = outcomeOf(own, funnel, { mayBegin: ({ at }) => began(at) === day });
        return times === null ? [] : [times];
      }),
    );
    const entered = outcomes.map((all) => all.length);
    const converted = outcomes.map((all) => all.filter((times) => times.at(-1) !== null).length);
    return {
      days,
      entered,
      converted,
      data: entered.map((count, day) => (count === 0 ? 0 : round((100 * converted[day]!) / count))),
    };
  },
};

interface Step {
  count: number;
  average_conversion_time: number | null;
}

/** What the answer says, as the model says it. */
function told(shown: (typeof SHOWN)[number], results: unknown): unknown {
  if (shown === 'steps') {
    return (results as Step[]).map(({ count, average_conversion_time: time }) => [count, round(time)]);
  }
  if (shown === 'time_to_convert') return results;
  const [line] = results as Record<string, unknown>[];
  return {
    days: line!['days'],
    entered: line!['reached_from_step_count'],
    converted: line!['reached_to_step_count'],
    data: line!['data'],
  };
}

describe('M9.9.1 a funnel', () => {
  test('of each order and display, with and without exclusions, equals a plain count', async () => {
    const { ask } = await openFunnels();
    for (const order of ORDERS) {
      for (const [name, excluded] of Object.entries(EXCLUDED)) {
        // Without an order they are between the first step and the last.
        const exclusions =
          order === 'unordered' ? excluded.map((one) => ({ ...one, from: 0, to: 2 })) : excluded;
        for (const window of [2 * HOUR, 3 * DAY]) {
          const funnel: ModelFunnel = {
            order,
            steps: STEPS,
            exclusions,
            window,
            holdsPlan: false,
            attribution: 'none',
          };
          for (const shown of SHOWN) {
            const results = await ask(SHOP, funnel, { funnelVizType: shown });
            expect(told(shown, results), `${order}, ${shown}, ${name}, ${window}`).toEqual(
              EXPECTED[shown](funnel),
            );
            coverage.saw(`${order}, ${shown}, ${exclusions.length === 0 ? 'plain' : 'excluding'}`);
          }
        }
      }
    }
  });

  test('with a breakdown counts each person under the value of a touch, or each value that a step had', async () => {
    const { ask } = await openFunnels();
    const events: ModelEvent[] = [
      { who: 'ann', event: 'visit', at: 0, plan: 'free' },
      { who: 'ann', event: 'cart', at: 1, plan: 'pro' },
      { who: 'bob', event: 'visit', at: 0 },
      { who: 'bob', event: 'cart', at: 1, plan: 'free' },
      { who: 'cy', event: 'visit', at: 0, plan: 'old' },
      { who: 'dee', event: 'visit', at: 0 },
      { who: 'dee', event: 'other', at: 1, plan: 'pro' },
    ];
    const shown = async (
      attribution: ModelFunnel['attribution'],
      breakdownFilter: object = {},
    ): Promise<unknown> => {
      const funnel: ModelFunnel = {
        order: 'ordered',
        steps: STEPS.slice(0, 2),
        exclusions: [],
        window: 60,
        holdsPlan: false,
        attribution,
      };
      const fields = { breakdownFilter: { breakdown: 'plan', ...breakdownFilter } };
      const groups = (await ask(events, funnel, {}, fields)) as (Step & { breakdown: string[] })[][];
      return groups.map((steps) => [steps[0]!.breakdown.join(), ...steps.map(({ count }) => count)]);
    };
    expect(await shown('first_touch')).toEqual([
      ['free', 2, 2],
      ['', 1, 0],
      ['old', 1, 0],
    ]);
    expect(await shown('last_touch')).toEqual([
      ['free', 1, 1],
      ['pro', 1, 1],
      ['', 1, 0],
      ['old', 1, 0],
    ]);
    expect(await shown('all_events')).toEqual([
      ['', 2, 0],
      ['free', 1, 0],
      ['old', 1, 0],
    ]);
    // Cy and Dee never had a cart.
    expect(await shown(1)).toEqual([
      ['free', 1, 1],
      ['pro', 1, 1],
    ]);
    expect(await shown('first_touch', { breakdown_limit: 1 })).toEqual([
      ['free', 2, 2],
      ['Other', 2, 0],
    ]);
    expect(
      await shown('first_touch', { breakdown_limit: 1, breakdown_hide_other_aggregation: true }),
    ).toEqual([['free', 2, 2]]);
  });

  test('lists the persons of each number', async () => {
    const { app, ask } = await openFunnels();
    const funnel: ModelFunnel = {
      order: 'ordered',
      steps: STEPS,
      exclusions: [],
      window: 4 * HOUR,
      holdsPlan: false,
      attribution: 'first_touch',
    };
    await ask(SHOP, funnel);
    const persons = async (point: object, more: object = {}): Promise<string[]> => {
      const source = { kind: 'FunnelsActorsQuery', source: funnelQuery(funnel, more), ...point };
      const { status, json } = await app.ask('/api/projects/1/query/', {
        method: 'POST',
        body: { query: { kind: 'ActorsQuery', source, select: ['actor'] } },
      });
      expect(status).toBe(200);
      return json.results
        .map(([actor]: [{ distinct_ids: string[] }]) => actor.distinct_ids[0]!.slice(0, -2))
        .sort();
    };
    expect(await persons({ funnelStep: 1 })).toEqual(['ann', 'bob', 'cy', 'dee', 'eve']);
    expect(await persons({ funnelStep: 3 })).toEqual(['ann', 'bob', 'eve']);
    expect(await persons({ funnelStep: -2 })).toEqual(['dee']);
    expect(await persons({ funnelStep: -3 })).toEqual(['cy']);
    expect(await persons({ funnelStep: 1, funnelCustomSteps: [1] })).toEqual(['dee']);
    expect(await persons({ funnelCustomSteps: [3, 1, 3] })).toEqual(['ann', 'bob', 'dee', 'eve']);
    expect(await persons({ funnelStep: 1, funnelStepBreakdown: 'pro' })).toEqual(['dee']);
    expect(await persons({ funnelStep: -2, funnelStepBreakdown: ['free'] })).toEqual([]);
    const trends = { funnelVizType: 'trends' };
    const day = (funnelTrendsEntrancePeriodStart: string, funnelTrendsDropOff = false): Promise<string[]> =>
      persons({ funnelTrendsEntrancePeriodStart, funnelTrendsDropOff }, trends);
    expect(await day('2026-11-18')).toEqual(['ann', 'bob']);
    expect(await day('2026-11-18', true)).toEqual(['cy', 'dee']);
    expect(await day('2026-11-19')).toEqual(['eve']);
    expect(await day('2026-11-19', true)).toEqual(['cy']);
  });

  test('in order, with expected counts', async () => {
    const { ask } = await openFunnels();
    const funnel: ModelFunnel = {
      order: 'ordered',
      steps: STEPS,
      exclusions: [],
      window: 3 * HOUR,
      holdsPlan: false,
      attribution: 'none',
    };
    const counts = async (more: Partial<ModelFunnel>): Promise<number[]> =>
      ((await ask(SHOP, { ...funnel, ...more })) as Step[]).map(({ count }) => count);
    // Ann pays three hours after the visit, which is within three hours; Bob needs four. Cy's first cart was at the very moment of the visit, and
    // converts there (amendment A-6).
    expect(await counts({})).toEqual([5, 4, 1]);
    expect(await counts({ window: 3 * HOUR - 1 })).toEqual([5, 4, 0]);
    expect(await counts({ window: 4 * HOUR })).toEqual([5, 4, 3]);
    // Bob has the excluded event in between, so he is not in the funnel at all.
    expect(await counts({ window: 4 * HOUR, exclusions: [{ event: 'help', from: 0, to: 1 }] })).toEqual([
      4, 3, 2,
    ]);
    // Eve left before she paid, on the attempt that came furthest. Cy left after his four hours.
    expect(await counts({ window: 4 * HOUR, exclusions: [{ event: 'leave', from: 1, to: 2 }] })).toEqual([
      4, 3, 2,
    ]);
    // Dee and Bob did something else next.
    expect(await counts({ window: 4 * HOUR, order: 'strict' })).toEqual([5, 3, 1]);
    expect(await counts({ window: 4 * HOUR, order: 'unordered' })).toEqual([6, 5, 4]);
    expect(
      await counts({
        window: 4 * HOUR,
        steps: [{ event: 'visit' }, { event: 'help', optional: true }, { event: 'pay' }],
      }),
    ).toEqual([5, 1, 4]);
  });
});
