import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonText } from '../../lib/json-text.ts';

/** That a flag was asked for, as an event tells it. */
export interface FlagCall {
  readonly projectId: number;
  readonly key: string;
  /** Unix microseconds, a whole number. */
  readonly at: number;
}

/** The table of when flags were last called, written on a connection of its own: no commit of events waits for it. */
export interface FlagCallTable {
  /**
   * Moves the flags of these keys forward to these times; keys that no live flag has are passed over. What is kept of flags
   * that are gone for good goes.
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

/** Here, because nobody else writes this table: two writers of one row would refuse each other. */
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
