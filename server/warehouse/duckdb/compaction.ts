import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import { PROMOTED_PROPERTIES, propertyPath, quoteIdentifier, quoteText } from './promoted-properties.ts';

/** Rows that one step moves: a few hundred milliseconds of work, and a bounded transaction. */
const COMPACTION_ROWS = 122_880;

const COLUMNS = [
  'project_id',
  'timestamp',
  'uuid',
  'event',
  'distinct_id',
  'person_id',
  'properties',
  'elements_chain',
  'received_at',
  'historical',
].join(', ');

const PATHS = PROMOTED_PROPERTIES.map((name) => quoteText(propertyPath(name))).join(', ');
const PROMOTED_NAMES = PROMOTED_PROPERTIES.map(quoteIdentifier).join(', ');
const PROMOTED_VALUES = PROMOTED_PROPERTIES.map((_, index) => `p[${index + 1}]`).join(', ');

/** A late retry is not moved, and so never stored twice. */
const MOVE = `
INSERT INTO events (${COLUMNS}, ${PROMOTED_NAMES})
SELECT ${COLUMNS}, ${PROMOTED_VALUES}
FROM (
  SELECT ${COLUMNS}, json_extract_string(properties, [${PATHS}]) AS p
  FROM events_recent
  WHERE seq <= $cut AND (NOT suspect OR seq NOT IN (SELECT seq FROM late_retries))
)
ORDER BY timestamp, uuid`;

export interface Compacted {
  /** Rows taken out of `events_recent`. */
  taken: number;
  /** Rows among them that were late retries of stored events. */
  duplicates: number;
}

/**
 * Moves the oldest rows of `events_recent` into `events`, in time order and with the typed columns filled: one step in
 * one transaction, while commits go on. Returns null when there was nothing to move.
 */
export async function compactStep(connection: DuckDBConnection): Promise<Compacted | null> {
  const first = (await connection.runAndReadAll('SELECT min(seq) FROM events_recent')).value(0, 0) as
    bigint | null;
  if (first === null) return null;
  const cut = first + BigInt(COMPACTION_ROWS - 1);
  return await inTransaction(connection, async () => {
    const moved = (await connection.run(MOVE, { cut })).rowsChanged;
    await connection.run(
      'UPDATE events_state SET last_seq = (SELECT max(seq) FROM events_recent WHERE seq <= $cut)',
      { cut },
    );
    const taken = (await connection.run('DELETE FROM events_recent WHERE seq <= $cut', { cut })).rowsChanged;
    return { taken, duplicates: taken - moved };
  });
}
