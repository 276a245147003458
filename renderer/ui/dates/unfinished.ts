import { endOfInterval } from './calendar-days.ts';
import { momentOf } from './zone-time.ts';

/**
 * From which place on the intervals that begin at `days`, as the clocks of `zone` show them, are not over at `now`; `null`
 * when all are over. What is counted in them may still grow. A day may be of 23 or 25 hours, so what clocks show is counted on.
 */
export function unfinishedFrom(
  days: readonly (string | number)[],
  interval: string,
  { zone, now }: { zone: string; now: Date },
): number | null {
  const starts = days.map(String);
  if (!starts.every((start) => /^\d{4}-\d\d-\d\d/.test(start))) return null;
  const place = starts.findIndex((start) => {
    const wall = endOfInterval(start, interval);
    const end = momentOf(wall.length > 10 ? wall : `${wall} 00:00:00`, zone);
    return end !== null && end > now;
  });
  return place === -1 ? null : place;
}
