import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { EventSizes } from './event-sizes.ts';
import type { MaintenanceTask, MaintenanceTurn } from './maintenance-task.ts';
import {
  countBeyond,
  firstStep,
  readDays,
  type DeletionStep,
  type RetentionLimits,
} from './retention-plan.ts';
import { readTrustedTime } from './retention-clock.ts';
import type { RowTurns } from './row-turns.ts';

const APPLY_EVERY_MS = 300_000;
/** Rows of one transaction: deleting marks them, which takes milliseconds. */
const STEP_ROWS = 250_000;
/** Milliseconds of one look that deleting takes at most. */
const LOOK_MS = 1_000;

/** How far retention is. */
export interface RetentionState {
  isApplying: boolean;
  /** Unix ms of the last time that every limit held; null when it was not yet, in this process. */
  lastApplied: number | null;
  /** Events of the project deleted by this process. */
  deletedEvents: number;
}

export interface Retention extends MaintenanceTask {
  /** Applies the limits as they are stored now, from the next look on. */
  apply(): void;
  state(projectId: number): RetentionState;
}

export interface RetentionOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  turns: RowTurns;
  resources: Pick<Resources, 'whileMoving'>;
  sizes: EventSizes;
  /** Told of events that were deleted. */
  onDeleted: (events: number, projectId: number) => void;
  clock: Clock;
  log: Log;
}

/**
 * Keeps every project within its limits of days and size: deletes the oldest events, a bounded number at a time, beside
 * the commits. Recent rows are compacted before, so that all that is beyond the limits stands in `events`.
 */
export function createRetention(options: RetentionOptions): Retention {
  const { connection, turns, clock, log } = options;
  const deleted = new Map<number, number>();
  let lastApplied: number | null = null;
  let isDue = true;
  let isWorking = false;

  async function remove(projectId: number, { before, limit }: DeletionStep): Promise<number> {
    const old = `project_id = ${projectId} AND timestamp < epoch_ms(${before}::BIGINT)`;
    const which =
      limit === null
        ? old
        : `rowid IN (SELECT rowid FROM events WHERE ${old} ORDER BY timestamp, uuid LIMIT ${limit})`;
    return await turns.take(
      async () => (await connection.run(`DELETE FROM events WHERE ${which}`)).rowsChanged,
    );
  }

  /** False when the time of this look is up before the project is within its limits. */
  async function applyTo(
    projectId: number,
    limits: RetentionLimits,
    { until, now }: { until: number; now: number },
  ): Promise<boolean> {
    for (;;) {
      const days = await readDays(connection, projectId);
      const beyond = await countBeyond(connection, options.sizes, projectId, limits, days, now);
      const step = firstStep(days, beyond, STEP_ROWS);
      if (step === null) return true;
      const rows = await remove(projectId, step);
      // What is left is recent and has come just now: the next time takes it.
      if (rows === 0) return true;
      options.onDeleted(rows, projectId);
      deleted.set(projectId, (deleted.get(projectId) ?? 0) + rows);
      log.info({ projectId, events: rows }, 'Events beyond the limits of a project were deleted');
      if (performance.now() > until) return false;
    }
  }

  async function compact(turn: MaintenanceTurn): Promise<void> {
    const rows = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM events_recent');
    let left = rows.value(0, 0) as number;
    while (left > 0 && !turn.isClosing) {
      const taken = await turn.compact();
      left = taken === 0 ? 0 : left - taken;
    }
  }

  async function run(turn: MaintenanceTurn): Promise<void> {
    if (!isDue && lastApplied !== null && Math.abs(clock() - lastApplied) < APPLY_EVERY_MS) return;
    // An order that comes from here on is for the next look.
    isDue = false;
    isWorking = true;
    try {
      if (await options.resources.whileMoving(() => applyAll(turn))) lastApplied = clock();
      else isDue = true;
    } catch (error) {
      isDue = true;
      throw error;
    } finally {
      isWorking = false;
    }
  }

  async function applyAll(turn: MaintenanceTurn): Promise<boolean> {
    const rules = await connection.runAndReadAll(
      `SELECT project_id, max_days, max_gb FROM project_retention
       WHERE max_days IS NOT NULL OR max_gb IS NOT NULL ORDER BY project_id`,
    );
    const until = performance.now() + LOOK_MS;
    if (rules.currentRowCount === 0) return true;
    const now = await readTrustedTime(connection, clock());
    if (now < clock()) log.warn({ now }, 'The clock has jumped; retention goes by the time before for a day');
    await compact(turn);
    for (const [projectId, maxDays, maxGb] of rules.getRows() as [number, number | null, number | null][]) {
      if (turn.isClosing || !(await applyTo(projectId, { maxDays, maxGb }, { until, now }))) return false;
    }
    return true;
  }

  return {
    run,
    apply() {
      isDue = true;
    },
    state: (projectId) => ({
      isApplying: isDue || isWorking,
      lastApplied,
      deletedEvents: deleted.get(projectId) ?? 0,
    }),
    async close() {
      connection.closeSync();
    },
  };
}
