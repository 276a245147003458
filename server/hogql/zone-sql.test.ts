import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTestStore } from '../../test/support/store.ts';
import { timeZone } from '../lib/time-zone.ts';
import { localSql, momentSql } from './zone-sql.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
];
const HOUR_MS = 3_600_000;

/** Moments of all years that clocks are known in and some beside, many of them around the changes of clocks. */
function moments(): number[] {
  const anywhere = fc.sample(fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2045, 0) }), 200);
  const months = [2, 3, 8, 9, 10].flatMap((month) =>
    [2016, 2026, 2030].map((year) => Date.UTC(year, month, 1)),
  );
  const nearChanges = months.flatMap((start) =>
    fc.sample(fc.integer({ min: start, max: start + 31 * 24 * HOUR_MS }), 60),
  );
  const berlin = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)].flatMap((change) =>
    [-2, -1, -0.001, 0, 0.5, 1, 2].map((hours) => change + hours * HOUR_MS),
  );
  // What Apia and São Paulo showed twice before they gave up turning their clocks.
  const given = ['2012-03-31T13:30Z', '2012-03-31T14:30Z', '2016-02-21T01:30Z', '2016-02-21T02:30Z'];
  return [...anywhere, ...nearChanges, ...berlin, ...given.map(Date.parse)].map(Math.trunc);
}

/** What SQL makes of each moment, all of them in one statement. Unix milliseconds. */
async function computed(sql: string, values: readonly number[]): Promise<number[]> {
  const store = await openTestStore();
  const rows = await store.analytics.all<{ ms: number }>(
    `SELECT epoch_ms(${sql}) AS ms FROM (SELECT make_timestamp_ms(unnest($values::BIGINT[])) AS ts)`,
    { values },
  );
  await store.close();
  return rows.map(({ ms }) => ms);
}

describe('local times of a zone in SQL', () => {
  test.each(ZONES)('%s has the same local times as Intl, in every year', async (zone) => {
    const values = moments();
    const { localOf } = timeZone(zone);
    expect(await computed(localSql('ts', zone), values)).toEqual(values.map((ms) => localOf(ms)));
  });

  test.each(ZONES)('a local time of %s is converted to its first instant', async (zone) => {
    const { localOf, momentOf } = timeZone(zone);
    const shown = moments().map((ms) => localOf(ms));
    expect(await computed(momentSql('ts', zone), shown)).toEqual(shown.map((local) => momentOf(local)));
  });

  test('UTC adds no expression', () => {
    expect([localSql('ts', 'UTC'), momentSql('ts', 'UTC')]).toEqual(['ts', 'ts']);
  });

  test('an invalid time zone is refused before it reaches a statement', () => {
    expect(() => localSql('ts', `UTC'); DROP TABLE events; --`)).toThrow(RangeError);
  });
});
