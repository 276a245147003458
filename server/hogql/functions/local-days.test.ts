import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askHogql } from '../../../test/support/ask-hogql.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
/** Around the days of 2026 on which clocks in Europe, America and Australia change, and in years without a known change. */
const DAYS = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2012-06-30',
];
const moment = fc
  .tuple(fc.constantFrom(...DAYS), fc.integer({ min: -36 * 3600, max: 36 * 3600 }))
  .map(([day, seconds]) => Date.parse(`${day}T12:00:00Z`) + seconds * 1000);

/** What Intl's clocks show, as `2026-03-29 14:47:36`. */
function shown(zone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (ms) => format.format(ms);
}

/** The value of an expression of `t` at each of the moments. */
async function at(moments: readonly number[], expression: string, timezone: string): Promise<unknown[]> {
  const array = `[${moments.map((ms) => ms / 1000).join(', ')}]`;
  const text = `SELECT ${expression} FROM (SELECT arrayJoin(${array}) AS s, fromUnixTimestamp(s) AS t) ORDER BY s`;
  const { results } = await askHogql(store, text, { timezone });
  return results.map(([value]) => value);
}

describe.each(ZONES)('around clock changes, in %s,', (zone) => {
  const clock = shown(zone);
  const distinct = fc
    .uniqueArray(moment, { minLength: 20, maxLength: 40 })
    .map((list) => list.toSorted((a, b) => a - b));

  test('local times equal those of Intl', async () => {
    await fc.assert(
      fc.asyncProperty(distinct, async (moments) => {
        expect(await at(moments, 'toString(t)', zone)).toEqual(moments.map(clock));
      }),
      { numRuns: 5 },
    );
  });

  test('a day starts at the first instant that has its date', async () => {
    await fc.assert(
      fc.asyncProperty(distinct, async (moments) => {
        const starts = (await at(moments, 'toUnixTimestamp(toStartOfDay(t))', zone)) as number[];
        for (const [index, start] of starts.entries()) {
          const day = clock(moments[index]!).slice(0, 10);
          expect(clock(start * 1000).slice(0, 10)).toBe(day);
          expect(clock(start * 1000 - 1000).slice(0, 10)).not.toBe(day);
        }
      }),
      { numRuns: 5 },
    );
  });

  test('an hour starts within the hour, and the minutes are 0', async () => {
    await fc.assert(
      fc.asyncProperty(distinct, async (moments) => {
        const starts = (await at(moments, 'toUnixTimestamp(toStartOfHour(t))', zone)) as number[];
        for (const [index, start] of starts.entries()) {
          const [ms, time] = [moments[index]!, clock(moments[index]!)];
          expect(ms - start * 1000).toBe((Number(time.slice(14, 16)) * 60 + Number(time.slice(17))) * 1000);
        }
      }),
      { numRuns: 5 },
    );
  });
});
