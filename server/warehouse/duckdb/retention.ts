import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { EventSizes } from './event-sizes.ts';
import type { MaintenanceTask, MaintenanceContext } from './maintenance-task.ts';
import {
  countBeyond,
  firstStep,
  readDays,
  type DeletionStep,
  type RetentionLimits,
} from './retention-plan.ts';
import { readTrustedTime } from './retention-clock.ts';
import type { StreamHold } from './stream-hold.ts';
import type { TableWriteLock } from './table-write-lock.ts';

const APPLY_EVERY_MS = 300_000;
/** Rows of one transaction: deleting marks them, which takes milliseconds. */
const STEP_ROWS = 250_000;
/** Maximum milliseconds per maintenance run. */
const LOOK_MS = 1_000;

/** The progress of retention. */
export interface RetentionState {
  isApplying: boolean;
  /** Unix ms when every limit was last met; null: not yet in this process. */
  lastApplied: number | null;
  /** Events of the project deleted by this process. */
  deletedEvents: number;
}

export interface Retention extends MaintenanceTask {
  /** Applies the stored limits from the next run on. */
  apply(): void;
  state(projectId: number): RetentionState;
}

export interface RetentionOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  writeLock: TableWriteLock;
  resources: Pick<Resources, 'whileMoving'>;
  sizes: EventSizes;
  hold: Pick<StreamHold, 'isCopying'>;
  /** Called after events were deleted. */
  onDeleted: (events: number, projectId: number) => void;
  clock: Clock;
  log: Log;
}

/**
 * Deletes the oldest events of projects that exceed their limits of days or size, a bounded number at a time, outside
 * the commits. Recent rows are compacted first, so that all events beyond the limits are in `events`.
 */
export function createRetention(options: RetentionOptions): Retention {
  const { connection, writeLock, clock, log } = options;
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
    return await writeLock.run(
      async () => (await connection.run(`DELETE FROM events WHERE ${which}`)).rowsChanged,
    );
  }

  /** Returns false when the time of this run is up before the project meets its limits. */
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
      // The remaining rows are recent and just arrived; the next run deletes them.
      if (rows === 0) return true;
      options.onDeleted(rows, projectId);
      deleted.set(projectId, (deleted.get(projectId) ?? 0) + rows);
      log.info({ projectId, events: rows }, 'Events beyond the limits of a project were deleted');
      if (performance.now() > until) return false;
    }
  }

  async function compact(context: MaintenanceContext): Promise<void> {
    const rows = await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM events_recent');
    let left = rows.value(0, 0) as number;
    while (left > 0 && !context.isClosing) {
      const taken = await context.compact();
      left = taken === 0 ? 0 : left - taken;
    }
  }

  async function run(context: MaintenanceContext): Promise<void> {
    if (!isDue && lastApplied !== null && Math.abs(clock() - lastApplied) < APPLY_EVERY_MS) return;
    // A request that arrives from here on is for the next run.
    isDue = false;
    isWorking = true;
    try {
      if (await options.resources.whileMoving(() => applyAll(context))) lastApplied = clock();
      else isDue = true;
    } catch (error) {
      isDue = true;
      throw error;
    } finally {
      isWorking = false;
    }
  }

  async function applyAll(context: MaintenanceContext): Promise<boolean> {
    const rules = await connection.runAndReadAll(
      `SELECT project_id, max_days, max_gb FROM project_retention
       WHERE max_days IS NOT NULL OR max_gb IS NOT NULL ORDER BY project_id`,
    );
    const until = performance.now() + LOOK_MS;
    // What a warehouse has not received is not deleted.
    if (options.hold.isCopying) return false;
    if (rules.currentRowCount === 0) return true;
    const now = await readTrustedTime(connection, clock());
    if (now < clock()) log.warn({ now }, 'The clock has jumped; retention goes by the time before for a day');
    await compact(context);
    for (const [projectId, maxDays, maxGb] of rules.getRows() as [number, number | null, number | null][]) {
      if (context.isClosing || !(await applyTo(projectId, { maxDays, maxGb }, { until, now }))) return false;
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
