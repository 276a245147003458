import type { Analytics, Params, QueryOptions, Row } from '../../db/db.ts';
import type { CompiledQuery } from '../../hogql/hogql-context.ts';
import { shownBy } from '../../hogql/shown-value.ts';
import { quoteIdentifier, quoteText } from '../../lib/quote-sql.ts';

/** How the engine would answer a statement, line by line. */
export async function explainStatement(
  analytics: Pick<Analytics, 'all'>,
  sql: string,
  params: Params,
  options: QueryOptions,
): Promise<string[]> {
  const rows = await analytics.all<{ explain_value: string } | { c0: string }>(
    `EXPLAIN ${sql}`,
    params,
    options,
  );
  return rows.flatMap((row) => ('c0' in row ? row.c0 : row.explain_value).split('\n'));
}

/** The rows of a statement, as they are computed, without the one that only says that there are more. */
export async function* streamRows(
  analytics: Pick<Analytics, 'stream'>,
  { sql, params, columns, limit, timezone }: CompiledQuery,
  options: QueryOptions,
): AsyncGenerator<unknown[]> {
  const shows = columns.map(({ shown }) => shownBy(shown, timezone));
  let left = limit;
  for await (const piece of analytics.stream<Row>(sql, params, options)) {
    for (const row of piece.slice(0, left)) {
      yield shows.map((show, at) => {
        const value = row[`c${at}`] ?? null;
        return show === null ? value : show(value);
      });
    }
    left -= piece.length;
    if (left <= 0) return;
  }
}

/** Writes the rows of a statement to a file that is not there yet; `names` are plain. */
export async function copyToParquet(
  analytics: Analytics,
  { sql, params, limit }: CompiledQuery,
  names: readonly string[],
  path: string,
  options: QueryOptions,
): Promise<void> {
  const columns = names.map((name, at) => `c${at} AS ${quoteIdentifier(name)}`).join(', ');
  const rows = `SELECT ${columns} FROM (${sql}) LIMIT ${limit}`;
  await analytics.all(`COPY (${rows}) TO ${quoteText(path)} (FORMAT parquet)`, params, options);
}

/** Makes a Parquet file of objects, one in each line of a file. */
export async function copyJsonToParquet(
  analytics: Analytics,
  lines: string,
  path: string,
  options: QueryOptions,
): Promise<void> {
  const rows = `SELECT * FROM read_json(${quoteText(lines)}, format = 'newline_delimited')`;
  await analytics.all(`COPY (${rows}) TO ${quoteText(path)} (FORMAT parquet)`, {}, options);
}
