import { ResultReturnType, type DuckDBDataChunk, type DuckDBResult } from '@duckdb/node-api';

/** The rows of a statement broke off: it failed, or was interrupted, after some of them had been read. */
export class BrokenOffError extends Error {}

/**
 * The chunks of a result, also of one that is computed while it is read. Throws BrokenOffError when that fails: DuckDB
 * ends the chunks there as it does after the last one, and only the type of the result says so.
 */
export async function* readChunks(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk, void> {
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    yield chunk;
  }
  if (result.returnType === ResultReturnType.INVALID)
    throw new BrokenOffError('The statement failed after some of its rows had been read.');
}
