import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import type { Resources } from '../../db/resources.ts';
import { movePersonParts } from './person-parts.ts';
import type { TableWriteLock } from './table-write-lock.ts';
import type { StreamHold } from './stream-hold.ts';
import { settle, type SettledTable } from './settle.ts';

/** Thresholds of the maintenance of person tables. */
export interface PersonLimits {
  /** Number of changes that are settled when idle, and even under load. */
  settleQuietRows: number;
  settleLoadedRows: number;
  /** Number of merges that are written into the events when idle: every query about persons joins them. */
  squashRows: number;
}

const LIMITS: PersonLimits = { settleQuietRows: 1_000, settleLoadedRows: 250_000, squashRows: 1_000 };

/** Merges that one transaction writes into the events. */
const SQUASH_STEP = 20_000;

const PERSONS: SettledTable = {
  name: 'persons',
  key: ['id'],
  columns: ['project_id', 'id', 'uuid', 'created_at', 'properties', 'property_sources', 'is_identified'],
  order: ['id'],
};
const DISTINCT_IDS: SettledTable = {
  name: 'person_distinct_ids',
  key: ['project_id', 'distinct_id'],
  columns: ['project_id', 'distinct_id', 'person_id', 'position'],
  order: ['person_id', 'position'],
};

/** Keeps the person tables small, outside the commits. */
export interface PersonMaintenance {
  /** Reports the number of changes of a commit. */
  committed(changes: number): void;
  /** Settles all changes now. */
  settle(): Promise<void>;
  /** One maintenance run; `squashed` is called after merges were written into the events. */
  maintain(isQuiet: boolean, squashed: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface PersonMaintenanceOptions {
  /** A connection of its own. */
  connection: DuckDBConnection;
  writeLock: TableWriteLock;
  resources: Pick<Resources, 'whileMoving'>;
  /** How many changes were waiting when the store opened. */
  pending: number;
  limits?: PersonLimits | undefined;
  hold: Pick<StreamHold, 'personsThrough'>;
}

export function createPersonMaintenance(options: PersonMaintenanceOptions): PersonMaintenance {
  const { connection, writeLock, resources, limits = LIMITS } = options;
  let recent = options.pending;
  /** Saves a query in idle seconds. */
  let mayHaveMerges = true;

  async function settleAll(): Promise<void> {
    await writeLock.run(noteState);
    const persons = await settle(connection, writeLock, PERSONS, options.hold.personsThrough);
    const distinctIds = await settle(connection, writeLock, DISTINCT_IDS, options.hold.personsThrough);
    recent = Math.max(0, recent - persons - distinctIds);
  }

  /** Person IDs must not be reused after the rows that contain them are deleted. */
  async function noteState(): Promise<void> {
    await connection.run(`UPDATE persons_state SET
      last_person_id = greatest(last_person_id,
        (SELECT max(person_id) FROM person_distinct_ids_recent), (SELECT max(old_person_id) FROM person_merges))`);
  }

  async function isSquashDue(): Promise<boolean> {
    const counted = await connection.runAndReadAll('SELECT count(*)::INTEGER FROM person_merges');
    return (counted.value(0, 0) as number) >= limits.squashRows;
  }

  /** Writes all current merges into the events. */
  async function squash(): Promise<void> {
    const newest = await connection.runAndReadAll('SELECT max(version) FROM person_merges');
    await writeLock.run(noteState);
    while (await writeLock.run(() => squashStep(newest.value(0, 0) as bigint)));
  }

  /** One bounded transaction, since there may be any number of merges. */
  async function squashStep(upTo: bigint): Promise<boolean> {
    const oldest = await connection.runAndReadAll(
      `SELECT max(version) FROM (
         SELECT version FROM person_merges WHERE version <= $upTo ORDER BY version LIMIT ${SQUASH_STEP})`,
      { upTo },
    );
    const cut = oldest.value(0, 0) as bigint | null;
    if (cut === null) return false;
    await inTransaction(connection, async () => {
      for (const table of ['events', 'events_recent']) {
        await connection.run(
          `UPDATE ${table} SET person_id = o.person_id FROM person_overrides o
           WHERE ${table}.person_id = o.old_person_id
             AND o.old_person_id IN (SELECT old_person_id FROM person_merges WHERE version <= $cut)`,
          { cut },
        );
      }
      await movePersonParts(connection, cut);
      await connection.run('DELETE FROM person_merges WHERE version <= $cut', { cut });
    });
    return true;
  }

  return {
    committed(changes) {
      recent += changes;
      mayHaveMerges = true;
    },
    settle: () => resources.whileMoving(settleAll),
    async maintain(isQuiet, squashed) {
      if (recent >= (isQuiet ? limits.settleQuietRows : limits.settleLoadedRows))
        await resources.whileMoving(settleAll);
      if (!isQuiet || !mayHaveMerges) return;
      if (await isSquashDue()) {
        await resources.whileMoving(squash);
        await squashed();
      }
      mayHaveMerges = false;
    },
    async close() {
      connection.closeSync();
    },
  };
}
