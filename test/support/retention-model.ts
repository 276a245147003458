import { expect } from 'vitest';
import { retentionKind } from '../../server/features/query/kinds/retention/index.ts';
import { answerOf, openKindContext, type KindOptions } from './kind-context.ts';
import type { TestApp } from './test-app.ts';
import { localTime, type ModelEvent } from './trends-model.ts';

type Period = 'Hour' | 'Day' | 'Week' | 'Month';

/** A retention as the model counts it. The last interval is the one in which the day `to` lies, whole. */
export interface RetentionModel {
  period: Period;
  total: number;
  /** Local day. */
  to: string;
  zone?: string;
  weekStartDay?: 'sunday' | 'monday';
  target: (event: ModelEvent) => boolean;
  returning: (event: ModelEvent) => boolean;
  type?: 'recurring' | 'first time' | 'first ever';
  /** Of `first ever`: the event alone, without the filters of the target. */
  entity?: (event: ModelEvent) => boolean;
  minimum?: number;
  cumulative?: boolean;
  brackets?: number[];
  windows?: boolean;
  /**
   * The breakdown value, which start and return events share; with `first ever`, that of the start event. With windows everyone
   * is in the first one of each value that they are seen with.
   */
  value?: (event: ModelEvent) => string;
  /** Whose it is, after all merges. */
  person?: (who: string) => string;
  amount?: (event: ModelEvent) => number | null;
}

/** A cell: who is in it, and the numbers of the events that count in it. */
export interface ModelCell {
  persons: string[];
  amounts: number[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The rows of a retention by breakdown value (an empty text without a breakdown), counted by plain loops. */
export function modelRetention(
  events: readonly ModelEvent[],
  model: RetentionModel,
): Map<string, ModelCell[][]> {
  const { total, person = (who) => who, value = () => '', type, windows } = model;
  const indexOf = intervalIndex(model);
  const inTime = events
    .filter(({ at }) => indexOf(at) < total)
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : value(a) < value(b) ? -1 : 1));
  const sizes = [1, ...(model.brackets ?? Array.from({ length: total - 1 }, () => 1))];
  const result = new Map<string, ModelCell[][]>();
  const isByValue = type !== 'first ever' && windows !== true;
  const keyOf = (event: ModelEvent): string =>
    JSON.stringify([person(event.who), ...(isByValue ? [value(event)] : [])]);
  for (const key of new Set(inTime.map(keyOf))) {
    const own = inTime.filter((event) => keyOf(event) === key);
    for (const [row, first] of beginnings(own, model, indexOf)) {
      const since = own.filter(
        (event) => event.at >= first.at && (model.target(event) || model.returning(event)),
      );
      for (const name of new Set(windows ? since.map(value) : [value(first)])) {
        const rows = result.get(name) ?? emptyRows(total, sizes);
        result.set(name, rows);
        const seen = windows ? since.filter((event) => value(event) === name) : own;
        const gaps = gapsOf(seen, row, first, model, indexOf);
        if (windows && !gaps.has(0)) gaps.set(0, []);
        fill(rows[row]!, gaps, sizes, person(first.who), model);
      }
    }
  }
  return result;
}

function zoneOf({ zone = 'UTC' }: RetentionModel): string {
  return zone;
}

/** The moment at which the last day ends. */
function endOf(model: RetentionModel): number {
  let end = Date.parse(`${model.to}T00:00:00Z`) - 24 * HOUR_MS;
  while (localTime(end, zoneOf(model)).slice(0, 10) <= model.to) end += HOUR_MS;
  return end;
}

/** The number of the interval in which a moment lies; negative before the first one, `total` or more after the last. */
function intervalIndex(model: RetentionModel): (at: string) => number {
  const { total, to, period } = model;
  const zone = zoneOf(model);
  if (period === 'Hour') {
    const last = endOf(model) - HOUR_MS;
    return (at) => Math.floor((Date.parse(at) - last) / HOUR_MS) + total - 1;
  }
  const place = (day: string): number => {
    const date = new Date(`${day}T00:00:00Z`);
    if (period === 'Month') return date.getUTCFullYear() * 12 + date.getUTCMonth();
    const days = date.getTime() / (24 * HOUR_MS);
    // 1 January 1970 was a Thursday.
    return period === 'Day' ? days : Math.floor((days + (model.weekStartDay === 'monday' ? 3 : 4)) / 7);
  };
  return (at) => place(localTime(at, zone).slice(0, 10)) - place(to) + total - 1;
}

