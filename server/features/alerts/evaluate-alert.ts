import { ExactNumber } from '../../lib/exact-number.contract.ts';
import { canHaveAlerts, formulasOf, isTotalDisplay, type StoredQuery } from '../query/index.ts';
import type { AlertBounds, AlertFields, AlertThreshold } from './alert-row.ts';
import type { AlertCondition } from './alerts.contract.ts';

/** What an alert looks at. */
export type Evaluated = Pick<AlertFields, 'threshold' | 'condition' | 'config'>;

/** What a check found. */
export interface Finding {
  /** Null: not one number, as of a breakdown of which no value is outside of the bounds. */
  readonly value: number | null;
  readonly breaches: readonly string[];
  readonly interval: string | null;
  readonly dates: readonly string[];
}

/** Why an alert cannot be evaluated, as a sentence. */
export class AlertProblem extends Error {}

/** The kinds of insights that can have alerts. */
export type AlertKind = 'TrendsQuery' | 'HogQLQuery';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The kind of a query without its wrapper, or null where it can have no alerts. */
export function alertKindOf(source: StoredQuery | null): AlertKind | null {
  if (source?.kind === 'HogQLQuery') return 'HogQLQuery';
  if (source?.kind !== 'TrendsQuery') return null;
  return canHaveAlerts(displayOf(source)) ? 'TrendsQuery' : null;
}

function displayOf(source: StoredQuery): unknown {
  return fieldsOf(source['trendsFilter'])['display'];
}

/** Whether a trend is one number of its whole time, which nothing can be compared with. */
export function isTotal(source: StoredQuery): boolean {
  return isTotalDisplay(displayOf(source));
}

/** How many series a trend has, or formulas if it has any. */
export function seriesCount(source: StoredQuery): number {
  const formulas = formulasOf(fieldsOf(source['trendsFilter']));
  if (formulas.length > 0) return formulas.length;
  return Array.isArray(source['series']) ? source['series'].length : 0;
}

/** Letters of relative dates by the interval of a query. */
const LETTERS: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'M',
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'm',
  quarter: 'q',
  year: 'y',
};
/** The first of these intervals may begin before the time that is read, so one more is read than is looked at. */
const INTERVALS_READ = 3;

/**
 * The query that an alert asks: of a chart over time the last intervals up to now, whatever time it shows. One that adds up its
 * values needs its own beginning. A slope, which has only two of the intervals, is read as lines. Nothing is compared with
 * an earlier time.
 */
export function queryOfAlert(source: StoredQuery): StoredQuery {
  if (source.kind !== 'TrendsQuery') return source;
  const { compareFilter: _compare, ...rest } = source;
  if (isTotal(source)) return rest;
  const filter = fieldsOf(source['trendsFilter']);
  const smoothing = Number(filter['smoothingIntervals'] ?? 1) || 1;
  const letter = LETTERS[intervalOf(source)] ?? 'd';
  const isGrowing = filter['display'] === 'ActionsLineGraphCumulative';
  const from = isGrowing
    ? fieldsOf(source['dateRange'])['date_from']
    : `-${INTERVALS_READ + smoothing - 1}${letter}`;
  const trendsFilter =
    filter['display'] === 'SlopeGraph' ? { ...filter, display: 'ActionsLineGraph' } : source['trendsFilter'];
  return {
    ...rest,
    kind: 'TrendsQuery',
    trendsFilter,
    dateRange: { date_from: from ?? null, date_to: null },
  };
}

function intervalOf(source: StoredQuery): string {
  return typeof source['interval'] === 'string' ? source['interval'] : 'day';
}

/** What a query has answered. */
export interface Answered {
  readonly results?: unknown;
  readonly columns?: readonly string[] | null | undefined;
}

/** Compares what the query of an alert has answered with its threshold. Throws AlertProblem. */
export function evaluateAlert(alert: Evaluated, source: StoredQuery, answer: Answered): Finding {
  const { config } = alert;
  const kind = alertKindOf(source);
  if (kind === 'TrendsQuery' && config.type === 'TrendsAlertConfig')
    return evaluateTrend({ ...alert, config }, source, answer.results);
  if (kind === 'HogQLQuery' && config.type === 'HogQLAlertConfig')
    return evaluateRows({ ...alert, config }, answer);
  throw new AlertProblem('The insight is now of another kind. Edit the alert so that it fits, or delete it.');
}

