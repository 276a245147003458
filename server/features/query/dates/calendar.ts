import { monthsBefore } from '../../../lib/relative-time.ts';
import type { TimeZone } from '../../../lib/time-zone.ts';

/** Units of a calendar and of a clock. */
export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
export type WeekStart = 'sunday' | 'monday';

export const DAY_MS = 86_400_000;
/** Milliseconds of the units that always have as many. */
const LENGTHS: Partial<Record<CalendarUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
};
const MONTHS: Partial<Record<CalendarUnit, number>> = { month: 1, quarter: 3, year: 12 };
/** The first Sunday and the first Monday of Unix time, in days. */
const FIRST_DAY: Record<WeekStart, number> = { sunday: 3, monday: 4 };

/** Whether a unit is counted by clocks, and not by a calendar. */
export function isClockUnit(unit: CalendarUnit): boolean {
  return unit === 'second' || unit === 'minute' || unit === 'hour';
}

/** Where the unit began in which clocks show `local` (local milliseconds, see `TimeZone`). */
export function startOfUnit(local: number, unit: CalendarUnit, weekStart: WeekStart): number {
  const length = LENGTHS[unit];
  if (length !== undefined) return Math.floor(local / length) * length;
  if (unit === 'week') {
    const first = FIRST_DAY[weekStart];
    return (Math.floor((Math.floor(local / DAY_MS) - first) / 7) * 7 + first) * DAY_MS;
  }
  const date = new Date(local);
  const step = MONTHS[unit]!;
  const month = Math.floor(date.getUTCMonth() / step) * step;
  date.setUTCFullYear(date.getUTCFullYear(), month, 1);
  return date.setUTCHours(0, 0, 0, 0);
}

/** What clocks and calendar show some units later, or earlier for a negative count; the month's last day where it has no such day. */
export function addUnits(local: number, count: number, unit: CalendarUnit): number {
  const months = MONTHS[unit];
  if (months !== undefined) return monthsBefore(local, -count * months);
  return local + count * (unit === 'week' ? 7 * DAY_MS : LENGTHS[unit]!);
}

/** Where the unit ends in which clocks show `local`: where the next begins. */
export function endOfUnit(local: number, unit: CalendarUnit, weekStart: WeekStart): number {
  return addUnits(startOfUnit(local, unit, weekStart), 1, unit);
}

/** The unit in which a moment lies, as moments (Unix milliseconds), its end exclusive. */
export function unitAround(
  ms: number,
  unit: CalendarUnit,
  zone: TimeZone,
  weekStart: WeekStart,
): { start: number; end: number } {
  const local = zone.localOf(ms);
  const startLocal = startOfUnit(local, unit, weekStart);
  if (!isClockUnit(unit)) {
    return { start: zone.momentOf(startLocal), end: zone.momentOf(endOfUnit(local, unit, weekStart)) };
  }
  // An hour may exist twice: the one is meant in which the moment lies.
  const start = ms - (local - startLocal);
  return { start, end: start + LENGTHS[unit]! };
}
