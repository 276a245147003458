import type { Analytics, QueryOptions } from '../../db/db.ts';
import { quoteText } from '../../lib/quote-sql.ts';

/** Rows that are in memory while a Parquet file is written. */
const ROW_GROUP = 20_480;

/** Makes a Parquet file of lines of JSON whose members are texts, in their order. */
export async function copyLinesToParquet(
  analytics: Analytics,
  { lines, columns, path }: { lines: string; columns: readonly string[]; path: string },
  options: QueryOptions,
): Promise<void> {
  const types = columns.map((name) => `${quoteText(name)}: 'VARCHAR'`).join(', ');
  const rows = `SELECT * FROM read_json(${quoteText(lines)}, format = 'newline_delimited', columns = {${types}},
    maximum_object_size = 67108864)`;
  await analytics.all(
    `COPY (${rows}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`,
    {},
    options,
  );
}
