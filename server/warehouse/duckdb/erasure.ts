import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import type { Log } from '../../lib/log.ts';
import type { CommitParticipant } from './commit-participant.ts';
import { beginPass, endPass, noteMoved, readPendingErasures, tablesOfPass } from './erasures.ts';
import type { EventWriter } from './event-writer.ts';
import { fillFreeBlocks, fillFreeMetadata, removeFiller } from './free-space.ts';
import type { MaintenanceTask, MaintenanceTurn } from './maintenance-task.ts';
import type { RowTurns } from './row-turns.ts';
import { headOf, moveFirstRows, ROW_GROUP_ROWS } from './table-rewrite.ts';

/** Milliseconds of one look that erasing takes at most, apart from its last step. */
const QUIET_MS = 5_000;
const LOADED_MS = 500;
/** Tables to which commits only append: rows of theirs are moved beside the commits, a row group at a time. */
const LARGE_TABLES = new Set(['events', 'persons_settled', 'person_distinct_ids_settled', 'groups_settled']);
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
  participants: readonly Pick<CommitParticipant, 'settle'>[];
  resources: Pick<Resources, 'whileMoving'>;
  path: string | null;
  /** Told when a rewriting begins: rows were deleted by others. */
  onBegin: () => Promise<void>;
  log: Log;
}

/**
 * Erases deleted rows from the file. DuckDB only marks rows as deleted and blocks as free, so: every row group that was
 * there at the request is written anew without them (one may hold bytes of another that was dropped before, which is why
 * none is left out), a checkpoint frees the old blocks, and what is free is overwritten. Each step leaves the file whole;
 * what is to be done is noted in it, so that a new process does it.
 */
export function createErasure(options: ErasureOptions): MaintenanceTask {
  const { connection, writer, turns, path, log } = options;
  let moves = 0;
  /** A process that has opened the file adds rows to row groups of the one before, so it begins anew. */
  let isBegunHere = false;

  /** The checkpoint starts new row groups: no row that comes later shares one with a row of this pass. */
  async function begin(turn: MaintenanceTurn): Promise<void> {
    for (const participant of options.participants) await participant.settle?.();
    await turn.checkpoint(() => beginPass(connection));
    isBegunHere = true;
    await options.onBegin();
    log.info({}, 'Deleted rows are being erased from the file');
  }

  async function move(name: string, remaining: number, turn: MaintenanceTurn): Promise<void> {
    let rows = Math.min(remaining, ROW_GROUP_ROWS);
    if (name === 'events_recent') {
      const moved = await turn.compact();
      rows = moved === 0 ? remaining : moved;
      await noteMoved(connection, name, rows);
    } else if (LARGE_TABLES.has(name)) {
      await turns.take(() => moveFirstRows(connection, name, rows));
    } else {
      rows = Math.min(remaining, SMALL_ROWS);
      await turns.take(() => writer.betweenCommits(() => moveFirstRows(connection, name, rows)));
      return;
    }
    // Less than a row group is compressed by the checkpoint, while commits wait: never two of them at once.
    if (rows < ROW_GROUP_ROWS || ++moves % MOVES_PER_CHECKPOINT === 0)
      await turn.checkpoint(async () => undefined);
  }

  /** Frees the old row groups; false when some are still there. */
  async function dropMoved(turn: MaintenanceTurn): Promise<boolean> {
    // A checkpoint without anything to write does nothing.
    await connection.run('UPDATE erasures SET in_pass = true WHERE in_pass');
    return await turn.checkpoint(async () => {
      let allGone = true;
      for (const { name } of await tablesOfPass(connection)) {
        const head = await headOf(connection, name);
        if (head === 'gone') continue;
        allGone = false;
        if (head !== 'read') await noteMoved(connection, name, -head);
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
    await turn.checkpoint(async () => undefined);
    log.info({}, 'Deleted rows were erased from the file');
  }

  /** Copies made before a migration or a repair hold the erased rows too. */
  async function removeCopies(): Promise<void> {
    if (path === null) return;
    const name = basename(path);
    const copies = (await readdir(dirname(path))).filter(
      (file) => file.startsWith(`${name}.before-`) || file.startsWith(`${name}.wal.damaged-`),
    );
    for (const file of copies) await rm(join(dirname(path), file), { force: true });
    if (copies.length > 0) log.info({ copies }, 'Copies of the file that hold erased rows were removed');
  }

  async function run(turn: MaintenanceTurn): Promise<void> {
    const pending = await readPendingErasures(connection);
    if (pending.count === 0) return;
    if (path === null) {
      await options.onBegin();
      await connection.run('DELETE FROM erasures');
      return;
    }
    await options.resources.whileMoving(() => erase(turn, isBegunHere && pending.inPass > 0));
  }

  async function erase(turn: MaintenanceTurn, isUnderWay: boolean): Promise<void> {
    if (!isUnderWay) await begin(turn);
    const ends = performance.now() + (turn.isQuiet ? QUIET_MS : LOADED_MS);
    do {
      const next = (await tablesOfPass(connection)).find(({ remaining }) => remaining > 0);
      if (next !== undefined) await move(next.name, next.remaining, turn);
      else if (!(await dropMoved(turn))) {
        if ((await tablesOfPass(connection)).every(({ remaining }) => remaining === 0)) return;
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
