import type { Cte, Query } from '../../ast.ts';
import { refuse, type NamedQuery, type Place } from '../../resolve/scope.ts';
import { tableUses } from '../../resolve/walk.ts';

/**
 * The queries of WITH, each of which sees those before it. A query that is read once is inlined where it is read, so
 * that DuckDB plans both as one; others get a name of their own.
 */
export function namedQueries(
  query: Query,
  { queries: known, statement, printer }: Place,
): { queries: Map<string, NamedQuery>; text: string } {
  const queries = new Map(known);
  const uses =
    query.ctes === undefined || query.ctes.length === 0 ? new Map<string, number>() : tableUses(query);
  const texts: string[] = [];
  for (const cte of query.ctes ?? []) {
    if (cte.kind !== 'query') continue;
    const printed = printCte(cte, queries, { printer, statement });
    const isOnce = (uses.get(cte.name) ?? 0) <= 1;
    const name = statement.fresh('w');
    if (!isOnce) texts.push(`${name} AS ${cte.kept === true ? 'MATERIALIZED ' : ''}(${printed.sql})`);
    queries.set(cte.name, {
      columns: printed.columns,
      from: isOnce ? `(${printed.sql})` : name,
      // One that is kept is planned and computed once.
      expandedLength: isOnce || cte.kept === true ? 0 : printed.expandedLength,
    });
  }
  return { queries, text: texts.length === 0 ? '' : `WITH ${texts.join(', ')} ` };
}

function printCte(
  cte: Extract<Cte, { kind: 'query' }>,
  queries: ReadonlyMap<string, NamedQuery>,
  { printer, statement }: Pick<Place, 'printer' | 'statement'>,
) {
  const { query } = cte;
  if (query.node === 'Placeholder') return refuse(`{${query.chain.join('.')}} has no value here.`, query);
  if (cte.recursive === true && (tableUses(query).get(cte.name) ?? 0) > 0) {
    return refuse('Recursive queries (WITH RECURSIVE) are not supported.', cte);
  }
  const { printed, expandedLength } = statement.measuring(() => printer.query(query, null, queries));
  const { sql, columns } = printed;
  const names = cte.columns ?? columns.map((column) => column.name);
  if (names.length !== columns.length)
    return refuse(`"${cte.name}" has ${columns.length} columns, but ${names.length} column names.`, cte);
  return { sql, expandedLength, columns: columns.map((column, at) => ({ ...column, name: names[at]! })) };
}
