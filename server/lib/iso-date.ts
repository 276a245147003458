import type { TimeZone } from './time-zone.ts';

/** Unix milliseconds as ISO text with milliseconds and `Z`; null stays null. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Unix microseconds as ISO text with microseconds and `Z`: `2026-11-20T09:10:11.123456Z`. */
export function isoMicros(micros: bigint): string {
  let ms = micros / 1000n;
  let rest = micros % 1000n;
  if (rest < 0n) {
    rest += 1000n;
    ms -= 1n;
  }
  const iso = new Date(Number(ms)).toISOString();
  return `${iso.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** Texts that are dates: ISO 8601, a day or an instant, with or without an offset. The same in RE2 and JavaScript. */
export const DATE_PATTERN =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?';
/** The end of a date with an offset. */
export const OFFSET_PATTERN = ':[0-9.]+(Z|[+-][0-9]{2}:?[0-9]{2})$';

const DATE = new RegExp(`^${DATE_PATTERN}$`);
const TIME = /^.(\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/;
const DAY_MS = 86_400_000;

/** What a date names: an instant, or all of a day. Unix microseconds; `end` is exclusive. */
export interface DateSpan {
  start: number;
  end: number;
}

/** The ISO date or instant that a text spells, else null. One without an offset is in the time zone, left out: in UTC. */
export function readIsoDate(text: string, zone?: TimeZone): DateSpan | null {
  if (!DATE.test(text)) return null;
  return readUsual(text) ?? readAny(text, zone);
}

const DAY_LENGTH = '2026-11-20'.length;
const TO_SECONDS = '2026-11-20T09:30:00Z'.length;
const TO_MILLISECONDS = '2026-11-20T09:30:00.000Z'.length;

/** An instant as JavaScript writes it, which needs no taking apart; null for any other, and for days that months lack. */
function readUsual(text: string): DateSpan | null {
  if (text.length < TO_SECONDS || text.length > TO_MILLISECONDS) return null;
  if (text[DAY_LENGTH] !== 'T' || !text.endsWith('Z')) return null;
  const milliseconds = Date.parse(text);
  // Date.parse takes the 30th of February for the 2nd of March.
  const isThatDay = new Date(milliseconds).getUTCDate() === Number(text.slice(8, DAY_LENGTH));
  return isThatDay ? { start: milliseconds * 1000, end: milliseconds * 1000 + 1 } : null;
}

function readAny(text: string, zone: TimeZone | undefined): DateSpan | null {
  const day = text.slice(0, DAY_LENGTH);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day.slice(8))) return null;
  if (text.length === DAY_LENGTH) {
    return { start: momentIn(zone, midnight) * 1000, end: momentIn(zone, midnight + DAY_MS) * 1000 };
  }
  const [, time, fraction = '', written] = TIME.exec(text.slice(DAY_LENGTH))!;
  const seconds = time!.length === 5 ? ':00' : '';
  const offset = written?.length === 5 ? `${written.slice(0, 3)}:${written.slice(3)}` : (written ?? 'Z');
  const milliseconds = Date.parse(`${day}T${time}${seconds}${offset}`);
  if (Number.isNaN(milliseconds)) return null;
  const moment = written === undefined ? momentIn(zone, milliseconds) : milliseconds;
  const instant = moment * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
  return { start: instant, end: instant + 1 };
}

/** The first moment at which the clocks show this; what they skip is as long after the change, as the database has it. */
function momentIn(zone: TimeZone | undefined, local: number): number {
  if (zone === undefined) return local;
  const moment = zone.momentOf(local);
  if (zone.localOf(moment) === local) return moment;
  return local + (moment - 1) - zone.localOf(moment - 1);
}
