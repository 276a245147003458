import type { Analytics, QueryOptions } from '../../../db/db.ts';
import { fail } from '../../../errors.ts';
import type { CompiledQuery } from '../../../hogql/hogql-context.ts';
import { copyJsonToParquet, copyToParquet, streamRows } from '../query.reads.ts';
import { writeCsv, writeJson, type ExportFile, type ExportFolder, type ExportFormat } from './export-file.ts';
import { resultTable } from './result-table.ts';

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
export type Exported = { readonly compiled: CompiledQuery } | { readonly results: unknown };

export interface ExportParts {
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
    const { compiled } = exported;
    const names = columnNames(compiled.columns.map(({ name }) => name));
    if (format === 'parquet') {
      return await folder.make((path) => copyToParquet(analytics, compiled, names, path, options));
    }
    const rows = () => streamRows(analytics, compiled, options);
    return await folder.make((path) => writeText(path, format, names, rows()));
  }
  const { names: given, rows } = resultTable(exported.results);
  const names = columnNames(given);
  if (format !== 'parquet') return await folder.make((path) => writeText(path, format, names, each(rows)));
  if (rows.length === 0) throw fail('invalid_input', { detail: 'The result has no rows to export.' });
  const lines = await folder.make((path) => writeJson(path, names, each(rows), 'lines'));
  try {
    return await folder.make((path) => copyJsonToParquet(analytics, lines.path, path, options));
  } finally {
    await lines.remove();
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
