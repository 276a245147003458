import type { Query } from '../../server/hogql/ast.ts';
import type { Store } from '../../server/db/client.ts';
import { compileForClickhouse } from '../../server/hogql/print/clickhouse/compile.ts';
import { askHogql, testHogqlContext, type AskOptions } from '../support/ask-hogql.ts';
import { parseHogql } from '../support/parse-hogql.ts';
import type { Clickhouse } from './clickhouse.ts';
import { plainRows, sortedRows } from './same-rows.ts';

/** The database of ClickHouse that holds the project of a test. */
export const DATABASE = 'burrow';

/**
 * Asks Burrow and ClickHouse the same query. Null when they agree (rows in order where the query orders them); else what
 * each answers, or why one of them does not.
 */
export async function askBoth(
  { store, clickhouse }: { store: Store; clickhouse: Clickhouse },
  query: string | Query,
  options: AskOptions = {},
): Promise<string | null> {
  const tree = typeof query === 'string' ? await parseHogql(query) : query;
  const mine = await askHogql(store, tree, options).catch((error: unknown) => String(error).slice(0, 300));
  if (typeof mine === 'string') return `Burrow: ${mine}`;
  let sql = '';
  try {
    const printed = compileForClickhouse(tree, testHogqlContext(options), { database: DATABASE });
    sql = printed.sql;
    const judged = await clickhouse.run(sql, printed.params);
    const rows = judged.rows.slice(0, mine.compiled.limit);
    const isOrdered = tree.node === 'SelectQuery' && tree.orderBy !== undefined;
    const [a, b] = [
      plainRows({ types: judged.types, rows: mine.results }),
      plainRows({ ...judged, rows }),
    ].map((one) => JSON.stringify(isOrdered ? one : sortedRows(one)));
    return a === b ? null : `Burrow ${a!.slice(0, 300)}, ClickHouse ${b!.slice(0, 300)}`;
  } catch (error) {
    return `ClickHouse: ${String(error).slice(0, 400)} -- ${sql.slice(0, 600)}`;
  }
}
