/** One day of a calendar of counts. */
export interface ActivityDay {
  day: string;
  count: number;
  /** 0 for none, then 1 to 4 by share of the busiest day. */
  level: number;
}

const DAY = 86_400_000;
const WEEKS = 26;

/** The last 26 weeks up to today, each from Monday to Sunday; the last one ends with today. Days and `now` are in UTC. */
export function activityWeeks(days: readonly { day: string; count: number }[], now: number): ActivityDay[][] {
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  const top = Math.max(1, ...counts.values());
  const today = Math.floor(now / DAY);
  // The first of January 1970 was a Thursday.
  const monday = today - ((today + 3) % 7);
  return Array.from({ length: WEEKS }, (_, week) => {
    const start = monday - (WEEKS - 1 - week) * 7;
    const length = Math.min(7, today - start + 1);
    return Array.from({ length }, (_day, index) => {
      const day = new Date((start + index) * DAY).toISOString().slice(0, 10);
      const count = counts.get(day) ?? 0;
      return { day, count, level: count === 0 ? 0 : Math.ceil((count / top) * 4) };
    });
  });
}
