/** Days as texts, `2026-11-22`: without a time of day, and without a time zone. */

const DAY = 86_400_000;
/** Milliseconds of the intervals that begin at a time of day. */
const CLOCK_STEPS: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 };

/** So many days later; earlier for a negative number. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10);
}

/** So many months later, on the last day of a month that is too short. */
export function addMonths(day: string, count: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + count, 0));
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

/** What the clocks show when an interval ends: a day, or a time of one (`2026-11-22 10:00:00`) where it began at such. */
export function endOfInterval(start: string, interval: string): string {
  const day = start.slice(0, 10);
  const step = CLOCK_STEPS[interval];
  if (step !== undefined) {
    const time = start.length > 10 ? start.slice(11, 19) : '00:00:00';
    return new Date(Date.parse(`${day}T${time}Z`) + step).toISOString().slice(0, 19).replace('T', ' ');
  }
  return interval === 'month' ? addMonths(day, 1) : addDays(day, interval === 'week' ? 7 : 1);
}

/** The weeks that show a month, from Monday to Sunday, with days of the months around it. */
export function weeksOf(day: string): string[][] {
  const first = `${day.slice(0, 7)}-01`;
  const weekday = (new Date(first).getUTCDay() + 6) % 7;
  const begin = addDays(first, -weekday);
  const next = addMonths(first, 1);
  const weeks: string[][] = [];
  for (let start = begin; start < next; start = addDays(start, 7))
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(start, at)));
  return weeks;
}

/** Today, as the clock of this machine shows it. */
export function localDay(now: Date): string {
  const [month, date] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${now.getFullYear()}-${month}-${date}`;
}
