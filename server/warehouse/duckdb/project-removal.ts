import type { DuckDBConnection } from '@duckdb/node-api';
import type { Resources } from '../../db/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { StoreParticipant } from './commit-participant.ts';
import type { MaintenanceTask, MaintenanceTurn } from './maintenance-task.ts';
import { endRemoval, readPendingRemovals } from './project-removals.ts';
import { deleteRows, listProjectTables } from './project-tables.ts';
import type { RowTurns } from './row-turns.ts';

/** A request that was let in before the project was deleted has written what it wants to by then. */
const LATE_MS = 10_000;
/** How often a step is tried again when something else holds its rows, and how long it waits between. */
const ATTEMPTS = 200;
const PAUSE_MS = 50;

export interface ProjectRemovalOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  turns: RowTurns;
  participants: readonly Pick<StoreParticipant, 'forgetProject'>[];
  resources: Pick<Resources, 'whileMoving'>;
  /** Told how many events were deleted. */
  onDeleted: (events: number, projectId: number) => void;
  clock: Clock;
  log: Log;
}

export interface ProjectRemoval extends MaintenanceTask {
  /** Deletes everything of a project that is stored now; what still comes for it goes a little later. */
  remove(projectId: number): Promise<void>;
}

/**
 * Removes what belongs to deleted projects, from every table: at once when it is told, and once more when late requests
 * have ended or the process has started anew. Then the rows are erased from the file.
 */
export function createProjectRemoval(options: ProjectRemovalOptions): ProjectRemoval {
  const { connection, turns, participants, resources, clock, log } = options;
  const openedAt = clock();
  /** A quiet second costs no question. */
  let mayBePending = true;

  async function step<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await turns.take(work);
      } catch (error) {
        if (!/conflict/i.test(String(error)) || attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  /** False when it was stopped before everything was gone. */
  async function removeAll(projectId: number, mustStop: () => boolean): Promise<boolean> {
    for (const participant of participants) await participant.forgetProject?.(projectId);
    for (const table of await listProjectTables(connection)) {
      for (let rows = -1; rows !== 0;) {
        if (mustStop()) return false;
        rows = await step(() => deleteRows(connection, table, projectId));
        if (table.name === 'events' || table.name === 'events_recent') options.onDeleted(rows, projectId);
      }
    }
    return true;
  }

  async function run(turn: MaintenanceTurn): Promise<void> {
    if (!mayBePending) return;
    const now = clock();
    // A project that is deleted during the question is for the next look.
    mayBePending = false;
    const pending = await readPendingRemovals(connection);
    mayBePending ||= pending.length > 0;
    const due = pending.filter(
      ({ requestedAt }) => requestedAt < openedAt || Math.abs(now - requestedAt) >= LATE_MS,
    );
    for (const { projectId } of due) {
      if (!(await resources.whileMoving(() => removeAll(projectId, () => turn.isClosing)))) return;
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
