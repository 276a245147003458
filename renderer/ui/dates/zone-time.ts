import { fromDate, parseDateTime, toCalendarDateTime } from '@internationalized/date';

/** Instants in the local time of a time zone, written as `2026-11-22 09:30:00`. */

/** What the clocks of a zone show at a moment: `2026-11-22 09:30:00`. */
export function wallOf(moment: Date, zone: string): string {
  return toCalendarDateTime(fromDate(moment, zone)).set({ millisecond: 0 }).toString().replace('T', ' ');
}

/**
 * The moment at which the clocks of a zone show this: `2026-11-22 09:30:00`. Of two such moments the first, and where
 * clocks jump over it, as long after the jump as it would be; `null` for a text that is no such time.
 */
export function momentOf(wall: string, zone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(wall)) return null;
  try {
    return parseDateTime(wall.replace(' ', 'T')).toDate(zone, 'compatible');
  } catch {
    return null;
  }
}
