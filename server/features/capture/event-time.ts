import { fail } from '../../errors.ts';

// Times are whole Unix microseconds in a double: exact until the year 2255, rounded to a few microseconds beyond.
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FUTURE_LIMIT = 23 * HOUR;
const YEAR_0 = -62_167_219_200 * SECOND;
const YEAR_10000 = 253_402_300_800 * SECOND;
/** Numbers below are seconds, from here on milliseconds: 1e11 s is the year 5138, 1e11 ms is 1973. */
const SMALLEST_MILLISECONDS = 1e11;

export interface EventTimes {
  /** As the event says, in any form that parseTime reads. */
  timestamp: unknown;
  /** Milliseconds between the event and its sending, as the event says. */
  offset: unknown;
  /** Unix microseconds by the sender's clock, or null. */
  sentAt: number | null;
  /** `properties.$ignore_sent_at`. */
  ignoreSentAt: boolean;
  /** Unix milliseconds by our clock. */
  now: number;
}

/**
 * Decides when an event happened (ingestion contract 4), in Unix microseconds: `now - offset` when there is an
 * offset; else the timestamp, corrected by the difference of the sender's clock to ours when `sentAt` is given; else
 * now. More than 23 hours ahead is now, a year before 0 or after 9999 is the epoch. Throws invalid_payload for an
 * offset that is not a whole number.
 */
export function resolveEventTime(times: EventTimes): number {
  const now = Math.round(times.now * 1000);
  const time = claimedTime(times, now);
  if (time - now > FUTURE_LIMIT) return now;
  return time >= YEAR_0 && time < YEAR_10000 ? time : 0;
}

/** Why the time of an event is not the one that it claims; null when it is, or when it claims none. */
export function problemOfTime(
  times: EventTimes,
  resolved: number,
): 'event_timestamp_in_future' | 'ignored_invalid_timestamp' | null {
  const now = Math.round(times.now * 1000);
  // Nothing but now and the epoch ever takes the place of a time.
  if (resolved !== now && resolved !== 0) return null;
  const { timestamp, offset } = times;
  if (offset === undefined || offset === null) {
    if (timestamp === undefined || timestamp === null) return null;
    if (parseTime(timestamp) === null) return 'ignored_invalid_timestamp';
  }
  const claimed = claimedTime(times, now);
  if (claimed - now > FUTURE_LIMIT) return 'event_timestamp_in_future';
  return claimed === resolved ? null : 'ignored_invalid_timestamp';
}

function claimedTime(times: EventTimes, now: number): number {
  if (times.offset !== undefined && times.offset !== null) {
    if (!Number.isInteger(times.offset)) {
      throw fail('invalid_payload', {
        detail: 'invalid payload: "offset" is not a whole number of milliseconds.',
      });
    }
    return now - (times.offset as number) * 1000;
  }
  const timestamp = parseTime(times.timestamp);
  if (timestamp === null) return now;
  return times.sentAt === null || times.ignoreSentAt ? timestamp : now + (timestamp - times.sentAt);
}

/**
 * Reads a time in the forms that SDKs and people send (ingestion contract 4.6): RFC 3339 with any offset or none (UTC),
 * a date alone, a space for the `T`, slashes, RFC 2822, Unix seconds or milliseconds as number or text.
 * Returns Unix microseconds, or null for anything else.
 */
export function parseTime(value: unknown): number | null {
  if (typeof value === 'string') {
    const instant = parseJsonDate(value);
    return instant === null ? parseText(value.trim()) : instant;
  }
  return typeof value === 'number' ? fromUnix(value) : null;
}

