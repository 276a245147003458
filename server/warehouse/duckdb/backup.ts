import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readContents, readShape, whileAttached, type FileContents } from '../../db/attached-file.ts';
import type { FilesAside } from '../../db/files-aside.ts';
import type { Resources } from '../../db/resources.ts';
import type { EventWriter } from './event-writer.ts';
import { readFileBlocks } from './free-space.ts';

const INTERRUPT_AGAIN_MS = 20;
/** Bytes that a copy needs in addition to the blocks in use. */
const SPARE_BYTES = 16_777_216;
/** The table of random bytes that the erasure job writes over free blocks; it holds no user data. */
const FILLER = 'erasure_fill';

/** What a backup holds. */
export interface BackedUp {
  schema: number;
  events: number;
  persons: number;
  groups: number;
  /** Of all tables. */
  rows: number;
}

export interface BackupOptions {
  /** Makes a connection for one backup. */
  connect: () => Promise<DuckDBConnection>;
  writer: Pick<EventWriter, 'betweenCommits'>;
  resources: Pick<Resources, 'whileMoving' | 'whileQuerying'>;
  /** Writes pending changes. */
  flush: () => Promise<void> | null;
}

/** Copies of the whole database, written while events come in. */
export interface Backups {
  /** Writes a copy to a new file. Throws when the copy is incomplete; the file is then undefined. */
  make(path: string): Promise<BackedUp>;
  /** Reads the contents of a file, including unsettled late retries; null when it is no database of Burrow. */
  read(path: string): Promise<{ schema: number; events: number } | null>;
  /** Interrupts the running copy and waits for it to end; no copy starts after that. */
  stop(): Promise<void>;
}

/**
 * A copy is one transaction that reads what was committed when it began, and writes it to another database. Copying
 * the file's bytes instead would release its lock: POSIX drops it when the process closes any handle of the file.
 */
