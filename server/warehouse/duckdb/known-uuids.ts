import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { readChunks } from '../../db/read-chunks.ts';
import type { Log } from '../../lib/log.ts';
import type { EventRow } from './event-row.ts';
import { createRecentUuids } from './recent-uuids.ts';
import { createUuidFilter } from './uuid-filter.ts';
import { newUuidWords, readStoredUuid } from './uuid-words.ts';

/** How many of the last events are recognised exactly, from memory. */
const RECENT_LIMIT = 2_000_000;

export type Recognised = 'new' | 'duplicate' | 'suspect';

/**
 * Recognises events that are stored already. The last two million are known exactly; of older ones a filter says
 * "surely new" or "perhaps": a perhaps is stored as a suspect, which queries and compaction settle against the store.
 */
export interface KnownUuids {
  /** Classifies the row and remembers its UUID. */
  recognise(row: EventRow): Recognised;
  /** Takes back the last `count` rows that were not duplicates: their commit failed. */
  takeBack(count: number): void;
  /** Forgets the events of a project, which are gone; of older ones the filter may still say "perhaps". */
  forgetProject(projectId: number): void;
  /** Reads the UUIDs older than the exact memory into the filter, in the background; until then all are suspects. */
  readOlder(): void;
}

/** Rebuilds the memory from the store: the newest two million at once, older ones when `readOlder` is called. */
export async function openKnownUuids(connection: DuckDBConnection, log: Log): Promise<KnownUuids> {
  const filter = createUuidFilter();
  const horizon = await newestReceivedAt(connection, RECENT_LIMIT);
  const recent = createRecentUuids(RECENT_LIMIT, filter.addWords, horizon === null ? 0 : RECENT_LIMIT);
  const words = newUuidWords();

  /** Takes, from each row of a query for `project_id` and `uuid`, the project; `words` hold the UUID. */
  async function read(sql: string, take: (projectId: number) => void): Promise<number> {
    let count = 0;
    for await (const chunk of readChunks(await connection.stream(sql))) {
      const { rowCount } = chunk;
      const [projects, uuids] = [dataOf(chunk, 0, rowCount), dataOf(chunk, 1, rowCount * 4)];
      for (let i = 0; i < rowCount; i++) {
        readStoredUuid(uuids, i, words);
        take(projects[i]!);
      }
      // Asked of the chunk itself: it must live, and its memory with it, until its last row was read.
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
  let older: 'unread' | 'reading' | 'known' = horizon === null ? 'known' : 'unread';

  return {
    recognise(row) {
      if (!row.hasClientUuid) return 'new';
      if (!recent.add(row.projectId, row.uuid)) return 'duplicate';
      return older !== 'known' || filter.mayHave(row.projectId, row.uuid) ? 'suspect' : 'new';
    },
    takeBack: (count) => recent.takeBack(count),
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
 * So many words of 32 bits of a column that is never NULL, as they lie in the engine's memory, for as long as the chunk lives:
 * of millions of rows, making a value of each would take longer than everything else.
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
