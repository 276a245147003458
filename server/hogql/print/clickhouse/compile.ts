import type { Query } from '../../ast.ts';
import { compileWithNotes } from '../../compile.ts';
import type { HogqlContext } from '../../hogql-context.ts';
import { copyTree } from '../../resolve/walk.ts';
import { createQueryPrinter } from './query.ts';

/** A query as ClickHouse runs it. */
export interface ClickhouseQuery {
  /** Values stand as `{p0:String}`. */
  readonly sql: string;
  readonly params: Readonly<Record<string, string>>;
  /** The columns of its rows in their order; types as the compiler found them. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/**
 * Prints a query for ClickHouse, over the tables of a warehouse in `database`. It is compiled for DuckDB first, which checks it
 * and finds the types and sources of its names. Throws HogqlError as `compileHogql` does.
 */
export function compileForClickhouse(
  query: Query,
  context: HogqlContext,
  { database }: { database: string },
): ClickhouseQuery {
  const tree = copyTree(query);
  const { compiled, notes } = compileWithNotes(tree, context);
  const params: Record<string, string> = {};
  const names = new Map<string, string>();
  const printer = createQueryPrinter({
    notes,
    context,
    database,
    bind(value) {
      let name = names.get(value);
      if (name === undefined) {
        name = `p${names.size}`;
        names.set(value, name);
        params[name] = value;
      }
      return `{${name}:String}`;
    },
  });
  const { limit, offset } = compiled;
  const sql = printer.outermost(tree, { limit: limit + 1, offset });
  return { sql, params, columns: compiled.columns };
}
