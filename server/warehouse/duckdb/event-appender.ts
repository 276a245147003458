import type { DuckDBConnection } from '@duckdb/node-api';
import { BIGINT, BOOLEAN, DuckDBDataChunk, INTEGER, TIMESTAMP, UUID, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { EventRow } from './event-row.ts';
import { createSliceWriter } from './json-slice.ts';
import { newUuidWords, readUuid, storeUuid } from './uuid-words.ts';

/** Rows of one data chunk: DuckDB's vector size. */
const CHUNK_ROWS = 2_048;
const TWO_TO_32 = 4_294_967_296;

/** In the order of the columns of `events_recent`. */
const COLUMN_TYPES = [
  BIGINT,
  INTEGER,
  TIMESTAMP,
  UUID,
  VARCHAR,
  VARCHAR,
  INTEGER,
  VARCHAR,
  VARCHAR,
  TIMESTAMP,
  BOOLEAN,
  BOOLEAN,
];
const [
  SEQ,
  PROJECT,
  TIME,
  ID,
  EVENT,
  DISTINCT_ID,
  PERSON,
  PROPERTIES,
  ELEMENTS,
  RECEIVED,
  HISTORICAL,
  SUSPECT,
] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;

/** Appends rows to `events_recent` inside the connection's open transaction. */
export interface EventAppender {
  /**
   * `firstSeq` numbers the rows in order; `suspects[i]` marks a row whose UUID may be stored already. Throws when a row
   * does not fit.
   */
  append(rows: readonly EventRow[], suspects: readonly boolean[], firstSeq: number): void;
  close(): void;
}

/**
 * Creates the appender of one connection; after a failed append the connection needs a new one. It fills the vectors
 * of one reused chunk by DuckDB's C API, because a value object for each cell of each row costs more than all the
 * rest of the way from the socket to the disk.
 */
export async function createEventAppender(connection: DuckDBConnection): Promise<EventAppender> {
  const appender = await connection.createAppender('events_recent');
  const chunk = duckdb.create_data_chunk(COLUMN_TYPES.map((type) => type.toLogicalType().logical_type));
  const wrapped = new DuckDBDataChunk(chunk);
  const numbers = new Uint32Array(CHUNK_ROWS * 2);
  const words = new Uint32Array(CHUNK_ROWS * 4);
  const flags = new Uint8Array(CHUNK_ROWS);
  const uuid = newUuidWords();
  const writeSlice = createSliceWriter();

  function fill(
    rows: readonly EventRow[],
    suspects: readonly boolean[],
    firstSeq: number,
    from: number,
    to: number,
  ): void {
    const count = to - from;
    duckdb.data_chunk_reset(chunk);
    duckdb.data_chunk_set_size(chunk, count);
    const vectors = COLUMN_TYPES.map((_, column) => duckdb.data_chunk_get_vector(chunk, column));

    for (let i = 0; i < count; i++) putInt64(numbers, i, firstSeq + from + i);
    copy(vectors[SEQ]!, numbers, count * 8);
    for (let i = 0; i < count; i++) numbers[i] = rows[from + i]!.projectId;
    copy(vectors[PROJECT]!, numbers, count * 4);
    for (let i = 0; i < count; i++) numbers[i] = rows[from + i]!.personId;
    copy(vectors[PERSON]!, numbers, count * 4);
    for (let i = 0; i < count; i++) putInt64(numbers, i, rows[from + i]!.timestamp);
    copy(vectors[TIME]!, numbers, count * 8);
    for (let i = 0; i < count; i++) putInt64(numbers, i, rows[from + i]!.receivedAt);
    copy(vectors[RECEIVED]!, numbers, count * 8);
    for (let i = 0; i < count; i++) {
      readUuid(rows[from + i]!.uuid, uuid);
      storeUuid(uuid, words, i);
    }
    copy(vectors[ID]!, words, count * 16);
    for (let i = 0; i < count; i++) flags[i] = rows[from + i]!.historical ? 1 : 0;
    copy(vectors[HISTORICAL]!, flags, count);
    for (let i = 0; i < count; i++) flags[i] = suspects[from + i]! ? 1 : 0;
    copy(vectors[SUSPECT]!, flags, count);
    for (let i = 0; i < count; i++) {
      const row = rows[from + i]!;
      duckdb.vector_assign_string_element(vectors[EVENT]!, i, row.event);
      duckdb.vector_assign_string_element(vectors[DISTINCT_ID]!, i, row.distinctId);
      if (typeof row.properties === 'string') {
        duckdb.vector_assign_string_element(vectors[PROPERTIES]!, i, row.properties);
      } else duckdb.vector_assign_string_element_len(vectors[PROPERTIES]!, i, writeSlice(row.properties));
    }
    putElements(vectors[ELEMENTS]!, rows, from, count);
  }

  function putElements(vector: duckdb.Vector, rows: readonly EventRow[], from: number, count: number): void {
    const validity = new Uint32Array(CHUNK_ROWS / 32);
    for (let i = 0; i < count; i++) {
      const chain = rows[from + i]!.elementsChain;
      if (chain === null) continue;
      validity[i >>> 5]! |= 1 << (i & 31);
      // By length: a chain may hold a NUL, which ends a C string.
      duckdb.vector_assign_string_element_len(vector, i, Buffer.from(chain));
    }
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, validity.byteLength);
  }

  return {
    append(rows, suspects, firstSeq) {
      for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
        fill(rows, suspects, firstSeq, from, Math.min(rows.length, from + CHUNK_ROWS));
        appender.appendDataChunk(wrapped);
      }
      appender.flushSync();
    },
    close() {
      // What a failed append has left would be written by closing, or much later by the garbage collector, into
      // whatever transaction is open then.
      appender.clear();
      appender.closeSync();
    },
  };
}

/** A whole number as a little-endian 64-bit integer; exact as far as the double is. */
function putInt64(words: Uint32Array, index: number, value: number): void {
  words[index * 2] = value;
  words[index * 2 + 1] = Math.floor(value / TWO_TO_32);
}

function copy(vector: duckdb.Vector, source: Uint32Array | Uint8Array, bytes: number): void {
  duckdb.copy_data_to_vector(vector, 0, source.buffer as ArrayBuffer, 0, bytes);
}
