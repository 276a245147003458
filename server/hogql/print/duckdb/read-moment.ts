import { timeZone } from '../../../lib/time-zone.ts';

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?(?:\d{2})?)?$/i;

/** The moment that a text in a query names, in Unix microseconds: in `timezone` where it names none; null when it is no moment. */
export function readMoment(text: string, timezone: string): bigint | null {
  const found = MOMENT.exec(text.trim());
  if (found === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = found;
  const date = new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  );
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const local = date.getTime();
  const ms = zone === undefined ? timeZone(timezone).momentOf(local) : local - offsetOf(zone);
  return BigInt(ms) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

function offsetOf(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** Whether a text is a day of the calendar: `2026-11-20`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && readMoment(text, 'UTC') !== null;
}