interface TrendLine {
  label?: string;
  data?: readonly number[] | null;
  days?: readonly string[];
  aggregated_value?: number;
  breakdown_value?: unknown;
}

type OfTrends = Evaluated & { config: { type: 'TrendsAlertConfig' } & Fields };

function evaluateTrend(alert: OfTrends, source: StoredQuery, results: unknown): Finding {
  const lines = (Array.isArray(results) ? results : []) as TrendLine[];
  const index = Number(alert.config['series_index'] ?? 0);
  const total = isTotal(source);
  const interval = total ? null : intervalOf(source);
  const hasBreakdown = lines.some((line) => line.breakdown_value !== undefined);
  const looked = hasBreakdown ? lines : lines.slice(index, index + 1);
  if (lines.length > 0 && looked.length === 0)
    throw new AlertProblem(`The insight has no series ${index + 1} any more. Edit the alert.`);
  // No rows are no events: 0, so that a lower bound fires.
  const found = (looked.length > 0 ? looked : [EMPTY_LINE]).map((line) =>
    total
      ? foundOf(alert, line, [{ value: line.aggregated_value ?? 0, date: null }])
      : foundOf(alert, line, lastValues(alert, line)),
  );
  const first = found.find(({ breaches }) => breaches.length > 0);
  return {
    value: (first ?? (hasBreakdown ? undefined : found[0]))?.value ?? null,
    breaches: found.flatMap(({ breaches }) => breaches).slice(0, MAX_BREACHES),
    interval,
    dates: [...new Set((first ?? found[0])?.dates ?? [])],
  };
}

/** A breakdown may have many values; so many are named. */
const MAX_BREACHES = 20;
const EMPTY_LINE: TrendLine = { label: 'The series', data: [], days: [] };

interface Looked {
  readonly value: number;
  readonly date: string | null;
  /** Of an interval that is not over: its value can still grow, so a lower bound says nothing yet. */
  readonly isOngoing?: boolean;
}

/**
 * The values that decide, in the order in which they are compared: the interval that is not over where the alert says so, then
 * the last complete one.
 */
function lastValues(alert: OfTrends, { data, days = [] }: TrendLine): Looked[] {
  const values = (data ?? []).map(numberOf);
  const at = (back: number): Looked => {
    const { type } = alert.condition;
    const [now, before] = [values.at(-back) ?? 0, values.at(-back - 1) ?? 0];
    return { value: changeOf(alert, type, now, before), date: days.at(-back) ?? null };
  };
  const looksAtOngoing =
    alert.config['check_ongoing_interval'] === true && alert.condition.type !== 'relative_decrease';
  return looksAtOngoing ? [{ ...at(1), isOngoing: true }, at(2)] : [at(2)];
}

function foundOf(
  { threshold, condition }: Evaluated,
  line: TrendLine,
  looked: readonly Looked[],
): { value: number | null; breaches: string[]; dates: string[] } {
  const label = line.label ?? 'The series';
  for (const { value, date, isOngoing = false } of looked) {
    const bounds = threshold?.bounds ?? {};
    const breach = breachOf(
      { value, label, date, threshold, condition },
      isOngoing ? { upper: bounds.upper } : bounds,
    );
    if (breach !== null)
      return { value: finite(value), breaches: [breach], dates: date === null ? [] : [date] };
  }
  const [first] = looked;
  return { value: finite(first!.value), breaches: [], dates: first!.date === null ? [] : [first!.date] };
}

/** What a value of its kind is: itself, or how much it has grown or fallen. 0.2 of a percentage is 20 %. */
function changeOf(
  { threshold }: Evaluated,
  type: AlertCondition['type'],
  now: number,
  before: number,
): number {
  if (type === 'absolute_value') return now;
  const change = type === 'relative_increase' ? now - before : before - now;
  if (threshold?.type !== 'percentage') return change;
  if (before !== 0) return change / before;
  return change === 0 ? 0 : Math.sign(change) * Infinity;
}

