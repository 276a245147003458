import { fail } from '../../../errors.ts';
import { addUnits, DAY_MS, unitAround, type CalendarUnit } from './calendar.ts';
import { readDateWord, UNIT_LETTERS, type DateContext, type DateWord } from './date-word.ts';

export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month';

/** A span of time in Unix milliseconds; `to` is exclusive. */
export interface DateSpan {
  readonly from: number;
  readonly to: number;
}

const COMPARE_TO = /^-(\d{1,4})([hdwmqy])$/;

/** Whether a text says how much earlier a compared span is. */
export function isCompareTo(text: string): boolean {
  return COMPARE_TO.test(text);
}

/** The dates of a query as they were sent. */
export interface DateRange {
  readonly date_from?: string | null | undefined;
  readonly date_to?: string | null | undefined;
  /** Both to the letter: no day and no hour is made whole. */
  readonly explicitDate?: boolean | null | undefined;
}

export interface SpanContext extends DateContext {
  /** Default day. */
  readonly interval?: Interval | null | undefined;
  /** The first event of the project in Unix milliseconds, where `all` begins; null: there is none. */
  readonly firstEvent?: number | null;
  /** Where a query begins that does not say it; default `-7d`. */
  readonly defaultFrom?: string;
}

/**
 * The span that a query means (management contract 9.9, 9.9.1): days are whole, also the last one, which for no end
 * is today; hours and minutes end with their hour or minute. Nothing finer than the interval depends on the current
 * time, so that a repeated query has the same bounds. Throws invalid_input for a text that is no date.
 */
export function resolveDates(range: DateRange | null | undefined, context: SpanContext): DateSpan {
  const isExplicit = range?.explicitDate ?? false;
  const to = spanEnd(range?.date_to, isExplicit, context);
  const text = range?.date_from || (context.defaultFrom ?? '-7d');
  if (text === 'all') return { from: firstDay(context), to };
  const word = readWord(text, 'date_from', context);
  return { from: isExplicit ? word.exact : word.start, to };
}

function spanEnd(text: string | null | undefined, isExplicit: boolean, context: SpanContext): number {
  const { interval, now, zone, weekStart } = context;
  const isFine = interval === 'minute' || interval === 'hour';
  if (!text) return unitAround(now, isFine ? interval : 'day', zone, weekStart).end;
  const word = readWord(text, 'date_to', context);
  if (isExplicit || (word.isMoment && isFine)) return word.exact + (word.isMoment ? 1 : 0);
  return word.end;
}

function firstDay({ firstEvent, now, zone, weekStart }: SpanContext): number {
  return unitAround(firstEvent ?? now, 'day', zone, weekStart).start;
}

function readWord(text: string, field: string, context: DateContext): DateWord {
  const word = readDateWord(text, context);
  if (word !== null) return word;
  throw fail('invalid_input', {
    detail: `'${text.slice(0, 40)}' is not a valid ${field}: use a date such as 2026-03-04, a date and time, or a relative date such as -7d or mStart.`,
  });
}

/**
 * The span that another is compared to: the same length directly before it in whole local days, or for minutes and spans
 * below a day to the millisecond; or, by `compareTo` such as `-1y`, as much earlier as it says. Throws invalid_input.
 */
export function previousSpan(
  span: DateSpan,
  compareTo: string | null | undefined,
  { zone, interval }: SpanContext,
): DateSpan {
  if (compareTo) {
    const [, count, letter] = COMPARE_TO.exec(compareTo) ?? [];
    if (letter === undefined) {
      throw fail('invalid_input', { detail: `compare_to must be a relative date such as -1w, -1m or -1y.` });
    }
    return shifted(span, Number(count), UNIT_LETTERS[letter]!, zone);
  }
  const length = zone.localOf(span.to) - zone.localOf(span.from);
  if (interval === 'minute' || length < DAY_MS) {
    return { from: span.from - (span.to - span.from), to: span.from };
  }
  return shifted(span, Math.ceil(length / DAY_MS), 'day', zone);
}

function shifted(span: DateSpan, count: number, unit: CalendarUnit, zone: DateContext['zone']): DateSpan {
  const earlier = (ms: number): number => zone.momentOf(addUnits(zone.localOf(ms), -count, unit));
  return { from: earlier(span.from), to: earlier(span.to) };
}
