import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import { insertSelect } from '../../db/insert-select.ts';
import { hotValue, type HotColumn } from './fast/hot-columns.ts';
import { PROMOTED_PROPERTIES, propertyPath, propertyPointer } from './promoted-properties.ts';
import { quoteIdentifier, quoteText } from '../../lib/quote-sql.ts';

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

const PATHS = PROMOTED_PROPERTIES.map((name) => quoteText(propertyPath(name)));

/**
 * Late retries are not moved, so they are never stored twice. The pointers of hot columns are bound as $h0, $h1… Rows
 * of one step are close in time, so they are sorted by event: a query that names an event then reads only its part of
 * the other columns, and queries over all events lose nothing, since statistics are kept per row group.
 */
function moveSql(hot: readonly HotColumn[]): string {
  const paths = [...PATHS, ...hot.map((_, index) => `$h${index}`)].join(', ');
  const names = [...PROMOTED_PROPERTIES.map(quoteIdentifier), ...hot.map(({ column }) => column)].join(', ');
  const values = [
    ...PATHS.map((_, index) => `p[${index + 1}]`),
    ...hot.map((column, index) => hotValue(column, `p[${PATHS.length + index + 1}]`)),
  ].join(', ');
  return `
INSERT INTO events (${COLUMNS}, ${names})
SELECT ${COLUMNS}, ${values}
FROM (
  SELECT ${COLUMNS}, json_extract_string(properties, [${paths}]) AS p
  FROM events_recent
  WHERE seq <= $cut AND (NOT suspect OR seq NOT IN (SELECT seq FROM late_retries))
)
ORDER BY project_id, event, timestamp, uuid`;
}

/** Events that were sent since, and those of projects that forward no more. */
const FORGET_FORWARDED = `
DELETE FROM forwarding_waiting w
WHERE NOT EXISTS (SELECT 1 FROM forwarding f WHERE f.project_id = w.project_id AND f.position < w.seq)`;

/** What is still to be forwarded loses its seq with the move; history is never forwarded. */
const KEEP_FORWARDED = `
INSERT INTO forwarding_waiting (project_id, seq, uuid, timestamp, received_at)
SELECT project_id, seq, uuid, timestamp, received_at
FROM events_recent JOIN forwarding USING (project_id)
WHERE seq <= $cut AND seq > position AND NOT historical
  AND (NOT suspect OR seq NOT IN (SELECT seq FROM late_retries))`;

export interface Compacted {
  /** Rows taken out of `events_recent`. */
  taken: number;
  /** Rows among them that were late retries of stored events. */
  duplicates: number;
  /** All rows up to this `seq` have left `events_recent`. */
  through: number;
}

/**
 * Moves the oldest rows of `events_recent` into `events`, by event and time and with the typed columns filled, `hot` ones
 * among them: one step in one transaction, while commits go on; none beyond the seq `most`. Returns null when there was nothing
 * to move.
 */
export async function compactStep(
  connection: DuckDBConnection,
  hot: readonly HotColumn[],
  most = Infinity,
): Promise<Compacted | null> {
  const first = (await connection.runAndReadAll('SELECT min(seq) FROM events_recent')).value(0, 0) as
    bigint | null;
  if (first === null || first > most) return null;
  const full = first + BigInt(COMPACTION_ROWS - 1);
  const cut = full > most ? BigInt(most) : full;
  const pointers = Object.fromEntries(hot.map(({ name }, index) => [`h${index}`, propertyPointer(name)]));
  return await inTransaction(connection, async () => {
    await connection.run(FORGET_FORWARDED);
    await insertSelect(connection, KEEP_FORWARDED, { cut });
    const moved = await insertSelect(connection, moveSql(hot), { cut, ...pointers });
    await connection.run(
      'UPDATE events_state SET last_seq = (SELECT max(seq) FROM events_recent WHERE seq <= $cut)',
      { cut },
    );
    const taken = (await connection.run('DELETE FROM events_recent WHERE seq <= $cut', { cut })).rowsChanged;
    return { taken, duplicates: taken - moved, through: Number(cut) };
  });
}
