// @module-tag deep
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  askRetention,
  modelRetention,
  modelCounts,
  countsOf,
} from '../../../../../test/support/retention-model.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { openTestApp } from '../../../../../test/support/test-app.ts';
import type { ModelEvent } from '../../../../../test/support/trends-model.ts';

const FIRST = Date.parse('2026-10-22T21:00:00Z');
const QUARTER_MS = 900_000;

/** Events at quarters of an hour over a week in which clocks change, so that many happen at one moment. */
const someEvents = fc.array(
  fc.record({
    event: fc.constantFrom('open', 'edit'),
    who: fc.integer({ min: 0, max: 5 }),
    quarter: fc.integer({ min: 0, max: 7 * 96 }),
    color: fc.constantFrom('red', 'blue'),
  }),
  { minLength: 1, maxLength: 40 },
);

const someQuestions = fc.record({
  period: fc.constantFrom('Hour' as const, 'Day' as const, 'Week' as const, 'Month' as const),
  total: fc.integer({ min: 1, max: 9 }),
  to: fc.constantFrom('2026-10-25', '2026-10-27', '2026-10-31'),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  type: fc.constantFrom('recurring' as const, 'first time' as const),
  minimum: fc.integer({ min: 1, max: 2 }),
  cumulative: fc.boolean(),
  windows: fc.boolean(),
  isSame: fc.boolean(),
  isBroken: fc.boolean(),
  brackets: fc.option(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }), {
    nil: undefined,
  }),
});

/** Of six senders, which are merged into the one before them. */
const someMerges = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 });

/** A person active again after the last day, within the window of the day before. */
const LATE_IN_A_WINDOW = exampleOf([0, 492], { period: 'Day', total: 6, to: '2026-10-27' });

function exampleOf(quarters: number[], asked: { period: 'Day'; total: number; to: '2026-10-27' }) {
  const events = quarters.map((quarter) => ({
    event: 'open' as const,
    who: 0,
    quarter,
    color: 'red' as const,
  }));
  const question = {
    ...asked,
    zone: 'UTC' as const,
    type: 'recurring' as const,
    minimum: 1,
    cumulative: false,
    windows: true,
    isSame: true,
    isBroken: false,
    brackets: undefined,
  };
  const questions = Array.from({ length: 4 }, () => question);
  return [events, Array<boolean>(6).fill(false), questions] satisfies unknown[] as [
    typeof events,
    boolean[],
    typeof questions,
  ];
}

test('M9.9.1 a retention of any events, merges and options equals a brute-force count', async () => {
  const app = await openTestApp();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      someEvents,
      someMerges,
      fc.array(someQuestions, { minLength: 4, maxLength: 4 }),
      async (drawn, merged, questions) => {
        const name = (text: string): string => `${text}-${run}`;
        run += 1;
        const events: ModelEvent[] = drawn.map(({ event, who, quarter, color }) => ({
          event: name(event),
          who: name(`u${who}`),
          at: new Date(FIRST + quarter * QUARTER_MS).toISOString(),
          properties: { color },
        }));
        const owner = merged.map((_, who) => who);
        merged.forEach((isMerged, who) => {
          if (isMerged && who > 0) owner[who] = owner[who - 1]!;
        });
        const half = events.length >> 1;
        const sent = events.map(({ event, who, at, properties }) => ({
          event,
          distinct_id: who,
          timestamp: at,
          properties,
        }));
        const merges = merged.flatMap((isMerged, who) =>
          isMerged && who > 0
            ? [
                {
                  event: '$merge_dangerously',
                  distinct_id: name(`u${who - 1}`),
                  timestamp: '2026-10-01T00:00:00Z',
                  properties: { alias: name(`u${who}`) },
                },
              ]
            : [],
        );
        await sendEvents(app, [...sent.slice(0, half), ...merges, ...sent.slice(half)]);
        const person = (who: string): string => name(`u${owner[Number(/^u(\d)/.exec(who)![1])]!}`);
        for (const question of questions) {
          const { period, total, to, zone, type, windows, isSame, isBroken, brackets } = question;
          // Windows of their own are never cumulative, and count everyone who comes back once.
          const [cumulative, minimum] = windows ? [false, 1] : [question.cumulative, question.minimum];
          const target = { id: name('open'), type: 'events' };
          const { results } = await askRetention(
            app,
            {
              dateRange: { date_to: to },
              retentionFilter: {
                period,
                totalIntervals: total,
                retentionType: type === 'recurring' ? 'retention_recurring' : 'retention_first_time',
                minimumOccurrences: question.minimum,
                cumulative,
                targetEntity: target,
                returningEntity: isSame ? target : { id: name('edit'), type: 'events' },
                ...(windows && { timeWindowMode: '24_hour_windows' }),
                ...(brackets && { retentionCustomBrackets: brackets }),
              },
              ...(isBroken && { breakdownFilter: { breakdown: 'color' } }),
            },
            { timezone: zone },
          );
          const model = modelRetention(events, {
            period,
            total,
            to,
            zone,
            type,
            minimum,
            cumulative,
            windows,
            person,
            ...(brackets && { brackets }),
            ...(isBroken && { value: ({ properties }: ModelEvent) => String(properties['color']) }),
            target: ({ event }) => event === name('open'),
            returning: ({ event }) => event === name(isSame ? 'open' : 'edit'),
          });
          const values = isBroken ? ['blue', 'red'] : [''];
          for (const value of values) {
            const rows = results.filter((row) => !isBroken || row.breakdown_value === value);
            const expected = modelCounts(model.get(value));
            // Without persons there is no value, and without a breakdown there are zeros.
            const found = countsOf(rows);
            expect(expected.length === 0 ? found.flat().filter((count) => count > 0) : found).toEqual(
              expected,
            );
          }
        }
      },
    ),
    { numRuns: 15, examples: [LATE_IN_A_WINDOW] },
  );
});
