import { isTotalDisplay } from '../../server/features/query/kinds/trends/trends-filter.contract.ts';
import { addDays, endOfInterval } from '../ui/dates/calendar-days.ts';
import { rangeEnd, rangeLabel, type DateSpan } from '../ui/dates/date-ranges.ts';
import { sourceOf, type InsightQuery } from './insight-query.ts';
import { insightQueryOf, kindOf } from './kinds.ts';

/** The dates of a query without a date range. */
const DEFAULT_FROM = '-7d';
/** The retention that a query without its own counts has: 11 days. */
const DEFAULT_INTERVALS = 11;
const DEFAULT_WINDOW = 14;

type Fields = Readonly<Record<string, unknown>>;

/** What the result of a query covers, for the subtitle of a tile: `per day`, `last 30 days` and `within 14 days`. */
export interface QueryDates {
  /** The interval of its points; empty where it has none. */
  per: string;
  range: string;
  /** What else limits the time: the conversion window of a funnel. */
  window: string;
}

/** The dates of a stored query, or `null` for a query without dates. `now` is in Unix milliseconds. */
export function datesOfQuery(query: unknown, now: number): QueryDates | null {
  const insightQuery = insightQueryOf(query);
  if (insightQuery === null) return datesOfSql(query, now);
  if (insightQuery.kind === 'RetentionQuery') return datesOfRetention(insightQuery, now);
  const { interval, trendsFilter } = insightQuery;
  const hasInterval =
    kindOf(insightQuery).hasInterval?.(insightQuery) === true && !isTotalDisplay(trendsFilter?.display);
  return {
    per: hasInterval ? `per ${interval ?? 'day'}` : '',
    range: rangeText(spanOf(insightQuery.dateRange) ?? { from: DEFAULT_FROM, to: null }, now),
    window: insightQuery.kind === 'FunnelsQuery' ? windowOf(insightQuery.funnelsFilter ?? {}) : '',
  };
}

/** A subtitle: `per day, last 30 days, UTC`. */
export function datesText({ per, range, window }: QueryDates, timezone: string | null): string {
  return [per, range, window, timezone].filter(Boolean).join(', ');
}

/** The dates of an object with `date_from` and `date_to`; `null` for one that sets none. */
export function spanOf(dates: unknown): DateSpan | null {
  const { date_from: from, date_to: to } = (dates ?? {}) as Fields;
  return typeof from === 'string' && from !== '' ? { from, to: typeof to === 'string' ? to : null } : null;
}

/** A range as filters of dates have it. */
export interface SelectedRange {
  date_from: string;
  date_to: string;
  explicitDate?: true;
}

/** The dates of the intervals of a chart from one to another, which are both in them. */
export function selectedRange(interval: InsightQuery['interval'], from: string, to: string): SelectedRange {
  const end = endOfInterval(to, interval ?? 'day');
  if (from.length === 10 && end.length === 10) {
    const last = addDays(end, -1);
    return { date_from: from, date_to: rangeEnd(last, interval) ?? last };
  }
  const last = new Date(Date.parse(`${end.replace(' ', 'T')}Z`) - 1000).toISOString().slice(0, 19);
  // Without it a range of times would begin with its whole first day.
  return { date_from: from.replace(' ', 'T'), date_to: last, explicitDate: true };
}

/** A range within a sentence: `last 30 days`, `1 Nov to 15 Nov`. */
function rangeText(span: DateSpan, now: number): string {
  const label = rangeLabel(span, now);
  return label.charAt(0).toLowerCase() + label.slice(1);
}

function windowOf(filter: Fields): string {
  const count = Number(filter['funnelWindowInterval'] ?? DEFAULT_WINDOW);
  const unit = String(filter['funnelWindowIntervalUnit'] ?? 'day');
  return `within ${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Where the dates of a query begin: of one without its own, where the server begins. */
export function startOf(insightQuery: InsightQuery): string {
  const { kind, retentionFilter, dateRange } = insightQuery;
  if (kind !== 'RetentionQuery') return dateRange?.date_from ?? DEFAULT_FROM;
  const count = Number(retentionFilter?.['totalIntervals'] ?? DEFAULT_INTERVALS);
  return `-${count}${String(retentionFilter?.['period'] ?? 'Day')
    .charAt(0)
    .toLowerCase()}`;
}

/** Retention covers so many periods, whatever its date range begins with. */
function datesOfRetention({ retentionFilter, dateRange }: InsightQuery, now: number): QueryDates {
  const unit = String(retentionFilter?.['period'] ?? 'Day').toLowerCase();
  const count = Number(retentionFilter?.['totalIntervals'] ?? DEFAULT_INTERVALS);
  const length = `${count} ${unit}${count === 1 ? '' : 's'}`;
  const to = dateRange?.date_to;
  const end = typeof to === 'string' ? ` to ${rangeText({ from: to, to }, now)}` : '';
  return { per: `per ${unit}`, range: end === '' ? `last ${length}` : `${length}${end}`, window: '' };
}

/** SQL has the dates of its filters where it reads them; other dates are in its text. */
function datesOfSql(query: unknown, now: number): QueryDates | null {
  const source = sourceOf(query);
  if (source?.kind !== 'HogQLQuery') return null;
  if (!/\{\s*filters\s*[.}]/.test(String(source['query'])))
    return { per: '', range: 'dates set in SQL', window: '' };
  const span = spanOf((source['filters'] as { dateRange?: unknown } | null | undefined)?.dateRange);
  return { per: '', range: span ? rangeText(span, now) : 'all time', window: '' };
}
