import { resultsOf, type AnswerJson } from '../answer.ts';

/** What a column holds, as far as showing and sorting go. */
export type ColumnKind = 'text' | 'number' | 'date' | 'moment' | 'boolean' | 'other';

export interface ResultColumn {
  /** Its place; names may repeat. */
  at: number;
  name: string;
  /** As ClickHouse writes it. */
  type: string;
  kind: ColumnKind;
}

export type ResultRow = readonly unknown[];

/** A sort of the loaded rows, without a request to the server. */
export interface LocalSort {
  at: number;
  isDescending: boolean;
}

/** The columns of an answer. */
export function columnsOf({ columns, types }: AnswerJson): ResultColumn[] {
  return (columns ?? []).map((name, at) => {
    const pair = types?.[at];
    const type = Array.isArray(pair) ? String(pair[1]) : String(pair ?? '');
    return { at, name, type, kind: kindOf(type) };
  });
}

/** The rows of an answer. */
export function rowsOf(answer: AnswerJson): readonly ResultRow[] {
  const results = resultsOf(answer);
  return Array.isArray(results) ? (results as ResultRow[]) : [];
}

/** The type in a word: `Nullable(UInt64)` is `Int`. */
export function typeWord(type: string): string {
  const bare = bareType(type);
  if (/^U?Int/.test(bare)) return 'Int';
  if (/^(Float|Decimal)/.test(bare)) return 'Float';
  if (bare.startsWith('DateTime')) return 'DateTime';
  return /^\w*/.exec(bare)![0];
}

function kindOf(type: string): ColumnKind {
  const word = typeWord(type);
  if (word === 'Int' || word === 'Float') return 'number';
  if (word === 'DateTime') return 'moment';
  if (word === 'Date') return 'date';
  if (word === 'Bool') return 'boolean';
  return word === 'String' || word === 'UUID' ? 'text' : 'other';
}

function bareType(type: string): string {
  return /^Nullable\((.*)\)$/.exec(type)?.[1] ?? type;
}

/** A value as shown and copied; null is empty. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value as a cell shows it: a moment without T, and without a fraction that is zero. */
export function cellText(value: unknown, { kind }: ResultColumn): string {
  const text = valueText(value);
  if (kind === 'moment')
    return text
      .replace('T', ' ')
      .replace(/\.0+(?=Z|[+-]|$)/, '')
      .replace(/Z$|[+-]00:?00$/, '');
  return kind === 'number' && typeof value === 'number' ? numberText(value) : text;
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

function numberText(value: number): string {
  return Number.isFinite(value) && (value === 0 || Math.abs(value) >= 0.0001)
    ? NUMBER.format(value)
    : String(value);
}

/** The rows in the order of a column, what is nothing last; rows that are equal there keep their order. */
export function sortRows(
  rows: readonly ResultRow[],
  columns: readonly ResultColumn[],
  sort: LocalSort | null,
): readonly ResultRow[] {
  if (sort === null) return rows;
  const isNumber = columns[sort.at]?.kind === 'number';
  const sign = sort.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [a[sort.at] ?? null, b[sort.at] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const order = isNumber ? Number(one) - Number(other) : valueText(one).localeCompare(valueText(other));
    return sign * order;
  });
}

/** A row as text for a spreadsheet: values with tabs between. */
export function rowText(row: ResultRow): string {
  return row.map((value) => valueText(value).replace(/[\t\r\n]+/g, ' ')).join('\t');
}

/** Rows that are looked at; a table need not read all to be drawn. */
const SAMPLE = 100;
const LETTER = 7.4;
const HEAD_LETTER = 6.6;
const AROUND = 26;
const LEAST = 64;
const MOST = 340;

/** Widths in pixels that the head and the first rows fit into, within bounds. */
export function columnWidths(columns: readonly ResultColumn[], rows: readonly ResultRow[]): number[] {
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column) => {
    const head = (column.name.length + typeWord(column.type).length + 1) * HEAD_LETTER;
    const widest = sample.reduce((most, row) => Math.max(most, cellText(row[column.at], column).length), 0);
    const width = Math.max(head, widest * LETTER) + AROUND;
    return Math.round(Math.min(MOST, Math.max(LEAST, width)));
  });
}
