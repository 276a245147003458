import { existsSync, rmSync } from 'node:fs';
import { StoreOpenError } from './db/client.ts';
import { openFilesAside } from './db/files-aside.ts';
import { OpenFailure } from './db/open.ts';
import { DAMAGED_ENDING } from './db/store-damage.ts';

const COUNT = new Intl.NumberFormat('en');

/** What `burrow check` says of a database; `--json` prints it. */
export interface CheckReport {
  file: string;
  ok: boolean;
  tables: number;
  rows: number;
  events: number;
  /** Sentences; none when the file is whole. */
  faults: string[];
}

/** Reads all of a database that no server has open. Throws StoreOpenError when another process holds it. */
export async function check(path: string, memoryLimitBytes: number): Promise<CheckReport> {
  const nothing = { file: path, ok: false, tables: 0, rows: 0, events: 0 };
  if (!existsSync(path)) return { ...nothing, faults: [`${path} does not exist.`] };
  const files = await openFilesAside(memoryLimitBytes);
  try {
    const found = await files.check(path);
    if (found === null) return { ...nothing, faults: [`${path} is not a Burrow database.`] };
    if (found.faults.length === 0) rmSync(path + DAMAGED_ENDING, { force: true });
    return { file: path, ok: found.faults.length === 0, ...found };
  } catch (error) {
    if (!(error instanceof OpenFailure)) throw error;
    if (error.reason === 'locked') throw new StoreOpenError(error.reason, error.message, error.holderPid);
    return { ...nothing, faults: [error.message] };
  } finally {
    files.close();
  }
}

/** The report in sentences; `program` is how Burrow is called. */
export function checkText({ file, ok, tables, rows, events, faults }: CheckReport, program: string): string {
  const read = `read ${COUNT.format(rows)} rows in ${tables} tables, including ${COUNT.format(events)} events.`;
  if (ok) return `${file} is intact: ${read}`;
  return [
    ...faults,
    `${file} is damaged${tables === 0 ? '.' : `: ${read}`} Restore a backup with: ${program} restore <file>`,
  ].join('\n');
}
