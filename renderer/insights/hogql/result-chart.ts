import { cellText, valueText, type ResultColumn, type ResultRow } from './result-values.ts';

/** Which columns a chart shows. */
export interface ChartChoice {
  x: number;
  /** The number that is measured; null: each of them, a series for each. */
  y: number | null;
  /** A column whose values become a series each; null for none. */
  split: number | null;
  /** Where `y` is null: only these numbers, in this order. */
  among?: readonly number[];
}

export interface ChartSeries {
  name: string;
  /** A value for each label; null where there is none. */
  values: (number | null)[];
}

export interface ChartData {
  kind: 'line' | 'bar';
  labels: string[];
  series: ChartSeries[];
  /** The number of series that are not drawn, because they would be indistinguishable. */
  left: number;
}

/** The number of distinguishable colors. */
const MOST_SERIES = 8;
const MOST_LABELS = 1_000;

/** The default columns: dates or texts first, then a number, then a breakdown; null without them. */
export function firstChoice(columns: readonly ResultColumn[]): ChartChoice | null {
  const along = columns.filter(isAlong);
  const x = along.find(({ kind }) => kind === 'date' || kind === 'moment') ?? along[0];
  const numbers = columns.filter(({ kind, at }) => kind === 'number' && at !== x?.at);
  if (x === undefined || numbers.length === 0) return null;
  const split = along.find(({ kind, at }) => at !== x.at && kind === 'text');
  if (split !== undefined) return { x: x.at, y: numbers.at(-1)!.at, split: split.at };
  return { x: x.at, y: numbers.length > 1 ? null : numbers[0]!.at, split: null };
}

/** Columns that can lie along the axis. */
export function isAlong({ kind }: ResultColumn): boolean {
  return kind === 'date' || kind === 'moment' || kind === 'text' || kind === 'boolean';
}

/** What a chart of these columns draws: dates as lines from left to right, anything else as bars in the order of the rows. */
export function chartOf(
  rows: readonly ResultRow[],
  columns: readonly ResultColumn[],
  { x, y, split, among }: ChartChoice,
): ChartData {
  const along = columns[x]!;
  const isTime = along.kind === 'date' || along.kind === 'moment';
  const keys = [...new Set(rows.map((row) => valueText(row[x])))];
  if (isTime) keys.sort();
  const shown = keys.slice(0, MOST_LABELS);
  const places = new Map(shown.map((key, at) => [key, at]));
  const numbers =
    among?.map((at) => columns[at]!) ?? columns.filter(({ kind, at }) => kind === 'number' && at !== x);
  const measured = y === null ? numbers : [columns[y]!];
  const found = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const at = places.get(valueText(row[x]));
    if (at === undefined) continue;
    for (const column of measured) {
      const name = split === null ? column.name : valueText(row[split]) || '(none)';
      const values = found.get(name) ?? shown.map(() => null);
      found.set(name, values);
      values[at] = add(values[at] ?? null, numberOf(row[column.at]));
    }
  }
  const series = [...found].map(([name, values]) => ({ name, values }));
  return {
    kind: isTime ? 'line' : 'bar',
    labels: shown.map((key) => labelText(key, along)),
    series: series.slice(0, MOST_SERIES),
    left: Math.max(0, series.length - MOST_SERIES),
  };
}

/** Midnights are days. */
function labelText(key: string, column: ResultColumn): string {
  return cellText(key, column).replace(/ 00:00:00$/, '') || '(none)';
}

function numberOf(value: unknown): number | null {
  const number = value === null || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Rows that fall on one point are added up. */
function add(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : one + other;
}
