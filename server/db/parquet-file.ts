import { openForFile } from './open.ts';
import { readChunks } from './read-chunks.ts';

export interface ParquetColumn {
  readonly name: string;
  /** DuckDB's name of its type. */
  readonly type: string;
}

export interface ParquetFile {
  readonly columns: readonly ParquetColumn[];
  readonly rowCount: number;
  /** Each row as the JSON text of an object, in the order of the file. */
  rows(): AsyncIterable<string[]>;
  close(): void;
}

/**
 * Opens a Parquet file, which was written by others, where nothing but this file can be reached. Throws what DuckDB says
 * of a file that is none.
 */
export async function openParquetFile(path: string): Promise<ParquetFile> {
  const { instance, connection } = await openForFile(path);
  try {
    const described = await connection.runAndReadAll('DESCRIBE SELECT * FROM read_parquet($path)', { path });
    const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
    const counted = await connection.runAndReadAll('SELECT num_rows FROM parquet_file_metadata($path)', {
      path,
    });
    return {
      columns,
      rowCount: Number(counted.value(0, 0)),
      async *rows() {
        const sql = `SELECT to_json(row_of_file)::VARCHAR
          FROM (SELECT ${columns.map(jsonColumn).join(', ')} FROM read_parquet($path)) row_of_file`;
        for await (const chunk of readChunks(await connection.stream(sql, { path })))
          yield chunk.getColumnValues(0) as string[];
      },
      close: () => instance.closeSync(),
    };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Times as ISO text; those of no zone stay without one. DuckDB needs an extension to write others. */
function jsonColumn({ name, type }: ParquetColumn): string {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const moment = `make_timestamp(epoch_us(${quoted}))`;
  if (type === 'TIMESTAMP WITH TIME ZONE') return `strftime(${moment}, '%Y-%m-%dT%H:%M:%S.%fZ') AS ${quoted}`;
  if (type.startsWith('TIMESTAMP')) return `strftime(${moment}, '%Y-%m-%dT%H:%M:%S.%f') AS ${quoted}`;
  return quoted;
}
