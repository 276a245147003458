/** The moment at which a day (`2026-11-20`) begins in a time zone, by its IANA name. Unix milliseconds. */
export function startOfDay(day: string, timezone: string): number {
  const asUtc = Date.parse(`${day}T00:00:00Z`);
  const first = asUtc - offsetAt(asUtc, timezone);
  // The offset of that moment decides, which differs where the clocks change in between.
  return asUtc - offsetAt(first, timezone);
}

/** The moment at which the day after begins. */
export function endOfDay(day: string, timezone: string): number {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return startOfDay(next, timezone);
}

/** How far the clocks of a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(ms: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(ms);
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(ms / 1000) * 1000;
}
