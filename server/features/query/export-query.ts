import type { Analytics, QueryOptions } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { CompiledQuery } from '../../hogql/hogql-context.ts';
import { copyJsonToParquet, copyToParquet, streamRows } from './query.reads.ts';
import { stringify } from 'csv-stringify';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NewId } from '../../lib/ids.ts';

const MAX_LENGTH = 100;

/**
 * Names for the columns of a file, each once: letters, digits and a few signs of the names that a query gave, so that
 * nothing of them can mean anything in a statement or a spreadsheet.
 */
function columnNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replaceAll(/[^\p{L}\p{N}_.() $%:/*-]+/gu, '_').slice(0, MAX_LENGTH) || 'column';
    let unique = plain;
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${plain}_${count}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** What is exported: a statement whose rows are read one by one, or an answer that is there. */
export type Exported =
  | { readonly compiled: CompiledQuery; /** What runs it. */ readonly engine: Pick<Analytics, 'stream'> }
  | { readonly results: unknown };

interface ExportParts {
  analytics: Analytics;
  folder: ExportFolder;
}

/** Rows of a file. */
export const EXPORT_ROWS = 10_000_000;

/**
 * Writes an answer to a file before anything of it is sent: what fails is an error, not half a file, and a slow reader
 * keeps no statement waiting. Throws what the statement throws.
 */
export async function exportToFile(
  { analytics, folder }: ExportParts,
  exported: Exported,
  format: ExportFormat,
  options: QueryOptions,
): Promise<ExportFile> {
  if ('compiled' in exported) {
    const { compiled, engine } = exported;
    const names = columnNames(compiled.columns.map(({ name }) => name));
    if (format === 'parquet' && engine === analytics)
      return await folder.make((path) => copyToParquet(analytics, compiled, names, path, options));
    const rows = streamRows(engine, compiled, options);
    if (format === 'parquet') return await parquetOf(rows, names);
    return await folder.make((path) => writeText(path, format, names, rows));
  }
  const { names: given, rows } = resultTable(exported.results);
  const names = columnNames(given);
  if (format !== 'parquet') return await folder.make((path) => writeText(path, format, names, each(rows)));
  if (rows.length === 0) throw fail('invalid_input', { detail: 'The result has no rows to export.' });
  return await parquetOf(each(rows), names);

  async function parquetOf(
    all: AsyncIterable<readonly unknown[]>,
    columns: readonly string[],
  ): Promise<ExportFile> {
    const lines = await folder.make((path) => writeJson(path, columns, all, 'lines'));
    try {
      return await folder.make((path) => copyJsonToParquet(analytics, lines.path, path, options));
    } finally {
      await lines.remove();
    }
  }
}

function writeText(
  path: string,
  format: 'csv' | 'json',
  names: readonly string[],
  rows: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  return format === 'csv' ? writeCsv(path, names, rows) : writeJson(path, names, rows, 'list');
}

async function* each<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}

export type ExportFormat = 'csv' | 'json' | 'parquet';

export const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
};

/** Temporary files that exist while they are downloaded. */
interface ExportFolder {
  /** Fills a new file, and removes it when that fails. */
  make(fill: (path: string) => Promise<void>): Promise<ExportFile>;
  remove(): Promise<void>;
}

export interface ExportFile {
  readonly path: string;
  readonly bytes: number;
  remove(): Promise<void>;
}

/** Opens the folder; what an earlier process has left in it goes. */
export function openExportFolder(folder: string, newId: NewId): ExportFolder {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const ready = remove();
  return {
    remove,
    async make(fill) {
      await ready;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, newId());
      const removeFile = (): Promise<void> => rm(path, { force: true });
      try {
        await fill(path);
        return { path, bytes: (await stat(path)).size, remove: removeFile };
      } catch (error) {
        await removeFile();
        throw error;
      }
    },
  };
}

/** Whole numbers beyond 2^53 come as text; a minus before digits is no formula. */
const WHOLE_NUMBER = /^-?\d+$/;

