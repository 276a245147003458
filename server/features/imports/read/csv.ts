import { CsvError, Parser } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { Readable } from 'node:stream';
import { ImportError } from '../import-error.ts';
import { MAX_ROW_LENGTH } from './text.ts';
import type { SourceRow } from './rows.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Rows that decide about the separator. */
const DECIDING_ROWS = 50;
/** Rows that are returned together. */
const PIECE_ROWS = 500;
/** The column that the file of rows not taken has, which is no data when it is imported again. */
export const REASON_COLUMN = 'import_problem';

export interface CsvForm {
  separator: string;
  columns: readonly string[];
  /** A line `sep=;` comes first. */
  isNamed: boolean;
}

const OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: MAX_ROW_LENGTH,
} as const;

/** The separator by which most rows have the same number of fields, and more than one; with it the names of the columns. */
export function csvFormOf(text: string): CsvForm {
  const named = /^sep=(.)\r?\n/.exec(text);
  const body = named === null ? text : text.slice(named[0].length);
  const whole = body.slice(0, Math.max(body.lastIndexOf('\n'), 0)) || body;
  const best = SEPARATORS.map((separator) => ({ separator, ...fitOf(whole, separator) })).reduce((a, b) =>
    b.score > a.score ? b : a,
  );
  const separator = named?.[1] ?? best.separator;
  const [header = []] = firstRows(whole, separator);
  return { separator, columns: namesOf(header), isNamed: named !== null };
}

function fitOf(text: string, separator: string): { score: number } {
  const lengths = firstRows(text, separator).map(({ length }) => length);
  const [first = 1] = lengths;
  const alike = lengths.filter((length) => length === first).length / Math.max(1, lengths.length);
  return { score: first > 1 ? alike + first / 10_000 : 0 };
}

function firstRows(text: string, separator: string): string[][] {
  return parseSync(text, {
    ...OPTIONS,
    delimiter: separator,
    to: DECIDING_ROWS,
    // A sample may end within a row.
    skip_records_with_error: true,
  }) as unknown as string[][];
}

/** Each name one time, and none empty. */
function namesOf(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((field, at) => {
    const plain = field.trim() || `column ${at + 1}`;
    let name = plain;
    for (let count = 2; taken.has(name); count++) name = `${plain} ${count}`;
    taken.add(name);
    return name;
  });
}

/**
 * The rows below the header, numbered as a spreadsheet counts: the header is row 1, and blank lines are rows too. Throws
 * ImportError for a row that cannot be read, behind which nothing can.
 */
export async function* csvRows(
  texts: AsyncIterable<string>,
  { separator, columns, isNamed }: CsvForm,
): AsyncGenerator<SourceRow[]> {
  const parser = new Parser({
    ...OPTIONS,
    delimiter: separator,
    from_line: isNamed ? 2 : 1,
    // Its number goes with it as a last field.
    on_record: (fields, { records, empty_lines: blank }) => [...fields, String(records + blank)],
  });
  let isBelowHeader = false;
  let rows: SourceRow[] = [];
  const feed = Readable.from(texts);
  feed.on('error', (error) => parser.destroy(error));
  try {
    for await (const fields of feed.pipe(parser) as AsyncIterable<string[]>) {
      const number = Number(fields.pop());
      if (isBelowHeader) rows.push(rowOf(number, fields, columns));
      isBelowHeader = true;
      if (rows.length < PIECE_ROWS) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (rows.length > 0) yield rows;
    throw faultOf(error, parser.info.records + parser.info.empty_lines + 1);
  }
  if (rows.length > 0) yield rows;
}

function faultOf(error: unknown, row: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new ImportError(`A quote opens in row ${row} and is never closed.`);
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new ImportError(`Row ${row} of the file is longer than 20 MB, or a quote in it is never closed.`);
  return error;
}

function rowOf(number: number, fields: string[], columns: readonly string[]): SourceRow {
  const value: Record<string, string> = {};
  for (let at = 0; at < columns.length; at++) value[columns[at]!] = fields[at] ?? '';
  // Where rows were mended, their reason may be left over or deleted.
  const isRagged = fields.length !== columns.length && columns.at(-1) !== REASON_COLUMN;
  return {
    number,
    value,
    fields,
    ...(isRagged && { problem: `The row has ${fields.length} columns, ${columns.length} are expected` }),
  };
}

export function csvLine(fields: readonly string[], separator: string): string {
  return stringify([[...fields]], { delimiter: separator });
}
