/** Moments by the clocks of a time zone: what stands on them is a text like `2026-11-22 09:30:00`. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

/** What the clocks of a zone show at a moment: `2026-11-22 09:30:00`. */
export function wallOf(moment: Date, zone: string): string {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name)!;
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`;
}

/**
 * The moment at which the clocks of a zone show this: `2026-11-22 09:30:00`. Of two such moments the first, and where
 * clocks jump over it, as long after the jump as it would be; `null` for a text that is no such time.
 */
export function momentOf(wall: string, zone: string): Date | null {
  const asUtc = utcOf(wall);
  if (Number.isNaN(asUtc)) return null;
  // Clocks change by at most a day around the same text read as UTC; both offsets of a change are tried.
  const candidates = [-1, 1].map((side) => {
    const near = asUtc + side * 86_400_000;
    return asUtc - (utcOf(wallOf(new Date(near), zone)) - near);
  });
  const exact = candidates.filter((moment) => wallOf(new Date(moment), zone) === wall);
  return new Date(exact.length > 0 ? Math.min(...exact) : candidates[0]!);
}

function utcOf(wall: string): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(wall) ?? [];
  const moment = Date.parse(`${day}T${time}Z`);
  // Date.parse takes 31 February for 3 March.
  const isDay = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(String(day));
  return isDay ? moment : Number.NaN;
}