/** `YYYY-MM-DDTHH:MM:SS.sssZ`, what JSON.stringify writes for a Date and nearly every SDK sends; null for other text. */
function parseJsonDate(text: string): number | null {
  if (
    text.length !== 24 ||
    text.charCodeAt(4) !== 0x2d ||
    text.charCodeAt(7) !== 0x2d ||
    text.charCodeAt(10) !== 0x54 ||
    text.charCodeAt(13) !== 0x3a ||
    text.charCodeAt(16) !== 0x3a ||
    text.charCodeAt(19) !== 0x2e ||
    text.charCodeAt(23) !== 0x5a
  ) {
    return null;
  }
  const date = dateMicroseconds(
    digits2(text, 0) * 100 + digits2(text, 2),
    digits2(text, 5),
    digits2(text, 8),
  );
  const time = timeMicroseconds(digits2(text, 11), digits2(text, 14), digits2(text, 17));
  const milliseconds = digits2(text, 20) * 10 + digit(text, 22);
  const instant = date + time + milliseconds * 1000;
  return Number.isNaN(instant) ? null : instant;
}

function digits2(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

/** NaN when it is no digit, which every sum keeps. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : NaN;
}

const UNIX = /^[+-]?\d{1,19}(?:\.\d{1,9})?$/;
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,12}))?)?`;
const ZONE = String.raw`(?:\s*(?<zone>z|utc|ut|gmt|[+-]\d\d(?::?\d\d)?))?`;
const ISO = new RegExp(
  String.raw`^(?<year>\d{4}|[+-]\d{6})(?<separator>[-/])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})(?:(?:t|\s+)${TIME}${ZONE})?$`,
  'i',
);
/** Month before day, as PostHog's own parser reads it. */
const SLASHED = new RegExp(
  String.raw`^(?<month>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4})(?:\s+${TIME}${ZONE})?$`,
  'i',
);
const RFC_2822 = new RegExp(
  String.raw`^(?:[a-z]{3},\s*)?(?<day>\d{1,2})\s+(?<monthName>[a-z]{3})\s+(?<year>\d{4})\s+${TIME}\s*(?<zone>z|utc|ut|gmt|[ecmp][sd]t|[+-]\d{4})$`,
  'i',
);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Hours of the zone names that RFC 2822 (4.3) still allows; all others are UTC. */
const NAMED_ZONES: ReadonlyMap<string, number> = new Map([
  ['est', -5],
  ['edt', -4],
  ['cst', -6],
  ['cdt', -5],
  ['mst', -7],
  ['mdt', -6],
  ['pst', -8],
  ['pdt', -7],
]);

function parseText(text: string): number | null {
  if (text.length > 64) return null;
  if (UNIX.test(text)) return fromUnix(Number(text));
  const parts = (ISO.exec(text) ?? SLASHED.exec(text) ?? RFC_2822.exec(text))?.groups;
  if (parts === undefined) return null;
  const month =
    parts.monthName === undefined ? Number(parts.month) : MONTHS.indexOf(parts.monthName.toLowerCase()) + 1;
  const instant =
    dateMicroseconds(Number(parts.year), month, Number(parts.day)) +
    timeMicroseconds(Number(parts.hour ?? 0), Number(parts.minute ?? 0), Number(parts.second ?? 0)) +
    Number((parts.fraction ?? '').slice(0, 6).padEnd(6, '0')) -
    zoneMicroseconds(parts.zone ?? 'z');
  return Number.isNaN(instant) ? null : instant;
}

function fromUnix(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return Math.round(value * (Math.abs(value) < SMALLEST_MILLISECONDS ? SECOND : 1000));
}

/** Microseconds from the epoch to a day of the proleptic Gregorian calendar; NaN when there is no such day. */
function dateMicroseconds(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return NaN;
  // Counted in years that begin in March, so that the leap day comes last.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * 146_097 + dayOfEra - 719_468) * DAY;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** NaN when the clock shows no such time; second 60 is a leap second, counted as the next minute's first. */
function timeMicroseconds(hour: number, minute: number, second: number): number {
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return NaN;
  return hour * HOUR + minute * MINUTE + second * SECOND;
}

function zoneMicroseconds(zone: string): number {
  const sign = zone.charCodeAt(0) === 0x2d ? -1 : zone.charCodeAt(0) === 0x2b ? 1 : 0;
  if (sign === 0) return (NAMED_ZONES.get(zone.toLowerCase()) ?? 0) * HOUR;
  return sign * timeMicroseconds(Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '')), 0);
}
