import { timeZone, type TimeZone } from './time-zone.ts';

/** The moment at which a day (`2026-11-20`) begins in a time zone, by its IANA name. Unix milliseconds. */
export function startOfDay(day: string, timezone: string): number {
  return timeZone(timezone).momentOf(Date.parse(`${day}T00:00:00Z`));
}

/** The moment at which the day after begins. */
export function endOfDay(day: string, timezone: string): number {
  return timeZone(timezone).momentOf(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
}

/** The day of a moment as the clocks of a zone show it; Unix milliseconds, `end` is exclusive. */
export function dayOfMoment(moment: number, zone: TimeZone): { start: number; end: number } {
  const midnight = Math.floor(zone.localOf(moment) / 86_400_000) * 86_400_000;
  return { start: zone.momentOf(midnight), end: zone.momentOf(midnight + 86_400_000) };
}
