import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonText } from '../../lib/json-text.ts';

/** A flag evaluation reported by an event. */
export interface FlagCall {
  readonly projectId: number;
  readonly key: string;
  /** Unix microseconds, a whole number. */
  readonly at: number;
}

/**
 * The table of last evaluation times of flags, written on its own connection so that commits of events never wait for
 * it.
 */
export interface FlagCallTable {
  /**
   * Advances the last-called time of the flags with these keys; unknown keys are skipped. Deletes rows of deleted
   * flags.
   */
  save(calls: readonly FlagCall[]): Promise<void>;
  close(): void;
}

const SHAPE = JSON.stringify([{ projectId: 'INTEGER', key: 'VARCHAR', at: 'BIGINT' }]);

const SAVE = `
  MERGE INTO flag_calls AS kept
  USING (
    SELECT f.id AS flag_id, f.project_id, make_timestamp(max(came.at)) AS at
    FROM (SELECT unnest(from_json($calls, '${SHAPE}'), max_depth := 2)) AS came
    JOIN feature_flags f ON f.project_id = came.projectId AND f.key = came.key AND NOT f.deleted
    GROUP BY ALL
  ) AS came
  ON kept.flag_id = came.flag_id
  WHEN MATCHED THEN UPDATE SET last_called_at = greatest(kept.last_called_at, came.at)
  WHEN NOT MATCHED THEN INSERT VALUES (came.flag_id, came.project_id, came.at)`;

/** Runs here because concurrent writers of one row would conflict. */
const TIDY = 'DELETE FROM flag_calls WHERE flag_id NOT IN (SELECT id FROM feature_flags)';

export function openFlagCallTable(connection: DuckDBConnection): FlagCallTable {
  return {
    async save(calls) {
      await connection.run(SAVE, { calls: jsonText(calls) });
      await connection.run(TIDY);
    },
    close: () => connection.closeSync(),
  };
}
