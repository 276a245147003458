import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { StoreParticipant } from './commit-participant.ts';
import type { MaintenanceTask, MaintenanceContext } from './maintenance-task.ts';
import { endRemoval, readPendingRemovals } from './project-removal-requests.ts';
import { deleteRows, listProjectTables } from './project-tables.ts';
import type { TableWriteLock } from './table-write-lock.ts';
import { noteDeletion } from './warehouse-stream.ts';

/** Time after which requests that were accepted before the deletion have finished writing. */
const LATE_MS = 10_000;
/** Attempts of a step whose rows are locked, and the delay between them. */
const ATTEMPTS = 200;
const PAUSE_MS = 50;

export interface ProjectRemovalOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  writeLock: TableWriteLock;
  participants: readonly Pick<StoreParticipant, 'forgetProject'>[];
  resources: Pick<Resources, 'whileMoving'>;
  /** Called with the number of deleted events. */
  onDeleted: (events: number, projectId: number) => void;
  clock: Clock;
  log: Log;
}

export interface ProjectRemovalJob extends MaintenanceTask {
  /** Deletes all stored data of a project now; data of late requests is deleted a little later. */
  remove(projectId: number): Promise<void>;
}

/**
 * Removes the data of deleted projects from every table: on request, and again after late requests have ended or the
 * process has restarted. Then the rows are erased from the file.
 */
export function createProjectRemovalJob(options: ProjectRemovalOptions): ProjectRemovalJob {
  const { connection, writeLock, participants, resources, clock, log } = options;
  const openedAt = clock();
  /** Saves a query in idle seconds. */
  let mayBePending = true;

  async function step<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await writeLock.run(work);
      } catch (error) {
        if (!/conflict/i.test(String(error)) || attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  /** Returns false when it was stopped early. */
  async function removeAll(projectId: number, mustStop: () => boolean): Promise<boolean> {
    for (const participant of participants) await participant.forgetProject?.(projectId);
    await step(() => noteDeletion(connection, projectId, null));
    for (const table of await listProjectTables(connection)) {
      for (let rows = -1; rows !== 0;) {
        if (mustStop()) return false;
        rows = await step(() => deleteRows(connection, table, projectId));
        if (table.name === 'events' || table.name === 'events_recent') options.onDeleted(rows, projectId);
      }
    }
    return true;
  }

  async function run(context: MaintenanceContext): Promise<void> {
    if (!mayBePending) return;
    const now = clock();
    // A project deleted during the query is handled by the next run.
    mayBePending = false;
    const pending = await readPendingRemovals(connection);
    mayBePending ||= pending.length > 0;
    const due = pending.filter(
      ({ requestedAt }) => requestedAt < openedAt || Math.abs(now - requestedAt) >= LATE_MS,
    );
    for (const { projectId } of due) {
      if (!(await resources.whileMoving(() => removeAll(projectId, () => context.isClosing)))) return;
      await step(() => endRemoval(connection, projectId, clock()));
      log.info({ projectId }, 'Everything of a deleted project was removed');
    }
  }

  return {
    run,
    remove(projectId) {
      mayBePending = true;
      return resources.whileMoving(async () => {
        await removeAll(projectId, () => false);
      });
    },
    async close() {
      connection.closeSync();
    },
  };
}
