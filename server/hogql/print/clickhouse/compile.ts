import type { Query } from '../../ast.ts';
import { compileWithNotes } from '../../compile.ts';
import type { CompiledQuery, HogqlContext } from '../../hogql-context.ts';
import { copyTree } from '../../resolve/walk.ts';
import { visit } from '../../rewrite.ts';
import { createQueryPrinter } from './query.ts';
import { textSql } from './sql-text.ts';

/** A query as ClickHouse runs it: values stand as `{p0:String}`, rows have the columns in their order. */
export interface ClickhouseQuery extends CompiledQuery {
  readonly params: Readonly<Record<string, string>>;
  /** The cohorts that it names: their members must be in the warehouse. */
  readonly cohorts: readonly number[];
}

/** Parameters are in the address of a request, which servers limit: further values are in the text of the statement. */
const MOST_PARAMS = 500;
const MOST_PARAMS_BYTES = 20_000;

/**
 * Prints a query for ClickHouse, over the tables of a warehouse in `database`. It is compiled for DuckDB first, which checks it
 * and finds the types and sources of its names. One that reads what only the file has (`readsStored`) is not printed. Throws
 * HogqlError as `compileHogql` does.
 */
export function compileForClickhouse(
  query: Query,
  context: HogqlContext,
  { database }: { database: string },
): ClickhouseQuery {
  const tree = copyTree(query);
  const cohorts = new Set<number>();
  const { compiled, notes } = compileWithNotes(tree, {
    ...context,
    cohort(idOrName) {
      const found = context.cohort(idOrName);
      if (found !== null) cohorts.add(found.id);
      return found;
    },
    cohortIds() {
      const ids = context.cohortIds?.() ?? [];
      for (const id of ids) cohorts.add(id);
      return ids;
    },
  });
  const params: Record<string, string> = {};
  if (compiled.readsStored) return { ...compiled, params, cohorts: [] };
  const names = new Map<string, string>();
  let bytes = 0;
  const printer = createQueryPrinter({
    notes,
    context,
    database,
    bind(value) {
      let name = names.get(value);
      if (name === undefined) {
        bytes += value.length;
        if (bytes > MOST_PARAMS_BYTES || names.size >= MOST_PARAMS) return textSql(value);
        name = `p${names.size}`;
        names.set(value, name);
        params[name] = value;
      }
      return `{${name}:String}`;
    },
  });
  const { limit, offset } = compiled;
  const sql = printer.outermost(tree, { limit: limit + 1, offset });
  // Joins of insights count on NULL where a row has no match, those of a text have defaults, as in PostHog.
  const nulls = hasBuiltJoin(tree) ? ' SETTINGS join_use_nulls = 1' : '';
  return { ...compiled, sql: sql + nulls, params, cohorts: [...cohorts] };
}

function hasBuiltJoin(query: Query): boolean {
  let isFound = false;
  visit(query, (node) => {
    isFound ||= node.node === 'JoinExpr' && node.joinType !== undefined && node.start === undefined;
  });
  return isFound;
}
