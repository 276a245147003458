import { memoize } from './memoize.ts';

/** A time zone of the IANA database. What its clocks show at a moment is written as the Unix milliseconds at which those of UTC show it. */
export interface TimeZone {
  /** Its IANA name. */
  readonly name: string;
  /** What its clocks show at a moment (Unix milliseconds). */
  localOf(ms: number): number;
  /** The first moment at which its clocks show this, or more where they skip it. */
  momentOf(local: number): number;
}

/** Clocks change at the quarters of an hour alone. */
const QUARTER_MS = 900_000;
/** Quarters whose offset a zone keeps in memory: those of a month, hour by hour, several times over. */
const QUARTERS_KEPT = 4_096;

/** A time zone by its IANA name. Throws RangeError for an unknown one. */
export const timeZone = memoize(createTimeZone);

function createTimeZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  // The offsets of the same days are read repeatedly, and Intl is slow.
  const isUtc = format.resolvedOptions().timeZone === 'UTC';
  const offsets = new Map<number, number>();
  const offsetAt = (ms: number): number => {
    if (isUtc) return 0;
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = readLocal(format, quarter * QUARTER_MS) - quarter * QUARTER_MS;
      if (offsets.size >= QUARTERS_KEPT) offsets.clear();
      offsets.set(quarter, offset);
    }
    return offset;
  };
  return {
    name,
    localOf: (ms) => ms + offsetAt(ms),
    momentOf(local) {
      const before = offsetAt(local - DAY_MS);
      const after = offsetAt(local + DAY_MS);
      // Both may show it when the clocks go back; the greater offset does so first.
      const found = [local - Math.max(before, after), local - Math.min(before, after)].find(
        (ms) => ms + offsetAt(ms) === local,
      );
      return found ?? firstAfter(local, local - Math.max(before, after), offsetAt);
    },
  };
}

const DAY_MS = 86_400_000;

/** For a local time that the clocks skip: the moment of their change. */
function firstAfter(local: number, early: number, offsetAt: (ms: number) => number): number {
  let ms = Math.floor(early / QUARTER_MS) * QUARTER_MS;
  while (ms + offsetAt(ms) < local) ms += QUARTER_MS;
  return ms;
}

function readLocal(format: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const year = parts.get('era')?.startsWith('B') ? 1 - part('year') : part('year');
  const date = new Date(0);
  date.setUTCFullYear(year, part('month') - 1, part('day'));
  date.setUTCHours(part('hour'), part('minute'), part('second'), 0);
  return date.getTime();
}
