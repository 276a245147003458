// @module-tag deep
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOddText } from '../../../../../test/support/arbitrary-of-schema.ts';
import { answerOf, openKindContext } from '../../../../../test/support/kind-context.ts';
import { askTrend, MODEL_EVENTS, openModelApp } from '../../../../../test/support/trends-model.ts';
import { ApiError } from '../../../../errors.ts';
import { HogqlError } from '../../../../hogql/errors.ts';
import { OPERATORS } from '../../../../conditions/operators.contract.ts';
import { DISPLAYS, INTERVALS, MATHS } from '../../node-schema.ts';
import { trendsKind } from './index.ts';

/** Usual parts, and sometimes an unusual one: of many parts, a single invalid one refuses the query. */
function usually<T>(usual: fc.Arbitrary<T>): fc.Arbitrary<T | string> {
  return fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: anyOddText });
}
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Odd names are properties like any other. */
const names = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('bought', 'amount', '$browser', 'plan', 'load', '$feature/checkout-v2'),
  },
  { weight: 1, arbitrary: anyOddText.filter((text) => text !== '') },
);
const lists = fc.array(fc.oneof(names, fc.integer(), fc.boolean()), { minLength: 1, maxLength: 3 });
const numbers = fc.oneof(fc.integer({ min: -9, max: 99 }), fc.double({ noNaN: true }));

const comparisons = fc.oneof(
  fc.record({ operator: fc.constantFrom(...OPERATORS.slice(0, 10)), value: lists }),
  fc.record({
    operator: fc.constantFrom('regex', 'not_regex'),
    value: usually(fc.constantFrom('^a', '.', 'x|y')),
  }),
  fc.record({
    operator: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'min', 'max'),
    value: fc.oneof(numbers, names),
  }),
  fc.record({ operator: fc.constantFrom('between', 'not_between'), value: fc.tuple(numbers, numbers) }),
  fc.record({ operator: fc.constantFrom('is_set', 'is_not_set') }),
  fc.record({
    operator: fc.constantFrom('is_date_exact', 'is_date_before', 'is_date_after'),
    value: usually(fc.constantFrom('-7d', '2026-11-14', '2026-11-14T08:00:00Z')),
  }),
  fc.record({
    operator: fc.constantFrom(...OPERATORS.filter((name) => name.startsWith('semver'))),
    value: usually(fc.constantFrom('1.2.3', '1.*', '10')),
  }),
);
const subjects = fc.oneof(
  fc.record({ type: fc.constantFrom('event', 'person', 'feature'), key: names }),
  fc.record({ type: fc.constant('element'), key: fc.constantFrom('tag_name', 'text', 'href') }),
  fc.record({
    type: fc.constant('event_metadata'),
    key: fc.constantFrom('event', 'timestamp', 'uuid', '$group_0'),
  }),
  fc.record({
    type: fc.constant('session'),
    key: fc.constantFrom('$session_duration', '$entry_pathname', '$start_timestamp'),
  }),
  fc.record({ type: fc.constant('group'), key: names, group_type_index: fc.integer({ min: 0, max: 4 }) }),
);
const leaves = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(subjects, comparisons)
      .map(([subject, comparison]) => ({ ...subject, ...comparison })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('hogql'),
      key: usually(fc.constantFrom('properties.amount > 5', `event like '%o%'`, 'person.properties.plan')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('flag'), key: names, value: fc.oneof(fc.boolean(), names) }),
  },
);

const series = fc.record({
  kind: fc.constant('EventsNode'),
  event: fc.oneof(fc.constantFrom('bought', '$pageview', null), names),
  math: maybe(fc.constantFrom(...MATHS)),
  math_property: names,
  math_hogql: usually(fc.constantFrom('count()', 'uniq(person_id)', 'sum(toFloat(properties.amount))')),
  math_group_type_index: fc.integer({ min: 0, max: 4 }),
  properties: fc.array(leaves, { maxLength: 2 }),
});

const begins = usually(fc.constantFrom('-1d', '-3d', '-9d', 'mStart', 'all', '2026-11-14', '-2m', undefined));
const ends = usually(fc.constantFrom(undefined, '-1d', '2026-11-19T23:00:00', '-1dEnd', '2026-11-01'));
const bins = fc.integer({ min: 1, max: 4 });

const queries = fc.record({
  series: fc.array(series, { minLength: 1, maxLength: 3 }),
  interval: maybe(fc.constantFrom(...INTERVALS.filter((interval) => interval !== 'minute'))),
  dateRange: fc.record({ date_from: begins, date_to: ends, explicitDate: maybe(fc.boolean()) }),
  properties: fc.array(leaves, { maxLength: 2 }),
  trendsFilter: maybe(
    fc.record({
      display: maybe(fc.constantFrom(...DISPLAYS)),
      formula: maybe(usually(fc.constantFrom('A + 1', 'A / 0', '-A', 'sqrt(A - 9)', 'A * A'))),
      smoothingIntervals: maybe(fc.integer({ min: -2, max: 9 })),
    }),
  ),
  breakdownFilter: maybe(
    fc.oneof(
      fc.record({
        breakdown: names,
        breakdown_type: fc.constantFrom('event', 'person'),
        breakdown_limit: maybe(bins),
      }),
      fc.record({
        breakdown: names,
        breakdown_histogram_bin_count: bins,
        breakdown_normalize_url: maybe(fc.boolean()),
      }),
      fc.record({ breakdown: names, breakdown_type: fc.constant('group'), breakdown_group_type_index: bins }),
      fc.record({
        breakdowns: fc.array(fc.record({ property: names, type: fc.constantFrom('event', 'person') }), {
          maxLength: 3,
        }),
      }),
      fc.record({
        breakdown: usually(
          fc.constantFrom('properties.amount', 'person_id', 'timestamp', '1', 'if(1 = 1, null, 2)'),
        ),
        breakdown_type: fc.constant('hogql'),
      }),
    ),
  ),
  compareFilter: maybe(
    fc.record({ compare: fc.boolean(), compare_to: maybe(usually(fc.constantFrom('-1w', '-1y'))) }),
  ),
  samplingFactor: maybe(fc.constantFrom(0.5, 1)),
});

test('M9.9 any trend is computed or refused with a message, and the store is unchanged', async () => {
  const app = await openModelApp();
  const context = await openKindContext(app, {
    timezone: 'Europe/Berlin',
    propertyType: (_, name) => (name === 'amount' || name === 'load' ? 'Numeric' : null),
  });
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const parsed = trendsKind.schema.safeParse({ kind: 'TrendsQuery', ...query });
      if (!parsed.success) return;
      try {
        const { results } = await answerOf(trendsKind, parsed.data, context);
        // The one number of a formula has no list.
        const shown = (
          results as { data: number[] | null; count: number; aggregated_value?: number }[]
        ).flatMap(({ data, count, aggregated_value: value }) => [...(data ?? []), count, value ?? 0]);
        expect(shown.every(Number.isFinite)).toBe(true);
        answered++;
      } catch (error) {
        if (!(error instanceof ApiError) && !(error instanceof HogqlError)) throw error;
        expect(error.message).not.toBe('');
      }
    }),
    { numRuns: 80 },
  );
  expect(answered).toBeGreaterThan(40);
  const { results } = await askTrend(app, {
    series: [{ kind: 'EventsNode', event: 'bought' }],
    dateRange: { date_from: 'all' },
  });
  expect(results[0]!.count).toBe(MODEL_EVENTS.filter(({ event }) => event === 'bought').length);
}, 180_000);
