import { memoize } from '../lib/memoize.ts';
import { timeZone } from '../lib/time-zone.ts';

/** Changes of the clocks are known to the statement in these years; other moments are converted by ICU, 20 times slower. */
const FIRST_YEAR = 2022;
const LAST_YEAR = 2029;
const HOUR_MS = 3_600_000;

interface Change {
  /** From this moment on, in Unix milliseconds… */
  readonly from: number;
  /** …the clocks are so far ahead of UTC, in minutes. */
  readonly offset: number;
}

/**
 * SQL for what the clocks of a zone show at a moment, both TIMESTAMP. Europe/Berlin costs a few comparisons per row, UTC
 * nothing. The text names `sql` several times.
 */
export function localSql(sql: string, timezone: string): string {
  if (isUtc(timezone)) return sql;
  const changes = changesOf(timezone);
  const icu = `timezone('${zoneName(timezone)}', timezone('UTC', ${sql}))`;
  return byTime(
    sql,
    changes,
    (change) => `${sql} + ${intervalSql(change.offset)}`,
    icu,
    () => 0,
  );
}

/** SQL for the first moment at which the clocks of a zone show a TIMESTAMP. */
export function momentSql(sql: string, timezone: string): string {
  if (isUtc(timezone)) return sql;
  const changes = changesOf(timezone);
  const icu = firstMomentSql(sql, zoneName(timezone), changes);
  // Where clocks go back, what they show twice is taken for its first moment; where they go forward, what they skip is
  // taken for as long after the change.
  const shown = (change: Change, before: Change): number => Math.max(change.offset, before.offset);
  return byTime(sql, changes, (change) => `${sql} - ${intervalSql(change.offset)}`, icu, shown);
}

/**
 * By ICU, which takes what clocks show twice for the second moment. Clocks that are not turned in the known years may
 * have been before, by an hour.
 */
function firstMomentSql(sql: string, name: string, changes: readonly Change[]): string {
  const offsets = changes.map((change) => change.offset);
  const step = Math.max(...offsets) - Math.min(...offsets) || 60;
  const found = `timezone('${name}', ${sql})`;
  const before = `${found} - ${intervalSql(step)}`;
  return `timezone('UTC', CASE WHEN timezone('${name}', ${before}) = ${sql} THEN ${before} ELSE ${found} END)`;
}

/** Whether moments and clocks are the same. */
export function isUtc(timezone: string): boolean {
  return ['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Etc/UCT', 'UCT', 'Zulu', 'Etc/Zulu', 'Universal'].includes(
    timezone,
  );
}

/** The name for a text of SQL; the project's zone is checked when it is set, and this once more. */
function zoneName(timezone: string): string {
  if (!/^[A-Za-z0-9_+\-/]{1,64}$/.test(timezone)) throw new Error(`no time zone: ${timezone}`);
  return timezone;
}

/** A search among the changes, halving at each step. */
function byTime(
  sql: string,
  changes: readonly Change[],
  print: (change: Change) => string,
  other: string,
  shift: (change: Change, before: Change) => number,
): string {
  const edge = (at: number): string => {
    const change = changes[at]!;
    return timestampSql(change.from + shift(change, changes[at - 1] ?? change) * 60_000);
  };
  const search = (low: number, high: number): string => {
    if (high - low === 1) return print(changes[low]!);
    const middle = (low + high) >> 1;
    return `CASE WHEN ${sql} < ${edge(middle)} THEN ${search(low, middle)} ELSE ${search(middle, high)} END`;
  };
  const end = timestampSql(Date.UTC(LAST_YEAR + 1, 0, 1));
  return `CASE WHEN ${sql} >= ${edge(0)} AND ${sql} < ${end} THEN ${search(0, changes.length)} ELSE ${other} END`;
}

function timestampSql(ms: number): string {
  return `TIMESTAMP '${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}'`;
}

function intervalSql(minutes: number): string {
  return `INTERVAL (${minutes}) MINUTE`;
}

/** When the clocks of a zone change; Intl is slow, so the result is cached for the last zones. */
const changesOf = memoize((timezone: string): readonly Change[] => {
  const zone = timeZone(timezone);
  const offsetAt = (ms: number): number => Math.round((zone.localOf(ms) - ms) / 60_000);
  const start = Date.UTC(FIRST_YEAR, 0, 1);
  const changes: Change[] = [{ from: start, offset: offsetAt(start) }];
  const step = 7 * 24 * HOUR_MS;
  for (let ms = start; ms < Date.UTC(LAST_YEAR + 1, 0, 1); ms += step) {
    if (offsetAt(ms) === offsetAt(ms + step)) continue;
    let [low, high] = [ms, ms + step];
    while (high - low > 60_000 * 15) {
      const middle = low + Math.floor((high - low) / 2 / 900_000) * 900_000;
      if (offsetAt(middle) === offsetAt(low)) low = middle;
      else high = middle;
    }
    changes.push({ from: high, offset: offsetAt(high) });
  }
  return changes;
});