export function createBackups({ connect, writer, resources, flush }: BackupOptions): Backups {
  let working: Promise<unknown> | null = null;
  let interrupt: (() => void) | null = null;
  let isStopping = false;

  async function make(path: string): Promise<BackedUp> {
    const connection = await connect();
    await checkRoom(connection, path).catch((error: unknown) => {
      connection.closeSync();
      throw error;
    });
    interrupt = () => connection.interrupt();
    try {
      const { counts, copied } = await whileAttached(connection, path, 'READ_WRITE', (copy) =>
        copyTo(connection, copy),
      );
      await checkCopy(connection, path, copied);
      return { schema: copied.contents.schema, ...counts, rows: sum(copied.contents.rows.values()) };
    } finally {
      interrupt = null;
      connection.closeSync();
    }
  }

  async function copyTo(connection: DuckDBConnection, copy: string) {
    const own = String((await connection.runAndReadAll('SELECT current_database()')).value(0, 0));
    // The copy must include persons whose events are stored but whose own rows are still pending.
    await flush();
    try {
      // The first statement fixes the snapshot of the transaction: every acknowledged commit, no partial one.
      await writer.betweenCommits(async () => {
        await connection.run('BEGIN TRANSACTION');
        await connection.run('SELECT max(number) FROM schema_migrations');
      });
      const counts = await readCounts(connection);
      const copied = await copyTables(connection, own, copy);
      await connection.run('COMMIT');
      await connection.run(`CHECKPOINT ${copy}`);
      return { counts, copied };
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async function read(path: string): Promise<{ schema: number; events: number } | null> {
    const connection = await connect();
    try {
      const contents = await whileAttached(connection, path, 'READ_ONLY', (copy) =>
        readContents(connection, copy),
      );
      return contents === null ? null : { schema: contents.schema, events: eventsOf(contents) };
    } catch {
      return null;
    } finally {
      connection.closeSync();
    }
  }

  return {
    async make(path) {
      if (isStopping) throw new Error('Interrupted: the store closes');
      const work = resources.whileMoving(() => make(path));
      working = work.catch(() => undefined);
      return await work;
    },
    read,
    async stop() {
      isStopping = true;
      // DuckDB ignores an interrupt that arrives before a statement has started.
      const again = setInterval(() => interrupt?.(), INTERRUPT_AGAIN_MS);
      interrupt?.();
      await working;
      clearInterval(again);
    },
  };
}

/** What a copy must be like. */
interface Copied {
  contents: FileContents;
  shape: readonly string[];
}

/** Copies all of a database to an empty one. */
async function copyTables(connection: DuckDBConnection, from: string, copy: string): Promise<Copied> {
  const contents = withoutFiller((await readContents(connection, from))!);
  const shape = (await readShape(connection, from)).filter((line) => !line.includes(FILLER));
  await connection.run(`COPY FROM DATABASE "${from}" TO ${copy}`);
  await connection.run(`DROP TABLE IF EXISTS ${copy}.${FILLER}`);
  // What goes on from a copy would send again what the original has sent, or both would send.
  if (contents.rows.has('forwarding'))
    await connection.run(
      `UPDATE ${copy}.forwarding SET paused = 'backup' WHERE paused IS DISTINCT FROM 'by_hand'`,
    );
  return { contents, shape };
}

/** Throws when the file has other rows or another schema than what was copied. */
async function checkCopy(connection: DuckDBConnection, path: string, copied: Copied): Promise<void> {
  await whileAttached(connection, path, 'READ_ONLY', async (copy) => {
    const found = await readContents(connection, copy);
    const fault =
      faultOf(copied.contents, found) ?? shapeFault(copied.shape, await readShape(connection, copy));
    if (fault !== null) throw new Error(`The copy is not like the database: ${fault}`);
  });
}

/**
 * Copies a database that no process has open to a new file, and checks the copy; returns the number of its events, null
 * when it is no database of Burrow. Throws OpenFailure when it cannot be opened.
 */
export async function copyStopped(files: FilesAside, path: string, to: string): Promise<number | null> {
  const copied = await files.whileRead(path, async (connection, from) => {
    if ((await readContents(connection, from)) === null) return null;
    return await whileAttached(connection, to, 'READ_WRITE', async (copy) => {
      const tables = await copyTables(connection, from, copy);
      await connection.run(`CHECKPOINT ${copy}`);
      return { connection, ...tables };
    });
  });
  if (copied === null) return null;
  await checkCopy(copied.connection, to, copied);
  return eventsOf(copied.contents);
}

/** If the disk filled up halfway, DuckDB would refuse every further statement, also of the database itself. */
async function checkRoom(connection: DuckDBConnection, path: string): Promise<void> {
  const { used, blockBytes } = await readFileBlocks(connection);
  const { bavail, bsize } = await statfs(dirname(path));
  const log = await connection.runAndReadAll(
    'SELECT coalesce(sum(strlen(properties) + 200), 0)::DOUBLE FROM events_recent',
  );
  const needed = used * blockBytes + (log.value(0, 0) as number) + SPARE_BYTES;
  if (bavail * bsize < needed) throw new Error('No space left on device for a backup');
}

/** Events of a file, in both of their tables. */
export function eventsOf({ rows }: FileContents): number {
  return (rows.get('events') ?? 0) + (rows.get('events_recent') ?? 0);
}

async function readCounts(connection: DuckDBConnection) {
  const counted = await connection.runAndReadAll(
    `SELECT (SELECT count(*) FROM all_events)::DOUBLE, (SELECT count(*) FROM persons)::DOUBLE,
       (SELECT count(*) FROM groups)::DOUBLE`,
  );
  const [events, persons, groups] = counted.getRows()[0] as [number, number, number];
  return { events, persons, groups };
}

function withoutFiller({ schema, rows }: FileContents): FileContents {
  return { schema, rows: new Map([...rows].filter(([name]) => name !== FILLER)) };
}

function faultOf(target: FileContents, found: FileContents | null): string | null {
  if (found === null) return 'it is not a Burrow database';
  for (const [name, rows] of target.rows) {
    if (found.rows.get(name) !== rows) return `${name} has ${found.rows.get(name)} rows and not ${rows}`;
  }
  return null;
}

function shapeFault(target: readonly string[], found: readonly string[]): string | null {
  const missing = target.find((line) => !found.includes(line));
  return missing === undefined ? null : `it is missing ${missing}`;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
