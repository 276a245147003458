import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import type { Log } from '../../lib/log.ts';
import type { StoreParticipant } from './commit-participant.ts';
import { beginPass, endPass, readPendingErasures, touchPass } from './erasure-requests.ts';
import type { EventWriter } from './event-writer.ts';
import { fillFreeBlocks, fillFreeMetadata, removeFiller } from './free-space.ts';
import type { MaintenanceTask, MaintenanceContext } from './maintenance-task.ts';
import type { TableWriteLock } from './table-write-lock.ts';
import { headOf, moveFirstRows, ROW_GROUP_ROWS, touchTable } from './table-rewrite.ts';

/** Maximum milliseconds per maintenance run, apart from the last step. */
const QUIET_MS = 5_000;
const LOADED_MS = 500;
/** Tables whose stored rows no commit touches: they are moved beside the commits, a row group at a time. */
const LARGE_TABLES = new Set([
  'events',
  'events_recent',
  'persons_settled',
  'person_distinct_ids_settled',
  'groups_settled',
]);
/** Rows of a small table moved at a time, between two commits. */
const SMALL_ROWS = 20_000;
/** Row groups moved between two checkpoints, which make room in the file for the next ones. */
const MOVES_PER_CHECKPOINT = 4;
/** A file up to this size is finished when the store closes, a larger one after the next start. */
const CLOSING_BYTES = 67_108_864;
const CLOSING_RUNS = 20;
const OVERWRITING_ROUNDS = 2;

function mustWait(context: MaintenanceContext): boolean {
  return context.isClosing && context.fileBytes > CLOSING_BYTES;
}

export interface ErasureOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  writer: Pick<EventWriter, 'betweenCommits'>;
  writeLock: TableWriteLock;
  participants: readonly Pick<StoreParticipant, 'settle'>[];
  resources: Pick<Resources, 'whileMoving'>;
  path: string | null;
  /** Called when a rewrite begins, because another part has deleted rows. */
  onBegin: () => Promise<void>;
  log: Log;
}

/**
 * Erases deleted rows from the file. DuckDB only marks rows as deleted and blocks as free, so: every row group that
 * existed at the request is rewritten without them (one may hold bytes of another that was dropped before, which is
 * why none is left out), a checkpoint frees the old blocks, and what is free is overwritten. Each step leaves the
 * file whole. A new process starts over, because opening the file adds rows to row groups of the previous process.
 */
