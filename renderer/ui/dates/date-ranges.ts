import {
  DATE_UNITS,
  readRelativeDate,
  type RelativeDate,
} from '../../../server/lib/relative-date.contract.ts';
import { formatDay } from '../format.ts';

/** The dates of a query; no end is now. */
export interface DateSpan {
  from: string;
  to: string | null;
}

interface NamedRange extends DateSpan {
  label: string;
  /** How a comparison calls the time directly before it. */
  before: string;
}

/** Ranges that are offered by name. */
export const DATE_RANGES: readonly NamedRange[] = [
  { from: 'dStart', to: null, label: 'Today', before: 'yesterday' },
  { from: '-1dStart', to: '-1dEnd', label: 'Yesterday', before: 'previous day' },
  { from: '-24h', to: null, label: 'Last 24 hours', before: 'previous 24 hours' },
  { from: '-7d', to: null, label: 'Last 7 days', before: 'previous 7 days' },
  { from: '-14d', to: null, label: 'Last 14 days', before: 'previous 14 days' },
  { from: '-30d', to: null, label: 'Last 30 days', before: 'previous 30 days' },
  { from: '-90d', to: null, label: 'Last 90 days', before: 'previous 90 days' },
  { from: '-180d', to: null, label: 'Last 180 days', before: 'previous 180 days' },
  { from: 'mStart', to: null, label: 'This month', before: 'previous month' },
  { from: '-1mStart', to: '-1mEnd', label: 'Last month', before: 'previous month' },
  { from: 'yStart', to: null, label: 'This year', before: 'previous year' },
  { from: 'all', to: null, label: 'All time', before: 'previous period' },
];

export const INTERVALS = [
  { id: 'second', label: 'Second' },
  { id: 'minute', label: 'Minute' },
  { id: 'hour', label: 'Hour' },
  { id: 'day', label: 'Day' },
  { id: 'week', label: 'Week' },
  { id: 'month', label: 'Month' },
  { id: 'quarter', label: 'Quarter' },
  { id: 'year', label: 'Year' },
] as const;

/** Units of relative dates, by their letter (`-7d`). */
export const SPAN_UNITS = [
  { id: 'h', label: 'hours' },
  { id: 'd', label: 'days' },
  { id: 'w', label: 'weeks' },
  { id: 'm', label: 'months' },
  { id: 'y', label: 'years' },
] as const;

/** A day, also with its first or its last moment. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](?:00:00(?::00)?|23:59:59(?:\.999)?))?$/;
/** A moment of a day; its seconds say nothing in words. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z?$/;
const FINE: ReadonlySet<unknown> = new Set(['second', 'minute', 'hour']);

/** The end of a range: by hours and shorter intervals, a day ends with its last moment, as it would end where it begins. */
export function rangeEnd(to: string | null, interval: string | null | undefined): string | null {
  const [, day] = DATE.exec(to ?? '') ?? [];
  if (day === undefined || to === null) return to;
  return FINE.has(interval) ? `${day}T23:59:59.999` : day;
}

/** The named range of these dates. */
export function namedRange({ from, to }: DateSpan): NamedRange | undefined {
  return DATE_RANGES.find((range) => range.from === from && range.to === to);
}

function readSpan(text: string): RelativeDate | null {
  return readRelativeDate(text, { letters: 'hdwmqy', digits: 4 });
}

/** The length of a relative date: `7 days`. */
export function spanLabel({ count, letter }: Pick<RelativeDate, 'count' | 'letter'>): string {
  return `${count} ${DATE_UNITS[letter]}${count === 1 ? '' : 's'}`;
}

/** How a range is called: `Last 30 days`, `1 Nov to 15 Nov`. */
export function rangeLabel(span: DateSpan, now: number): string {
  const named = namedRange(span);
  if (named) return named.label;
  const last = readSpan(span.from);
  if (last !== null && span.to === null) return `Last ${spanLabel(last)}`;
  const from = dayText(span.from, now);
  const to = span.to === null ? 'now' : dayText(span.to, now);
  return from === to ? from : `${from} to ${to}`;
}

function dayText(text: string, now: number): string {
  const [, day] = DATE.exec(text) ?? [];
  if (day !== undefined) return formatDay(new Date(`${day}T00:00:00`), now);
  const [, date, clock] = MOMENT.exec(text) ?? [];
  if (date !== undefined) return `${formatDay(new Date(`${date}T00:00:00`), now)}, ${clock}`;
  const before = readSpan(text);
  return before === null ? text : `${spanLabel(before)} ago`;
}

/** Whether a text is a date that the server reads: a day, a moment, or a relative date such as `-7d` or `mStart`. */
export function isDateText(text: string): boolean {
  return (
    text === 'all' ||
    readRelativeDate(text, { minus: 'optional', edges: true }) !== null ||
    (/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?$/.test(text) &&
      !Number.isNaN(Date.parse(text.slice(0, 10))))
  );
}

/** The time that a comparison looks at: `previous 30 days`, `1 month earlier`. */
export function beforeLabel({
  dateRange,
  compareFilter,
}: {
  dateRange?: { date_from?: string | null; date_to?: string | null } | null;
  compareFilter?: { compare_to?: string | null } | null;
}): string {
  const earlier = readSpan(compareFilter?.compare_to ?? '');
  if (earlier !== null) return `${spanLabel(earlier)} earlier`;
  const span = { from: dateRange?.date_from ?? '-7d', to: dateRange?.date_to ?? null };
  return namedRange(span)?.before ?? 'previous period';
}
