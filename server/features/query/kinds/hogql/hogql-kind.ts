import type { Query } from '../../../../hogql/ast.ts';
import { constant } from '../../../../hogql/build.ts';
import { defineKind } from '../../query-kind.ts';
import { hogqlQuery } from '../table-kinds.contract.ts';
import { fillPlaceholders } from './fill-placeholders.ts';

/** Rows of a text without LIMIT (management contract 9.9). */
const DEFAULT_ROWS = 100;

/** SQL in HogQL (management contract 9.9). */
export const hogqlKind = defineKind({
  kind: 'HogQLQuery',
  schema: hogqlQuery,
  isTable: true,
  async answer(query, context) {
    const parsed = await context.parse.select(query.query);
    const placed = await fillPlaceholders(parsed, query, context);
    const filled = context.isExport ? placed : withLimit(placed);
    const { rows, columns, hasMore, limit, offset } = await context.runQuery(filled);
    return {
      results: rows,
      columns: columns.map(({ name }) => name),
      types: columns.map(({ name, type }) => [name, type]),
      hasMore,
      limit,
      offset,
      query: query.query,
      ...(query.explain === true ? { explain: await context.explain(filled) } : {}),
    };
  },
});

function withLimit(query: Query): Query {
  return query.limit === undefined ? { ...query, limit: constant(DEFAULT_ROWS) } : query;
}
