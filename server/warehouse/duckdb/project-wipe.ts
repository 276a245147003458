import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import type { Resources } from '../../db/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { StoreParticipant } from './commit-participant.ts';
import { requestErasure } from './erasure-requests.ts';
import type { EventWriter } from './event-writer.ts';
import type { TableWriteLock } from './table-write-lock.ts';
import { noteDeletion } from './warehouse-stream.ts';

/** Tables whose rows come from events or depend on persons. */
export const WIPED_TABLES = [
  'events',
  'events_recent',
  'persons_settled',
  'persons_recent',
  'person_distinct_ids_settled',
  'person_distinct_ids_recent',
  'person_merges',
  'person_merge_history',
  'groups_settled',
  'groups_recent',
  'event_definitions',
  'property_definitions',
  'event_properties',
  'ingestion_warnings',
  'cohort_people',
  'flag_hash_keys',
  'flag_calls',
  'alert_checks',
  'forwarding_waiting',
] as const;

/** Attempts when rows are locked, and the delay between them. */
const ATTEMPTS = 200;
const PAUSE_MS = 50;

/** What a wipe has deleted. */
export interface Wiped {
  events: number;
  persons: number;
  groups: number;
}

export interface ProjectWipeOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  writeLock: TableWriteLock;
  writer: Pick<EventWriter, 'betweenCommits'>;
  participants: readonly Pick<StoreParticipant, 'beforeWipe'>[];
  resources: Pick<Resources, 'whileMoving'>;
  /** Called before the next commit when the project has no events any more. */
  onWiped: (events: number, projectId: number) => void;
  clock: Clock;
}

export interface ProjectWipe {
  /**
   * Deletes all data of a project that came from events, and keeps the project and everything users created in it.
   * Runs as one transaction between two commits; events that arrive meanwhile wait.
   */
  wipe(projectId: number): Promise<Wiped>;
  close(): void;
}

export function createProjectWipe(options: ProjectWipeOptions): ProjectWipe {
  const { connection, writeLock, writer, participants, resources, onWiped, clock } = options;

  async function countOf(view: string, projectId: number): Promise<number> {
    const counted = await connection.runAndReadAll(
      `SELECT count(*)::DOUBLE FROM ${view} WHERE project_id = $projectId`,
      { projectId },
    );
    return counted.value(0, 0) as number;
  }

  async function attempt(projectId: number): Promise<Wiped> {
    const forget: (() => void)[] = [];
    for (const participant of participants) {
      const own = await participant.beforeWipe?.(projectId);
      if (own !== undefined) forget.push(own);
    }
    const { wiped, rows } = await inTransaction(connection, async () => {
      const counts = {
        events: await countOf('all_events', projectId),
        persons: await countOf('persons', projectId),
        groups: await countOf('groups', projectId),
      };
      await noteDeletion(connection, projectId, null);
      let eventRows = 0;
      for (const table of WIPED_TABLES) {
        const deleted = await connection.run(`DELETE FROM ${table} WHERE project_id = $projectId`, {
          projectId,
        });
        if (table.startsWith('events')) eventRows += deleted.rowsChanged;
      }
      await requestErasure(connection, clock());
      return { wiped: counts, rows: eventRows };
    });
    for (const own of forget) own();
    onWiped(rows, projectId);
    return wiped;
  }

  return {
    async wipe(projectId) {
      for (let tries = 1; ; tries++) {
        try {
          return await resources.whileMoving(() =>
            writeLock.run(() => writer.betweenCommits(() => attempt(projectId))),
          );
        } catch (error) {
          if (!/conflict/i.test(String(error)) || tries === ATTEMPTS) throw error;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      }
    },
    close: () => connection.closeSync(),
  };
}