interface Compared {
  value: number;
  label: string;
  date: string | null;
  threshold: AlertThreshold | null;
  condition: AlertCondition;
}

/** A sentence when the value is outside of the bounds, else null. */
function breachOf(compared: Compared, { lower, upper }: AlertBounds): string | null {
  const { value, label, date, condition } = compared;
  const isLow = typeof lower === 'number' && value < lower;
  if (!isLow && !(typeof upper === 'number' && value > upper)) return null;
  const show = (number: number): string => shown(number, compared.threshold?.type === 'percentage');
  const what =
    condition.type === 'absolute_value'
      ? `is ${show(value)}`
      : condition.type === 'relative_increase'
        ? `increased by ${show(value)}`
        : `decreased by ${show(value)}`;
  const limit = isLow
    ? `less than the lower bound of ${show(lower)}`
    : `more than the upper bound of ${show(upper!)}`;
  return `${label} ${what}${date === null ? '' : ` (${date})`}, ${limit}.`;
}

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function shown(value: number, isPercentage: boolean): string {
  if (!Number.isFinite(value)) return 'an infinite percentage, from 0';
  return isPercentage ? `${NUMBER.format(value * 100)}%` : NUMBER.format(value);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

type OfRows = Evaluated & {
  config: Extract<Evaluated['config'], { type: 'HogQLAlertConfig' }>;
};

function evaluateRows(alert: OfRows, { results, columns }: Answered): Finding {
  const rows = (Array.isArray(results) ? results : []) as unknown[][];
  const { config, condition, threshold } = alert;
  const names = columns ?? [];
  const at = columnOf(config.column ?? null, names, rows);
  const labelAt = config.label_column ? placeOf(config.label_column, names) : null;
  const labelOf = (row: unknown[] | undefined): string => {
    const label = labelAt === null ? null : row?.[labelAt];
    return label === null || label === undefined ? (names[at] ?? 'The result') : String(label);
  };
  const compare = (value: number, row: unknown[] | undefined): string | null =>
    breachOf({ value, label: labelOf(row), date: null, threshold, condition }, threshold?.bounds ?? {});
  const nothing = { interval: null, dates: [] };

  if (config.evaluation === 'any_row' && rows.length > 0) {
    const found = rows.flatMap((row) => {
      if (row[at] === null) return [];
      const value = rowNumber(row[at], names[at]);
      const breach = compare(value, row);
      return breach === null ? [] : [{ value, breach }];
    });
    return {
      ...nothing,
      value: found[0]?.value ?? null,
      breaches: found.slice(0, MAX_BREACHES).map(({ breach }) => breach),
    };
  }
  const isFirst = config.evaluation === 'first_row';
  const row = isFirst ? rows[0] : rows.at(-1);
  const other = isFirst ? rows[1] : rows.at(-2);
  const now = row === undefined ? 0 : rowNumber(row[at], names[at]);
  const before =
    other === undefined || condition.type === 'absolute_value' ? 0 : rowNumber(other[at], names[at]);
  const value = changeOf(alert, condition.type, now, before);
  const breach = compare(value, row);
  return { ...nothing, value: finite(value), breaches: breach === null ? [] : [breach] };
}

/** The named column, or the first one that has a number. */
function columnOf(name: string | null, names: readonly string[], rows: readonly unknown[][]): number {
  if (name !== null) return placeOf(name, names);
  if (rows.length === 0) return 0;
  const found = names.findIndex((_, at) => rows.some((row) => isNumber(row[at])));
  if (found < 0) throw new AlertProblem('No column of the result has a number.');
  return found;
}

function placeOf(name: string, names: readonly string[]): number {
  const place = names.indexOf(name);
  if (place < 0) throw new AlertProblem(`The result has no column ${name}.`);
  return place;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof ExactNumber;
}

function numberOf(value: unknown): number {
  return value === null || value === undefined ? 0 : Number(String(value));
}

function rowNumber(value: unknown, column = 'The column'): number {
  const number = typeof value === 'boolean' || value === '' ? Number.NaN : Number(String(value));
  if (value === null || Number.isNaN(number))
    throw new AlertProblem(
      `${column} is ${value === null ? 'empty' : 'not a number'} in the row that is looked at.`,
    );
  return number;
}
