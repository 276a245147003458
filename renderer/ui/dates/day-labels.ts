const LONG = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** The beginning of an interval, as the project's clocks show it, in words: `Tue, 10 Nov`. */
export function dayLabel(day: string, interval: string): { long: string; short: string } {
  const { long, short } = wordsOf(day, interval);
  // British English writes four letters of one month only.
  return { long: long.replace('Sept', 'Sep'), short: short.replace('Sept', 'Sep') };
}

function wordsOf(day: string, interval: string): { long: string; short: string } {
  const date = new Date(`${day.slice(0, 19).replace(' ', 'T')}${day.length > 10 ? '' : 'T00:00:00'}Z`);
  if (Number.isNaN(date.getTime())) return { long: day, short: day };
  if (interval === 'month') return { long: MONTH.format(date), short: MONTH.format(date) };
  if (interval === 'hour' || interval === 'minute')
    return { long: `${LONG.format(date)} at ${CLOCK.format(date)}`, short: CLOCK.format(date) };
  const long = interval === 'week' ? `the week of ${SHORT.format(date)}` : LONG.format(date);
  return { long, short: SHORT.format(date) };
}
