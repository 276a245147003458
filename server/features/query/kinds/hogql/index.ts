import type { output } from 'zod';
import type { Query } from '../../../../hogql/ast.ts';
import { constant } from '../../../../hogql/build.ts';
import { defineKind, type KindContext } from '../../query-kind.ts';
import { hogqlQuery } from '../table-kinds.contract.ts';
import { fillPlaceholders } from './fill-placeholders.ts';

/** Rows of a text without LIMIT (management contract 9.9). */
const DEFAULT_ROWS = 100;

/** SQL in HogQL (management contract 9.9). */
export const hogqlKind = defineKind({
  kind: 'HogQLQuery',
  schema: hogqlQuery,
  table,
  async answer(query, context) {
    const filled = await table(query, context);
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

async function table(query: output<typeof hogqlQuery>, context: KindContext): Promise<Query> {
  const parsed = await context.parse.select(query.query);
  const filled = await fillPlaceholders(parsed, query, context);
  return context.isExport ? filled : withLimit(filled);
}

function withLimit(query: Query): Query {
  return query.limit === undefined ? { ...query, limit: constant(DEFAULT_ROWS) } : query;
}
