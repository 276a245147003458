const LONG = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const SECONDS = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });

/** The beginning of an interval, as the project's clocks show it, in words: `Tue, 10 Nov`. */
export function dayLabel(day: string, interval: string): { long: string; short: string } {
  const { long, short } = wordsOf(day, interval);
  // British English writes four letters of one month only.
  return { long: long.replace('Sept', 'Sep'), short: short.replace('Sept', 'Sep') };
}

/** The same in full, with its year: `Tue 10 Nov 2026`. */
export function exactDay(day: string, interval: string): string {
  const { long } = dayLabel(day, interval);
  const year = day.slice(0, 4);
  if (!/^\d{4}$/.test(year) || long.includes(year)) return long;
  const [date, clock] = long.split(' at ');
  return clock === undefined ? `${date} ${year}` : `${date} ${year} at ${clock}`;
}

function wordsOf(day: string, interval: string): { long: string; short: string } {
  const date = new Date(`${day.slice(0, 19).replace(' ', 'T')}${day.length > 10 ? '' : 'T00:00:00'}Z`);
  if (Number.isNaN(date.getTime())) return { long: day, short: day };
  const unit = unitLabel(date, interval);
  if (unit !== null) return { long: unit, short: unit };
  const clock = interval === 'second' ? SECONDS : CLOCK;
  if (['hour', 'minute', 'second'].includes(interval))
    return { long: `${LONG.format(date)} at ${clock.format(date)}`, short: clock.format(date) };
  const long = interval === 'week' ? `the week of ${SHORT.format(date)}` : LONG.format(date);
  return { long, short: SHORT.format(date) };
}

/** The label of a month or a longer unit; `null` of a shorter one. */
function unitLabel(date: Date, interval: string): string | null {
  if (interval === 'month') return MONTH.format(date);
  if (interval === 'quarter') return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  return interval === 'year' ? String(date.getUTCFullYear()) : null;
}
