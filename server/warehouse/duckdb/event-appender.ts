import {
  BIGINT,
  BOOLEAN,
  DuckDBDataChunk,
  DuckDBTimestampValue,
  INTEGER,
  TIMESTAMP,
  VARCHAR,
  type DuckDBAppender,
  type DuckDBConnection,
} from '@duckdb/node-api';
import type { EventRow } from './event-row.ts';

/** Rows of one data chunk: DuckDB's vector size. */
const CHUNK_ROWS = 2_048;

/** UUIDs go in as text: the appender's own cast is faster than a value object a row (research: three times at 1k rows). */
const COLUMN_TYPES = [
  BIGINT,
  INTEGER,
  TIMESTAMP,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  TIMESTAMP,
  BOOLEAN,
  BOOLEAN,
];

/** Appends rows to `events_recent` inside the connection's open transaction. */
export interface EventAppender {
  /** `firstSeq` numbers the rows in order; `suspects[i]` marks a row whose UUID may be stored already. Throws when a row does not fit. */
  append(rows: readonly EventRow[], suspects: readonly boolean[], firstSeq: number): void;
  close(): void;
}

/** Makes the appender of one connection; after a failed append a new one must be made. */
export async function createEventAppender(connection: DuckDBConnection): Promise<EventAppender> {
  const appender: DuckDBAppender = await connection.createAppender('events_recent');
  return {
    append(rows, suspects, firstSeq) {
      for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
        appender.appendDataChunk(
          chunkOf(rows, suspects, firstSeq, from, Math.min(rows.length, from + CHUNK_ROWS)),
        );
      }
      appender.flushSync();
    },
    close() {
      appender.closeSync();
    },
  };
}

function chunkOf(
  rows: readonly EventRow[],
  suspects: readonly boolean[],
  firstSeq: number,
  from: number,
  to: number,
): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(COLUMN_TYPES, to - from);
  const vectors = COLUMN_TYPES.map((_, column) => chunk.getColumnVector(column));
  for (let i = from; i < to; i++) {
    const row = rows[i]!;
    const at = i - from;
    vectors[0]!.setItem(at, BigInt(firstSeq + i));
    vectors[1]!.setItem(at, row.projectId);
    vectors[2]!.setItem(at, new DuckDBTimestampValue(BigInt(row.timestamp)));
    vectors[3]!.setItem(at, row.uuid);
    vectors[4]!.setItem(at, row.event);
    vectors[5]!.setItem(at, row.distinctId);
    vectors[6]!.setItem(at, row.properties);
    vectors[7]!.setItem(at, row.elementsChain);
    vectors[8]!.setItem(at, new DuckDBTimestampValue(BigInt(row.receivedAt)));
    vectors[9]!.setItem(at, row.historical);
    vectors[10]!.setItem(at, suspects[i]!);
  }
  for (const vector of vectors) vector.flush();
  return chunk;
}
