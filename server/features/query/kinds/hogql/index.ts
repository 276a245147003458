import type { Query } from '../../../../hogql/ast.ts';
import { constant } from '../../../../hogql/build.ts';
import { defineKind } from '../../query-kind.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { hogqlQuery } from './schema.ts';

/** Rows of a text without LIMIT (management contract 9.9). */
const DEFAULT_ROWS = 100;

/** SQL in HogQL (management contract 9.9). */
export const hogqlKind = defineKind({
  kind: 'HogQLQuery',
  role: 'table',
  schema: hogqlQuery,
  async plan(query, context) {
    const parsed = await context.parse.select(query.query);
    const filled = await fillPlaceholders(parsed, query, context);
    return { query, tree: context.isExport ? filled : withLimit(filled) };
  },
  table: ({ tree }) => tree,
  async answer({ query, tree }, context) {
    const { rows, columns, hasMore, limit, offset } = await context.runQuery(tree);
    return {
      results: rows,
      columns: columns.map(({ name }) => name),
      types: columns.map(({ name, type }) => [name, type]),
      hasMore,
      limit,
      offset,
      query: query.query,
      ...(query.explain === true ? { explain: await context.explain(tree) } : {}),
    };
  },
});

function withLimit(query: Query): Query {
  return query.limit === undefined ? { ...query, limit: constant(DEFAULT_ROWS) } : query;
}
