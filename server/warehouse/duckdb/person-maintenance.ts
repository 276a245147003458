import type { DuckDBConnection } from '@duckdb/node-api';
import { createRowTurns } from './row-turns.ts';
import { settleStep, type SettledTable } from './settle.ts';

/** When the tables of persons are tidied up. */
export interface PersonLimits {
  /** Changes worth settling in a quiet moment, and those that are settled even under load. */
  settleQuietRows: number;
  settleLoadedRows: number;
  /** Merges worth writing into the events in a quiet moment: every question about persons joins them. */
  squashRows: number;
}

const LIMITS: PersonLimits = { settleQuietRows: 1_000, settleLoadedRows: 250_000, squashRows: 1_000 };

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

/** What keeps the tables of persons small and quick, beside the commits. */
export interface PersonMaintenance {
  /** Tells of so many changes. */
  committed(changes: number): void;
  /** Settles all changes now. */
  settle(): Promise<void>;
  /** Work of one look; `squashed` is called after merges were written into the events, between two commits. */
  maintain(isQuiet: boolean, squashed: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** `pending` is how many changes were waiting when the store opened. */
export function createPersonMaintenance(
  connection: DuckDBConnection,
  pending: number,
  limits: PersonLimits = LIMITS,
): PersonMaintenance {
  let recent = pending;
  // One piece of work at a time: they share the connection.
  const turns = createRowTurns();

  async function settle(): Promise<void> {
    await noteState();
    let taken = 0;
    for (const table of [PERSONS, DISTINCT_IDS]) {
      for (
        let step = await settleStep(connection, table);
        step > 0;
        step = await settleStep(connection, table)
      ) {
        taken += step;
      }
    }
    recent = Math.max(0, recent - taken);
  }

  /** What was given out must not be given out again once the rows that tell of it are gone. */
  async function noteState(): Promise<void> {
    await connection.run(`UPDATE persons_state SET
      last_version = greatest(last_version,
        (SELECT coalesce(max(version), 0) FROM persons_recent),
        (SELECT coalesce(max(version), 0) FROM person_distinct_ids_recent),
        (SELECT coalesce(max(version), 0) FROM person_merges)),
      last_person_id = greatest(last_person_id,
        (SELECT coalesce(max(person_id), 0) FROM person_distinct_ids_recent))`);
  }

  async function squash(): Promise<boolean> {
    const counted = await connection.runAndReadAll(
      'SELECT count(*)::INTEGER, max(version) FROM person_merges',
    );
    if ((counted.value(0, 0) as number) < limits.squashRows) return false;
    const cut = counted.value(1, 0) as bigint;
    await noteState();
    await connection.run('BEGIN TRANSACTION');
    try {
      for (const table of ['events', 'events_recent']) {
        await connection.run(`UPDATE ${table} SET person_id = o.person_id
          FROM person_overrides o WHERE ${table}.person_id = o.old_person_id`);
      }
      await connection.run('DELETE FROM person_merges WHERE version <= $cut', { cut });
      await connection.run('COMMIT');
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
    return true;
  }

  return {
    committed(changes) {
      recent += changes;
    },
    settle: () => turns.take(settle),
    async maintain(isQuiet, squashed) {
      if (recent >= (isQuiet ? limits.settleQuietRows : limits.settleLoadedRows)) await turns.take(settle);
      if (isQuiet && (await turns.take(squash))) await squashed();
    },
    async close() {
      connection.closeSync();
    },
  };
}
