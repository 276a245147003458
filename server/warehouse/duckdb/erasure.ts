import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import type { Log } from '../../lib/log.ts';
import type { StoreParticipant } from './commit-participant.ts';
import { beginPass, endPass, readPendingErasures, touchPass } from './erasures.ts';
import type { EventWriter } from './event-writer.ts';
import { fillFreeBlocks, fillFreeMetadata, removeFiller } from './free-space.ts';
import type { MaintenanceTask, MaintenanceTurn } from './maintenance-task.ts';
import type { RowTurns } from './row-turns.ts';
import { headOf, moveFirstRows, ROW_GROUP_ROWS, touchTable } from './table-rewrite.ts';

/** Milliseconds of one look that erasing takes at most, apart from its last step. */
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
/** Of all others so many rows at a time, between two commits. */
const SMALL_ROWS = 20_000;
/** Row groups moved between two checkpoints, which make room in the file for the next ones. */
const MOVES_PER_CHECKPOINT = 4;
/** A file up to this size is finished when the store closes, a larger one after the next start. */
const CLOSING_BYTES = 67_108_864;
const CLOSING_RUNS = 20;
const OVERWRITING_ROUNDS = 2;

function mustWait(turn: MaintenanceTurn): boolean {
  return turn.isClosing && turn.fileBytes > CLOSING_BYTES;
}

export interface ErasureOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  writer: Pick<EventWriter, 'betweenCommits'>;
  turns: RowTurns;
  participants: readonly Pick<StoreParticipant, 'settle'>[];
  resources: Pick<Resources, 'whileMoving'>;
  path: string | null;
  /** Told when a rewriting begins: rows were deleted by others. */
  onBegin: () => Promise<void>;
  log: Log;
}

/**
 * Erases deleted rows from the file. DuckDB only marks rows as deleted and blocks as free, so: every row group that was
 * there at the request is written anew without them (one may hold bytes of another that was dropped before, which is why
 * none is left out), a checkpoint frees the old blocks, and what is free is overwritten. Each step leaves the file whole.
 * A new process begins anew: by opening the file it adds rows to row groups of the one before.
 */
export function createErasure(options: ErasureOptions): MaintenanceTask {
  const { connection, writer, turns, path, log } = options;
  let moves = 0;
  /** The rewriting under way: of each table, how many of its first rows are still to be moved. */
  let pass: Map<string, number> | null = null;
  /** Turns that had ended when nothing was pending; a quiet second costs no question. */
  let nothingAt = -1;
  /** Tables whose old row groups the last checkpoint has left to a statement that read them. */
  let read: string[] = [];

  /** The checkpoint starts new row groups: no row that comes later shares one with a row of this pass. */
  async function begin(turn: MaintenanceTurn): Promise<Map<string, number>> {
    for (const participant of options.participants) await participant.settle?.();
    const tables = await turn.checkpoint(() => beginPass(connection));
    await options.onBegin();
    log.info({}, 'Deleted rows are being erased from the file');
    return tables;
  }

  async function move(name: string, tables: Map<string, number>, turn: MaintenanceTurn): Promise<void> {
    const remaining = tables.get(name)!;
    const isLarge = LARGE_TABLES.has(name);
    let rows = Math.min(remaining, isLarge ? ROW_GROUP_ROWS : SMALL_ROWS);
    if (name === 'events_recent') rows = (await turn.compact()) || remaining;
    else if (isLarge) await turns.take(() => moveFirstRows(connection, name, rows));
    else await turns.take(() => writer.betweenCommits(() => moveFirstRows(connection, name, rows)));
    tables.set(name, Math.max(remaining - rows, 0));
    if (!isLarge) return;
    // Less than a row group is compressed by the checkpoint, while commits wait: never two of them at once.
    if (rows < ROW_GROUP_ROWS || ++moves % MOVES_PER_CHECKPOINT === 0)
      await turn.checkpoint(async () => undefined);
  }

  /** Frees the old row groups; false when some are still there, perhaps with rows that have to be moved too. */
  async function dropMoved(tables: Map<string, number>, turn: MaintenanceTurn): Promise<boolean> {
    await touchPass(connection);
    for (const name of read)
      await turns.take(() => writer.betweenCommits(() => touchTable(connection, name)));
    return await turn.checkpoint(async () => {
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
   * Overwrites what is free. The first checkpoint writes all metadata anew, which frees every old piece of it; the second
   * overwrites those. False when it must be tried again.
   */
  async function overwriteFree(turn: MaintenanceTurn): Promise<boolean> {
    await removeFiller(connection);
    await connection.run('SET GLOBAL experimental_metadata_reuse = false');
    try {
      for (let round = 0; round < OVERWRITING_ROUNDS; round++) {
        if (!(await fillFreeBlocks(connection, () => mustWait(turn)))) return false;
        await fillFreeMetadata(connection);
        await turn.checkpoint(async () => undefined);
      }
      return true;
    } finally {
      await connection.run('RESET GLOBAL experimental_metadata_reuse');
    }
  }

  async function finish(turn: MaintenanceTurn): Promise<void> {
    if (!(await overwriteFree(turn))) return;
    await removeFiller(connection);
    await removeCopies();
    await endPass(connection);
    pass = null;
    await turn.checkpoint(async () => undefined);
    log.info({}, 'Deleted rows were erased from the file');
  }

  /**
   * Copies made before a migration or a repair hold the erased rows too. Backups and what a restore has set aside are
   * left: somebody wants to go back to them.
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

  async function run(turn: MaintenanceTurn): Promise<void> {
    const { ended } = turns;
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
    await options.resources.whileMoving(() => erase(turn));
  }

  async function erase(turn: MaintenanceTurn): Promise<void> {
    const tables = (pass ??= await begin(turn));
    const ends = performance.now() + (turn.isQuiet ? QUIET_MS : LOADED_MS);
    do {
      const next = [...tables.keys()].find((name) => tables.get(name)! > 0);
      if (next !== undefined) await move(next, tables, turn);
      else if (!(await dropMoved(tables, turn))) {
        if ([...tables.values()].every((remaining) => remaining === 0)) return;
      } else {
        await finish(turn);
        return;
      }
    } while (performance.now() < ends && !mustWait(turn));
  }

  return {
    run,
    async close(turn) {
      for (let runs = 0; runs < CLOSING_RUNS && turn.fileBytes <= CLOSING_BYTES; runs++) {
        if ((await readPendingErasures(connection)).count === 0) break;
        await run(turn);
      }
      connection.closeSync();
    },
  };
}

/** `burrow.duckdb.before-0007`, and not `burrow.duckdb.before-restore-…`. */
function isMigrationCopy(file: string, name: string): boolean {
  return file.startsWith(`${name}.before-`) && /^\d{4}$/.test(file.slice(`${name}.before-`.length));
}