/** The starting event of a person for each row; with windows, for one row. Events are in order. */
function beginnings(own: ModelEvent[], model: RetentionModel, indexOf: (at: string) => number) {
  const { type = 'recurring', target, entity = target, windows } = model;
  const found = new Map<number, ModelEvent>();
  if (type === 'recurring') {
    for (const event of own) {
      const row = indexOf(event.at);
      if (target(event) && row >= 0 && !found.has(row) && !(windows && found.size > 0)) found.set(row, event);
    }
    return found;
  }
  const first = own.find(type === 'first ever' ? entity : target);
  const isFit = first !== undefined && own.some((event) => event.at === first.at && target(event));
  const fit = isFit ? own.find((event) => event.at === first.at && target(event)) : undefined;
  const row = fit === undefined ? -1 : indexOf(fit.at);
  if (row >= 0) found.set(row, fit!);
  return found;
}

/** What counts in each interval since the beginning. */
function gapsOf(
  own: ModelEvent[],
  row: number,
  first: ModelEvent,
  model: RetentionModel,
  indexOf: (at: string) => number,
): Map<number, ModelEvent[]> {
  const gaps = new Map<number, ModelEvent[]>();
  for (const event of own) {
    if (model.windows && event.at < first.at) continue;
    const gap = model.windows ? windowsBetween(first.at, event.at, model) : indexOf(event.at) - row;
    const counts = gap === 0 ? model.target(event) : model.returning(event);
    if (gap >= 0 && row + gap < model.total && counts) gaps.set(gap, [...(gaps.get(gap) ?? []), event]);
  }
  for (const [gap, events] of gaps) {
    if (gap > 0 && events.length < (model.minimum ?? 1)) gaps.delete(gap);
  }
  return gaps;
}

/** Windows by whole hours of the clock, of weeks and months by its days. */
function windowsBetween(begin: string, end: string, model: RetentionModel): number {
  const units = { Hour: [HOUR_MS, 1], Day: [HOUR_MS, 24], Week: [DAY_MS, 7], Month: [DAY_MS, 30] } as const;
  const [unit, count] = units[model.period];
  const place = (at: string): number =>
    Math.floor(
      Date.parse(`${localTime(Date.parse(at), zoneOf(model)).slice(0, 19).replace(' ', 'T')}Z`) / unit,
    );
  return Math.floor((place(end) - place(begin)) / count);
}

function fill(
  cells: ModelCell[],
  gaps: Map<number, ModelEvent[]>,
  sizes: number[],
  who: string,
  { cumulative, amount }: RetentionModel,
): void {
  let from = 0;
  for (const [place, cell] of cells.entries()) {
    const to = from + sizes[place]!;
    const end = cumulative ? sizes.reduce((sum, size) => sum + size) : to;
    const counted = [...gaps].filter(([gap]) => gap >= from && gap < end);
    if (counted.length > 0) cell.persons.push(who);
    cell.amounts.push(...counted.flatMap(([, list]) => list.flatMap((event) => amount?.(event) ?? [])));
    from = to;
  }
}

function emptyRows(total: number, sizes: number[]): ModelCell[][] {
  return Array.from({ length: total }, (_, row) => {
    let from = 0;
    const shown = sizes.filter((size) => {
      from += size;
      return row + from - size < total;
    });
    return shown.map(() => ({ persons: [], amounts: [] }));
  });
}

/** Counts alone, row by row. */
export function modelCounts(rows: ModelCell[][] | undefined): number[][] {
  return (rows ?? []).map((row) => row.map(({ persons }) => persons.length));
}

/** A row of an answer, as far as tests look at it. */
export interface RetentionRow {
  date: string;
  label: string;
  values: { count: number; label: string; aggregation_value: number | null }[];
  breakdown_value?: unknown;
}

const resultsOf = (answer: object): unknown => ('results' in answer ? answer.results : answer);

/** Above the numbers of all persons of a test. */
const PERSON_LIMIT = 65_536;

/** Computes a retention of project 1 of an app; with person sets, and without, where the result must be the same. */
export async function askRetention(
  app: TestApp,
  query: object,
  options: KindOptions = {},
): Promise<{ results: RetentionRow[]; hasMore: boolean }> {
  const full = retentionKind.schema.parse({ kind: 'RetentionQuery', ...query });
  const ask = async (personLimit: number | null) =>
    answerOf(retentionKind, full, await openKindContext(app, { ...options, personLimit }));
  const [answer, other] = [await ask(PERSON_LIMIT), await ask(null)];
  expect(resultsOf(answer)).toEqual(resultsOf(other));
  return answer as never;
}

/** Counts of an answer, row by row. */
export function countsOf(rows: readonly RetentionRow[]): number[][] {
  return rows.map(({ values }) => values.map(({ count }) => count));
}
