import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { newUuid } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { NewNotice } from '../lib/notices.ts';
import { checkLog, cutAtPayload } from './log-damage.ts';
import type { OpenOptions } from './messages.ts';
import { OpenFailure } from './open-failure.ts';
import { restoreAdvice } from './store-damage.ts';

export { OpenFailure } from './open-failure.ts';

/**
 * Opens the one DuckDB instance of this process: the only place that does, because a second instance on the same file
 * in one process loses rows without an error. A damaged write-ahead log is cut off where the damage begins, after the whole
 * log has been copied aside; what was committed before is kept, and `raise` gets a notice. Throws OpenFailure.
 */
export async function openDatabase(
  options: OpenOptions,
  log: Log,
  now: () => number,
  raise: (notice: NewNotice) => void = () => undefined,
): Promise<DuckDBInstance> {
  const doctor = { log, now, raise };
  if (options.path !== null) checkLog(options.path, doctor);
  for (;;) {
    try {
      const instance = await DuckDBInstance.create(options.path ?? ':memory:', settings(options));
      // Removes spill files of a killed process; the file lock ensures that no other process uses them.
      if (options.path !== null) await rm(`${options.path}.tmp`, { recursive: true, force: true });
      return instance;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const damagedAt = damagedWalPosition(text);
      if (options.path === null || damagedAt === null) throw openFailure(text, options.path);
      cutAtPayload(`${options.path}.wal`, damagedAt, doctor);
    }
  }
}

function settings(options: OpenOptions): Record<string, string> {
  return {
    memory_limit: `${Math.floor(options.memoryLimitBytes / 1_048_576)}MiB`,
    // Checkpoints run in quiet moments (warehouse/duckdb/maintenance.ts): one inside a commit stalls it.
    checkpoint_threshold: '1TB',
    // It counts the rows of commits that a statement may not see yet, so that an `ORDER BY … LIMIT` which starts while
    // another commit ends finds fewer rows than there are, or none (DuckDB 1.5.5, decision 108).
    disabled_optimizers: 'row_group_pruner',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    temp_directory: spillFolder(options),
    // A second thread has nothing to do in an empty database, and DuckDB would move COMMITs to it (resources.ts).
    ...(options.path === null ? { threads: '1' } : {}),
  };
}

/**
 * Where DuckDB writes what does not fit into memory, texts of events too. It makes the folder when it needs it, for the
 * owner of the process alone (entry.cjs), and removes it at the end.
 */
function spillFolder({ path, spillFolder: given }: OpenOptions): string {
  if (path !== null) return `${path}.tmp`;
  return given ?? join(tmpdir(), `burrow-spill-${newUuid()}`);
}

/** Position of the first unreadable entry that DuckDB names when it refuses a write-ahead log, or null. */
export function damagedWalPosition(text: string): number | null {
  const found = /Corrupt WAL file: entry at byte position (\d+)/.exec(text);
  return found === null ? null : Number(found[1]);
}

/** Maps DuckDB's error text to a reason of the process contract. */
export function openFailure(text: string, path: string | null): OpenFailure {
  const file = path ?? 'the database in memory';
  const held = /Conflicting lock is held in .*?\(PID (\d+)\)/.exec(text);
  if (held !== null) {
    const pid = Number(held[1]);
    return new OpenFailure('locked', `${file} is in use by another Burrow (process ${pid}).`, pid);
  }
  if (/Could not set lock/.test(text)) {
    return new OpenFailure('locked', `${file} is in use by another process.`);
  }
  if (/Permission denied|Read-only file system|Operation not permitted|read-only mode/i.test(text)) {
    return new OpenFailure('read_only', `${file} is not writable: check the permissions of its folder.`);
  }
  if (/No space left|Disk quota/i.test(text)) {
    return new OpenFailure('full', `The disk of ${file} is full. Free up disk space and restart Burrow.`);
  }
  if (/database file with version number|newer version/i.test(text)) {
    return new OpenFailure('newer_version', `${file} was written by a newer version of Burrow.`);
  }
  if (
    /Corrupt|checksum|not a valid DuckDB database file|Failure while replaying WAL|Serialization Error/i.test(
      text,
    )
  ) {
    return new OpenFailure(
      'corrupt',
      `${file} is damaged and was not changed. ${restoreAdvice(file)} (${firstLine(text)})`,
    );
  }
  return new OpenFailure('io', `${file} cannot be opened: ${firstLine(text)}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

/** What reading a file may take: a row group, decompressed. */
const FILE_MEMORY_LIMIT = '512MiB';

/**
 * An instance in memory that can reach one file, no other, no network and never the database, and that no statement can
 * allow more.
 */
export async function openForFile(
  path: string,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: FILE_MEMORY_LIMIT,
    threads: '1',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    await connection.run(`SET allowed_paths = ['${path.replaceAll("'", "''")}']`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    return { instance, connection };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}
