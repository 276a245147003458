import { fromDate, toCalendarDate, toZoned, type ZonedDateTime } from '@internationalized/date';
import { readRelativeDate, type DateLetter } from '../../../server/lib/relative-date.contract.ts';
import type { DateSpan } from './date-ranges.ts';
import { momentOf } from './zone-time.ts';

/** The moments of a span, in Unix milliseconds; `to` is exclusive. `null`: open. */
export interface SpanMoments {
  from: number | null;
  to: number | null;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const WALL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d))?(\.\d+)?$/;
const DAY_END = /^(\d{4}-\d\d-\d\d)[T ]23:59:59(?:\.\d+)?$/;

/** When a span begins and ends by the clocks of a zone, as the server reads its dates (management contract 9.9). */
export function momentsOf({ from, to }: DateSpan, zone: string, now: number): SpanMoments {
  return {
    from: from === 'all' ? null : boundOf(from, zone, now, 'from'),
    to: to === null ? null : boundOf(to, zone, now, 'to'),
  };
}

function boundOf(text: string, zone: string, now: number, side: 'from' | 'to'): number | null {
  const [, lastDay] = DAY_END.exec(text) ?? [];
  const day = DAY.test(text) ? text : side === 'to' ? lastDay : undefined;
  if (day !== undefined) {
    const start = momentOf(`${day} 00:00:00`, zone);
    if (start === null) return null;
    return (side === 'to' ? fromDate(start, zone).add({ days: 1 }) : fromDate(start, zone))
      .toDate()
      .getTime();
  }
  const [, date, clock, seconds = '00'] = WALL.exec(text) ?? [];
  if (date !== undefined) return momentOf(`${date} ${clock}:${seconds}`, zone)?.getTime() ?? null;
  return relativeMoment(text, zone, now) ?? validTime(Date.parse(text));
}

function validTime(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}

function relativeMoment(text: string, zone: string, now: number): number | null {
  const date = readRelativeDate(text, { minus: 'optional', edges: true });
  if (date === null) return null;
  const { count, letter, edge } = date;
  const earlier = fromDate(new Date(now), zone).subtract({
    [NAMES[letter]]: letter === 'q' ? count * 3 : count,
  });
  if (edge === null) return earlier.toDate().getTime();
  const start = startOf(earlier, letter, zone);
  const end = start.add({ [NAMES[letter]]: letter === 'q' ? 3 : 1 });
  return (edge === 'Start' ? start : end).toDate().getTime();
}

/** The names of durations in the library. */
const NAMES = {
  s: 'seconds',
  M: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
  m: 'months',
  q: 'months',
  y: 'years',
} as const satisfies Record<DateLetter, string>;

function startOf(moment: ZonedDateTime, letter: DateLetter, zone: string): ZonedDateTime {
  if (letter === 's' || letter === 'M' || letter === 'h') {
    return moment.set({ millisecond: 0, second: 0, ...(letter === 'h' && { minute: 0 }) });
  }
  const day = toCalendarDate(moment);
  const weekday = (new Date(`${day.toString()}T00:00:00Z`).getUTCDay() + 6) % 7;
  const first = {
    d: day,
    w: day.subtract({ days: weekday }),
    m: day.set({ day: 1 }),
    q: day.set({ day: 1, month: day.month - ((day.month - 1) % 3) }),
    y: day.set({ day: 1, month: 1 }),
  }[letter];
  return toZoned(first, zone);
}
