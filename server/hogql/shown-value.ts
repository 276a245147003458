import { timeZone } from '../lib/time-zone.ts';
import { isUtc } from './zone-sql.ts';
import type { ValueType } from './value-type.ts';

/** A value of a row as the database gives it: moments are ISO 8601 text in UTC, maps lists of pairs. */
type Given = null | boolean | number | string | readonly Given[];
/** Returns how a result shows a value. */
type Show = (value: Given) => unknown;

/**
 * How results show values of a type: a comparison is 1 or 0, a map is an object, a moment has the offset of its zone,
 * which is the project's unless the query names another. Null: as the database gives it.
 */
export function shownBy(type: ValueType, timezone: string): Show | null {
  switch (type.name) {
    case 'Bool':
      return type.isBoolean === true ? null : (value) => (typeof value === 'boolean' ? Number(value) : value);
    case 'DateTime': {
      const zone = type.zone ?? timezone;
      return isUtc(zone) ? null : (value) => (typeof value === 'string' ? withOffset(value, zone) : value);
    }
    case 'Array': {
      const item = shownBy(type.item, timezone);
      return item === null ? null : (value) => (Array.isArray(value) ? value.map(item) : value);
    }
    case 'Tuple': {
      if (type.items.length === 0) return () => [];
      const items = type.items.map((one) => shownBy(one, timezone));
      if (items.every((one) => one === null)) return null;
      return (value) =>
        Array.isArray(value) ? value.map((part, at) => items[at]?.(part as Given) ?? part) : value;
    }
    case 'Map': {
      const [key, item] = [shownBy(type.key, timezone), shownBy(type.value, timezone)];
      return (value) => {
        if (!Array.isArray(value)) return value;
        const entries = value as readonly (readonly [Given, Given])[];
        return Object.fromEntries(
          entries.map(([name, one]) => [String(key?.(name) ?? name), item === null ? one : item(one)]),
        );
      };
    }
    default:
      return null;
  }
}

/** The rows of a result as it shows them; the same rows where no column is shown otherwise. */
export function shownValues<Row extends readonly Given[]>(
  rows: readonly Row[],
  types: readonly ValueType[],
  timezone: string,
): readonly (readonly unknown[])[] {
  const shows = types.map((type) => shownBy(type, timezone));
  if (shows.every((show) => show === null)) return rows;
  return rows.map((row) => row.map((value, at) => (shows[at] ? shows[at](value) : value)));
}

const MICROS = /^(.{19})\.(\d{6})Z$/;

/** `2026-11-20T18:30:00.000000Z` as `2026-11-21T00:00:00+05:30`. */
function withOffset(text: string, zone: string): string {
  const [, seconds, micros] = MICROS.exec(text) ?? [];
  if (seconds === undefined) return text;
  const ms = Date.parse(`${seconds}Z`);
  const local = timeZone(zone).localOf(ms);
  const minutes = Math.round((local - ms) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (number: number): string => String(number).padStart(2, '0');
  const fraction = micros === '000000' ? '' : `.${micros!}`;
  const shown = new Date(local).toISOString().slice(0, 19);
  return `${shown}${fraction}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}
