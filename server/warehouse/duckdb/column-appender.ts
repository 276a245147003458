import type { DuckDBConnection } from '@duckdb/node-api';
import { BIGINT, BOOLEAN, DuckDBDataChunk, INTEGER, TIMESTAMP, UUID, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { newUuidWords, readUuid, storeUuid } from './uuid-words.ts';

/** Rows of one data chunk: DuckDB's vector size. */
const CHUNK_ROWS = 2_048;
const TWO_TO_32 = 4_294_967_296;

const TYPES = { BIGINT, BOOLEAN, INTEGER, TIMESTAMP, UUID, VARCHAR } as const;

/** The kind of a column; TIMESTAMP takes Unix microseconds, UUID canonical text. */
export type ColumnKind = keyof typeof TYPES;
export type Cell = number | string | boolean;

/** Appends whole rows to one table inside the connection's open transaction. */
export interface ColumnAppender {
  /** Rows with their cells in the order of the table's columns. Throws when one does not fit. */
  append(rows: readonly (readonly Cell[])[]): void;
  close(): void;
}

/**
 * Creates the appender of one table, for columns that are never NULL; after a failed append the table needs a new
 * one. Whole vectors are written through DuckDB's C API: a value object for each cell would cost most of a commit.
 */
export async function createColumnAppender(
  connection: DuckDBConnection,
  table: string,
  kinds: readonly ColumnKind[],
): Promise<ColumnAppender> {
  const appender = await connection.createAppender(table);
  const chunk = duckdb.create_data_chunk(kinds.map((kind) => TYPES[kind].toLogicalType().logical_type));
  const wrapped = new DuckDBDataChunk(chunk);
  const words = new Uint32Array(CHUNK_ROWS * 4);
  const uuid = newUuidWords();

  function fill(rows: readonly (readonly Cell[])[], from: number, count: number): void {
    duckdb.data_chunk_reset(chunk);
    duckdb.data_chunk_set_size(chunk, count);
    kinds.forEach((kind, column) => {
      const vector = duckdb.data_chunk_get_vector(chunk, column);
      if (kind === 'VARCHAR') {
        for (let i = 0; i < count; i++) {
          duckdb.vector_assign_string_element(vector, i, rows[from + i]![column] as string);
        }
        return;
      }
      const write = WRITERS[kind];
      for (let i = 0; i < count; i++) write.put(words, i, rows[from + i]![column]!, uuid);
      const source = kind === 'BOOLEAN' ? Uint8Array.from(words.subarray(0, count)) : words;
      duckdb.copy_data_to_vector(vector, 0, source.buffer as ArrayBuffer, 0, count * write.bytes);
    });
  }

  return {
    append(rows) {
      for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
        fill(rows, from, Math.min(CHUNK_ROWS, rows.length - from));
        appender.appendDataChunk(wrapped);
      }
      appender.flushSync();
    },
    close() {
      // Rows left over from a failed append would otherwise be written into whatever transaction is open when the
      // appender is closed or garbage-collected.
      appender.clear();
      appender.closeSync();
    },
  };
}

interface Writer {
  bytes: number;
  put(words: Uint32Array, index: number, cell: Cell, uuid: ReturnType<typeof newUuidWords>): void;
}

const WORD: Writer['put'] = (words, index, cell) => (words[index] = Number(cell));
const LONG: Writer['put'] = (words, index, cell) => {
  words[index * 2] = cell as number;
  words[index * 2 + 1] = Math.floor((cell as number) / TWO_TO_32);
};

const WRITERS: Readonly<Record<Exclude<ColumnKind, 'VARCHAR'>, Writer>> = {
  BOOLEAN: { bytes: 1, put: WORD },
  INTEGER: { bytes: 4, put: WORD },
  BIGINT: { bytes: 8, put: LONG },
  TIMESTAMP: { bytes: 8, put: LONG },
  UUID: {
    bytes: 16,
    put(words, index, cell, uuid) {
      readUuid(cell as string, uuid);
      storeUuid(uuid, words, index);
    },
  },
};
