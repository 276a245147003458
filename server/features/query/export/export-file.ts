import { stringify } from 'csv-stringify';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NewId } from '../../../lib/ids.ts';

export type ExportFormat = 'csv' | 'json' | 'parquet';

export const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
};

/** Temporary files that exist while they are downloaded. */
export interface ExportFolder {
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
export async function writeCsv(
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
export async function writeJson(
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
