import type { TimeZone } from '../../../lib/time-zone.ts';
import { addUnits, isClockUnit, unitAround, type CalendarUnit, type WeekStart } from './calendar.ts';

/** Where and when a date is read. */
export interface DateContext {
  readonly zone: TimeZone;
  readonly weekStart: WeekStart;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What a text names as a date, in Unix milliseconds. */
export interface DateWord {
  /** Where a span that begins with it begins. */
  readonly start: number;
  /** Where a span that ends with it ends, exclusive. */
  readonly end: number;
  /** What it says to the letter. */
  readonly exact: number;
  /** Whether a moment was written out rather than a day or a relative date. */
  readonly isMoment: boolean;
}

/** Letters of units, as in PostHog: `M` is minutes and `m` months. */
export const UNIT_LETTERS: Readonly<Record<string, CalendarUnit>> = {
  s: 'second',
  M: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
};
/** Before it the calendar's years have no four digits. */
const FIRST_YEAR = Date.parse('0001-01-03T00:00:00Z');
const RELATIVE = /^(?:-?(\d{1,6}))?([sMhdwmqy])(Start|End)?$/;
const ABSOLUTE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Reads a date of a query (management contract 9.9): a day or moment as ISO 8601, of the project's time zone when it names
 * none; or a relative one such as `-7d`, `-24h`, `mStart`, `-1mEnd`. Relative days are whole, relative hours whole hours.
 * Null for any other text.
 */
export function readDateWord(text: string, context: DateContext): DateWord | null {
  const word = readAbsolute(text, context) ?? readRelative(text, context);
  return word !== null && Number.isFinite(word.start) && Number.isFinite(word.end) ? word : null;
}

function readAbsolute(text: string, { zone, weekStart }: DateContext): DateWord | null {
  const [, day, time, offset] = ABSOLUTE.exec(text) ?? [];
  if (day === undefined) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day.slice(8))) return null;
  const dayEnd = (moment: number) => unitAround(moment, 'day', zone, weekStart).end;
  if (time === undefined) {
    const start = zone.momentOf(midnight);
    return { start, end: dayEnd(start), exact: start, isMoment: false };
  }
  const local = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${isoOffset(offset)}`);
  const exact = offset === undefined ? zone.momentOf(local) : local;
  if (Number.isNaN(exact)) return null;
  return { start: exact, end: dayEnd(exact), exact, isMoment: true };
}

function isoOffset(offset = 'Z'): string {
  if (offset.length === 3) return `${offset}:00`;
  return offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
}

function readRelative(text: string, { zone, weekStart, now }: DateContext): DateWord | null {
  const [, count, letter, position] = RELATIVE.exec(text) ?? [];
  if (letter === undefined || (count === undefined && position === undefined)) return null;
  const unit = UNIT_LETTERS[letter]!;
  const before = -Number(count ?? 0);
  // A calendar's units keep the time of day over a change of the clocks; hours are hours.
  const shown = addUnits(isClockUnit(unit) ? now : zone.localOf(now), before, unit);
  if (!(shown >= FIRST_YEAR)) return null;
  const exact = isClockUnit(unit) ? shown : zone.momentOf(shown);
  const whole = isClockUnit(unit) ? unit : 'day';
  if (position === undefined) return { ...unitAround(exact, whole, zone, weekStart), exact, isMoment: false };
  // The first day (or hour) of the unit, or its last.
  const around = unitAround(exact, unit, zone, weekStart);
  const isStart = position === 'Start';
  const span = unitAround(isStart ? around.start : around.end - 1, whole, zone, weekStart);
  return { ...span, exact: isStart ? span.start : span.end, isMoment: false };
}