/** Writes rows as CSV. A text that a spreadsheet would run as a formula gets a leading quote. */
async function writeCsv(
  path: string,
  names: readonly string[],
  rows: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  const lines = stringify({
    header: true,
    columns: [...names],
    escape_formulas: true,
    cast: {
      boolean: String,
      object: (value) => JSON.stringify(value),
      string: (value) => (WHOLE_NUMBER.test(value) ? { value, escape_formulas: false } : value),
    },
  });
  await pipeline(Readable.from(rows), lines, createWriteStream(path, { mode: 0o600 }));
}

/** Writes rows as objects, in a list, or each in a line of its own. */
async function writeJson(
  path: string,
  names: readonly string[],
  rows: AsyncIterable<readonly unknown[]>,
  form: 'list' | 'lines',
): Promise<void> {
  async function* texts(): AsyncGenerator<string> {
    let isFirst = true;
    for await (const row of rows) {
      const text = JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at]])));
      if (form === 'lines') yield `${text}\n`;
      else yield `${isFirst ? '[' : ',\n'}${text}`;
      isFirst = false;
    }
    if (form === 'list') yield isFirst ? '[]' : ']';
  }
  await pipeline(Readable.from(texts()), createWriteStream(path, { mode: 0o600 }));
}

/** Sends the file and removes it, whether its reader stayed or not. */
export async function sendFile(file: ExportFile, res: ServerResponse): Promise<void> {
  try {
    await pipeline(createReadStream(file.path), res);
  } catch (error) {
    // The client disconnected during the download.
    if (!res.destroyed) throw error;
  } finally {
    await file.remove();
  }
}
/** An answer as a table: names of columns, and rows of values. */
interface ResultTable {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts the results of an insight into a table: series have a row per date and a column each, retention has a row
 * per start interval, and any other result has a row per object with its scalar fields.
 */
export function resultTable(results: unknown): ResultTable {
  const bins = fieldsOf(results)['bins'];
  if (Array.isArray(bins)) return { names: ['seconds', 'count'], rows: bins as unknown[][] };
  const objects = (Array.isArray(results) ? results.flat() : []).map(fieldsOf);
  if (objects.some(({ data }) => Array.isArray(data) && data.length > 0)) return seriesTable(objects);
  if (objects.some(({ values }) => Array.isArray(values))) return valuesTable(objects);
  if (objects.some((object) => 'calendar_heatmap_data' in object)) return heatmapTable(objects);
  // One number has no list of data, which may be null.
  const isColumn = (object: Fields, key: string): boolean => key !== 'data' && isPlain(object[key]);
  const names = [
    ...new Set(objects.flatMap((object) => Object.keys(object).filter((key) => isColumn(object, key)))),
  ];
  return { names, rows: objects.map((object) => names.map((name) => object[name] ?? null)) };
}

function seriesTable(series: readonly Fields[]): ResultTable {
  const times = listOf(series[0]?.['days'] ?? series[0]?.['labels']);
  const columns = series.map(({ data }) => listOf(data));
  return {
    names: ['date', ...series.map(({ label }, at) => String(label ?? at))],
    rows: times.map((time, at) => [time, ...columns.map((data) => data[at] ?? null)]),
  };
}

function valuesTable(cohorts: readonly Fields[]): ResultTable {
  const counts = cohorts.map(({ values }) => listOf(values).map(fieldsOf));
  const longest = counts.reduce((a, b) => (b.length > a.length ? b : a), []);
  return {
    names: ['date', ...longest.map(({ label }, at) => String(label ?? at))],
    rows: cohorts.map(({ date }, row) => [
      date,
      ...longest.map((_, at) => counts[row]![at]?.['count'] ?? null),
    ]),
  };
}

/** A row for each weekday (1 is Monday) and hour in which anything happened. */
function heatmapTable(series: readonly Fields[]): ResultTable {
  return {
    names: ['series', 'weekday', 'hour', 'value'],
    rows: series.flatMap(({ label, calendar_heatmap_data: heatmap }) =>
      listOf(fieldsOf(heatmap)['data'])
        .map(fieldsOf)
        .map(({ row, column, value }) => [label, row, column, value]),
    ),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