export function createErasureJob(options: ErasureOptions): MaintenanceTask {
  const { connection, writer, writeLock, path, log } = options;
  let moves = 0;
  /** The current rewrite: for each table, how many of its first rows are still to be moved. */
  let pass: Map<string, number> | null = null;
  /** Value of `writeLock.completed` when nothing was pending; saves a query in quiet seconds. */
  let nothingAt = -1;
  /** Tables whose old row groups survived the last checkpoint because a statement was reading them. */
  let read: string[] = [];

  /** The checkpoint starts new row groups, so later rows never share one with a row of this pass. */
  async function begin(context: MaintenanceContext): Promise<Map<string, number>> {
    for (const participant of options.participants) await participant.settle?.();
    const tables = await context.checkpoint(() => beginPass(connection));
    await options.onBegin();
    log.info({}, 'Deleted rows are being erased from the file');
    return tables;
  }

  async function move(name: string, tables: Map<string, number>, context: MaintenanceContext): Promise<void> {
    const remaining = tables.get(name)!;
    const isLarge = LARGE_TABLES.has(name);
    let rows = Math.min(remaining, isLarge ? ROW_GROUP_ROWS : SMALL_ROWS);
    if (name === 'events_recent') rows = (await context.compact()) || remaining;
    else if (isLarge) await writeLock.run(() => moveFirstRows(connection, name, rows));
    else await writeLock.run(() => writer.betweenCommits(() => moveFirstRows(connection, name, rows)));
    tables.set(name, Math.max(remaining - rows, 0));
    if (!isLarge) return;
    // A checkpoint compresses a partial row group while commits wait, so each of these is followed by a checkpoint of
    // its own.
    if (rows < ROW_GROUP_ROWS || ++moves % MOVES_PER_CHECKPOINT === 0)
      await context.checkpoint(async () => undefined);
  }

  /** Frees the old row groups; false when some remain, possibly with rows that still have to be moved. */
  async function dropMoved(tables: Map<string, number>, context: MaintenanceContext): Promise<boolean> {
    await touchPass(connection);
    for (const name of read)
      await writeLock.run(() => writer.betweenCommits(() => touchTable(connection, name)));
    return await context.checkpoint(async () => {
      let allGone = true;
      read = [];
      for (const name of tables.keys()) {
        const head = await headOf(connection, name);
        if (head === 'gone') continue;
        allGone = false;
        if (head === 'read') read.push(name);
        else tables.set(name, head);
      }
      return allGone;
    });
  }

  /**
   * Overwrites free blocks. The first checkpoint rewrites all metadata, which frees the old pieces; the second
   * overwrites those. Returns false when it must be retried.
   */
  async function overwriteFree(context: MaintenanceContext): Promise<boolean> {
    await removeFiller(connection);
    await connection.run('SET GLOBAL experimental_metadata_reuse = false');
    try {
      for (let round = 0; round < OVERWRITING_ROUNDS; round++) {
        if (!(await fillFreeBlocks(connection, () => mustWait(context)))) return false;
        await fillFreeMetadata(connection);
        await context.checkpoint(async () => undefined);
      }
      return true;
    } finally {
      await connection.run('RESET GLOBAL experimental_metadata_reuse');
    }
  }

  async function finish(context: MaintenanceContext): Promise<void> {
    if (!(await overwriteFree(context))) return;
    await removeFiller(connection);
    await removeCopies();
    await endPass(connection);
    pass = null;
    await context.checkpoint(async () => undefined);
    log.info({}, 'Deleted rows were erased from the file');
  }

  /**
   * Copies from before a migration or a repair also contain the erased rows. Backups and files set aside by a restore
   * are kept, since users may want to return to them.
   */
  async function removeCopies(): Promise<void> {
    if (path === null) return;
    const name = basename(path);
    const copies = (await readdir(dirname(path))).filter(
      (file) => isMigrationCopy(file, name) || file.startsWith(`${name}.wal.damaged-`),
    );
    for (const file of copies) await rm(join(dirname(path), file), { force: true });
    if (copies.length > 0) log.info({ copies }, 'Copies of the file that hold erased rows were removed');
  }

  async function run(context: MaintenanceContext): Promise<void> {
    const { completed: ended } = writeLock;
    if (ended === nothingAt) return;
    if ((await readPendingErasures(connection)).count === 0) {
      nothingAt = ended;
      return;
    }
    if (path === null) {
      await options.onBegin();
      await connection.run('DELETE FROM erasures');
      return;
    }
    await options.resources.whileMoving(() => erase(context));
  }

  async function erase(context: MaintenanceContext): Promise<void> {
    const tables = (pass ??= await begin(context));
    const ends = performance.now() + (context.isQuiet ? QUIET_MS : LOADED_MS);
    do {
      const next = [...tables.keys()].find((name) => tables.get(name)! > 0);
      if (next !== undefined) await move(next, tables, context);
      else if (!(await dropMoved(tables, context))) {
        if ([...tables.values()].every((remaining) => remaining === 0)) return;
      } else {
        await finish(context);
        return;
      }
    } while (performance.now() < ends && !mustWait(context));
  }

  return {
    run,
    async close(context) {
      for (let runs = 0; runs < CLOSING_RUNS && context.fileBytes <= CLOSING_BYTES; runs++) {
        if ((await readPendingErasures(connection)).count === 0) break;
        await run(context);
      }
      connection.closeSync();
    },
  };
}

/** `burrow.duckdb.before-0007`, and not `burrow.duckdb.before-restore-…`. */
function isMigrationCopy(file: string, name: string): boolean {
  return file.startsWith(`${name}.before-`) && /^\d{4}$/.test(file.slice(`${name}.before-`.length));
}
