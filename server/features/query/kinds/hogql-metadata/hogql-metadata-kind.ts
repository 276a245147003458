import type { output } from 'zod';
import type { Expr, Query } from '../../../../hogql/ast.ts';
import { from, select } from '../../../../hogql/build.ts';
import { HogqlError } from '../../../../hogql/errors.ts';
import { defineKind, type KindContext } from '../../query-kind.ts';
import { fillPlaceholders } from '../hogql/fill-placeholders.ts';
import { hogqlMetadataQuery } from './hogql-metadata.contract.ts';
import { metadataOf } from './metadata-of.ts';

/** What is right and wrong with a text of HogQL, for an editor; nothing is run. */
export const hogqlMetadataKind = defineKind({
  kind: 'HogQLMetadata',
  schema: hogqlMetadataQuery,
  async answer(query, context) {
    let tree: Query | Expr | null = null;
    let problem: HogqlError | null = null;
    try {
      tree = await readText(query, context);
      const { query: text, filters, values, variables } = query;
      const filled = { kind: 'HogQLQuery', query: text, filters, values, variables } as const;
      await context.check(await fillPlaceholders(asQuery(tree), filled, context));
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error;
      problem = error;
    }
    return { results: null, query: query.query, ...metadataOf(tree, problem) };
  },
});

/** Unlike `parse.expression`, which quotes the text, this throws HogqlError with offsets for an expression too. */
async function readText(
  { language, query }: output<typeof hogqlMetadataQuery>,
  { parse }: KindContext,
): Promise<Query | Expr> {
  return language === 'hogQLExpr' ? await parse.located(query) : await parse.select(query);
}

function asQuery(tree: Query | Expr): Query {
  if (tree.node === 'SelectQuery' || tree.node === 'SelectSetQuery') return tree;
  return select({ select: [tree], from: from('events') });
}
