import { momentOf } from './zone-time.ts';

const HOUR = 3_600_000;
/** Milliseconds of an interval; a month ends where the next begins. */
const LENGTHS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: HOUR,
  day: 24 * HOUR,
  week: 7 * 24 * HOUR,
};

/**
 * From which place on the intervals that begin at `days`, as the clocks of `zone` show them, are not over at `now`; `null`
 * when all are over. What is counted in them may still grow.
 */
export function unfinishedFrom(
  days: readonly (string | number)[],
  interval: string,
  { zone, now }: { zone: string; now: Date },
): number | null {
  const place = days.findIndex((day) => {
    const end = endOf(String(day), interval, zone);
    return end !== null && end > now;
  });
  return place === -1 ? null : place;
}

function endOf(day: string, interval: string, zone: string): Date | null {
  const wall = wallAfter(day, interval);
  return wall === null ? null : momentOf(wall, zone);
}

/** What the clocks show when the interval ends: a day may be of 23 or 25 hours, so their text is counted on. */
function wallAfter(day: string, interval: string): string | null {
  const text = day.slice(0, 19).replace('T', ' ');
  const begin = new Date(`${text.length > 10 ? text.replace(' ', 'T') : `${text}T00:00:00`}Z`);
  if (Number.isNaN(begin.getTime())) return null;
  if (interval === 'month') begin.setUTCMonth(begin.getUTCMonth() + 1);
  else begin.setTime(begin.getTime() + (LENGTHS[interval] ?? LENGTHS['day']!));
  return begin.toISOString().slice(0, 19).replace('T', ' ');
}
