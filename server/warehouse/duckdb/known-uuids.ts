import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { readChunks } from '../../db/read-chunks.ts';
import type { Log } from '../../lib/log.ts';
import type { EventRow } from './event-row.ts';
import { createRecentUuids } from './recent-uuids.ts';
import { createUuidFilter } from './uuid-filter.ts';
import { newUuidWords, readStoredUuid } from './uuid-words.ts';

/** Number of recent events whose UUIDs are known exactly. */
const RECENT_LIMIT = 2_000_000;

export type Recognised = 'new' | 'duplicate' | 'suspect';

/**
 * Detects events that are already stored. The last two million UUIDs are known exactly; for older ones a filter
 * returns "surely new" or "perhaps". A "perhaps" is stored as a suspect, which queries and compaction check against
 * the store.
 */
export interface KnownUuids {
  /**
   * Classifies the row and remembers its UUID. One that the server gave is never a retry, but may come again in a file that was
   * exported here.
   */
  classify(row: EventRow): Recognised;
  /** UUIDs remembered so far. */
  readonly remembered: number;
  /** Forgets the last `count` UUIDs that were remembered, after their commit failed. */
  forgetLast(count: number): void;
  /** Forgets the events of a deleted project; for older ones the filter may still return "perhaps". */
  forgetProject(projectId: number): void;
  /** Reads the UUIDs older than the exact memory into the filter, in the background; until then all are suspects. */
  readOlder(): void;
}

/**
 * Loads the known UUIDs from the store: the newest two million immediately, older ones when `readOlder` is called.
 */
export async function openKnownUuids(connection: DuckDBConnection, log: Log): Promise<KnownUuids> {
  const filter = createUuidFilter();
  const horizon = await newestReceivedAt(connection, RECENT_LIMIT);
  const recent = createRecentUuids(RECENT_LIMIT, filter.addWords, horizon === null ? 0 : RECENT_LIMIT);
  const words = newUuidWords();

  /** Calls `take` with the project of each row; `words` hold its UUID. */
  async function read(sql: string, take: (projectId: number) => void): Promise<number> {
    let count = 0;
    for await (const chunk of readChunks(await connection.stream(sql))) {
      const { rowCount } = chunk;
      const [projects, uuids] = [dataOf(chunk, 0, rowCount), dataOf(chunk, 1, rowCount * 4)];
      for (let i = 0; i < rowCount; i++) {
        readStoredUuid(uuids, i, words);
        take(projects[i]!);
      }
      // Keeps a reference to the chunk: its memory is valid until its last row was read.
      count += chunk.rowCount;
    }
    return count;
  }

  await read(
    `SELECT project_id, uuid FROM events WHERE received_at >= ${horizon ?? "'-infinity'"}::TIMESTAMP`,
    (projectId) => recent.addWords(projectId, words),
  );
  await read('SELECT project_id, uuid FROM events_recent ORDER BY seq', (projectId) =>
    recent.addWords(projectId, words),
  );
  let remembered = 0;
  let older: 'unread' | 'reading' | 'known' = horizon === null ? 'known' : 'unread';

  return {
    classify(row) {
      const isNew = recent.add(row.projectId, row.uuid);
      if (isNew) remembered++;
      if (!row.hasClientUuid) return 'new';
      if (!isNew) return 'duplicate';
      return older !== 'known' || filter.mayHave(row.projectId, row.uuid) ? 'suspect' : 'new';
    },
    get remembered() {
      return remembered;
    },
    forgetLast: (count) => recent.forgetLast(count),
    forgetProject: (projectId) => recent.forgetProject(projectId),
    readOlder() {
      if (older !== 'unread') return;
      older = 'reading';
      read(`SELECT project_id, uuid FROM events WHERE received_at < ${horizon}::TIMESTAMP`, (projectId) =>
        filter.addWords(projectId, words),
      ).then(
        (count) => {
          older = 'known';
          log.debug({ count, bytes: filter.bytes }, 'The filter of older event UUIDs is ready');
        },
        (error: unknown) =>
          log.warn({ error: String(error) }, 'Older event UUIDs could not be read; compaction settles them'),
      );
    },
  };
}

/**
 * The 32-bit words of a non-null column in DuckDB's own memory, valid as long as the chunk is alive. Creating a value
 * object for each of millions of rows would dominate the start.
 */
function dataOf({ chunk }: DuckDBDataChunk, column: number, words: number): Uint32Array {
  const { buffer, byteOffset } = duckdb.vector_get_data(
    duckdb.data_chunk_get_vector(chunk, column),
    words * Uint32Array.BYTES_PER_ELEMENT,
  );
  return new Uint32Array(buffer, byteOffset, words);
}

/** The receiving time (as a quoted SQL literal) since which at most `limit` events came, or null when all of them did. */
async function newestReceivedAt(connection: DuckDBConnection, limit: number): Promise<string | null> {
  const rows = await connection.runAndReadAll(
    `SELECT received_at::VARCHAR FROM events ORDER BY received_at DESC LIMIT 1 OFFSET ${limit}`,
  );
  return rows.currentRowCount === 0 ? null : `'${String(rows.value(0, 0))}'`;
}
