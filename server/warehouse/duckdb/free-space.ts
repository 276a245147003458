import type { DuckDBConnection } from '@duckdb/node-api';
import { insertSelect } from '../../db/insert-select.ts';

const FILLER = 'erasure_fill';
/** Rows per statement: about 31 MB of random bytes. More than a row group bypasses the write-ahead log. */
const ROWS_AT_ONCE = 4 * 122_880;
const ROW_BYTES = 64;
/** DuckDB keeps its catalog and the statistics of columns in pieces of so many bytes. */
const METADATA_PIECE_BYTES = 4_096;
/** Extra pieces, so that none stays free. */
const MORE_PIECES = 8;

/** Blocks of the file, in the words of PRAGMA database_size. */
export interface FileBlocks {
  blockBytes: number;
  used: number;
  free: number;
}

export async function readFileBlocks(connection: DuckDBConnection): Promise<FileBlocks> {
  const rows = await connection.runAndReadAll(
    `SELECT block_size::DOUBLE, used_blocks::DOUBLE, free_blocks::DOUBLE FROM pragma_database_size()
     WHERE database_name = current_database()`,
  );
  const [blockBytes, used, free] = rows.getRows()[0] as [number, number, number];
  return { blockBytes, used, free };
}

/**
 * Overwrites every free block of the file by filling a table with random bytes until none is free. DuckDB writes a block
 * whole, and marks blocks as free without touching them. False when `mustStop`, or when blocks stay free because a
 * statement still reads them; to be tried again.
 */
export async function fillFreeBlocks(
  connection: DuckDBConnection,
  mustStop: () => boolean,
): Promise<boolean> {
  await connection.run(`CREATE TABLE IF NOT EXISTS ${FILLER} (a UUID, b UUID, c UUID, d UUID)`);
  const { free, blockBytes } = await readFileBlocks(connection);
  const rounds = Math.ceil((free * blockBytes * 1.2) / (ROWS_AT_ONCE * ROW_BYTES)) + 2;
  for (let round = 0; round < rounds; round++) {
    if ((await readFileBlocks(connection)).free === 0) return true;
    if (mustStop()) return false;
    await insertSelect(
      connection,
      `INSERT INTO ${FILLER} SELECT uuid(), uuid(), uuid(), uuid() FROM range(${ROWS_AT_ONCE})`,
    );
  }
  return (await readFileBlocks(connection)).free === 0;
}

/**
 * Makes the next checkpoint overwrite the free pieces inside blocks of metadata, which hold the first eight bytes of the
 * least and greatest texts of former columns: a comment as long as all of them. While no block is free, they are used first.
 */
export async function fillFreeMetadata(connection: DuckDBConnection): Promise<void> {
  const rows = await connection.runAndReadAll(
    'SELECT coalesce(sum(free_blocks), 0)::INTEGER FROM pragma_metadata_info()',
  );
  const bytes = ((rows.value(0, 0) as number) + MORE_PIECES) * METADATA_PIECE_BYTES;
  await connection.run(`COMMENT ON TABLE ${FILLER} IS '${'.'.repeat(bytes)}'`);
}

/** Removes the filler table. */
export async function removeFiller(connection: DuckDBConnection): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${FILLER}`);
}
