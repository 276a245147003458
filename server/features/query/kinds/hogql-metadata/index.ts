import { type output, z } from 'zod';
import type { Expr, Query, JoinExpr, Located } from '../../../../hogql/ast.ts';
import { from, select } from '../../../../hogql/build.ts';
import { HogqlError } from '../../../../hogql/errors.ts';
import { defineKind, type KindContext } from '../../query-kind.ts';
import { fillPlaceholders } from '../hogql/fill-placeholders.ts';
import type { HogqlNotice } from './hogql-metadata.contract.ts';
import { visit } from '../../../../hogql/rewrite.ts';
import { describe, ON_EVERY_NODE } from '../../node-schema.ts';
import { hogqlQuery } from '../hogql/schema.ts';

/** What an editor shows of a text. */
interface HogqlMetadata {
  isValid: boolean;
  errors: HogqlNotice[];
  warnings: HogqlNotice[];
  notices: HogqlNotice[];
  /** Tables of the product that the text names, each once. */
  table_names: string[];
}

/** Remarks on what was read of a text (null: nothing) and on what was wrong with it (null: nothing). */
function metadataOf(tree: Query | Expr | null, problem: HogqlError | null): HogqlMetadata {
  const warnings: HogqlNotice[] = [];
  const tables = new Set<string>();
  const own = new Set<string>();
  if (tree !== null)
    visit(tree, (node) => {
      if (node.node === 'Cte' && node.kind === 'query') own.add(node.name);
      if (node.node !== 'JoinExpr') return;
      if (node.table.node === 'Field') tables.add(node.table.chain.join('.'));
      if (isProduct(node))
        warnings.push(
          noticeAt(
            'This join has no condition: every row is joined with every row of this table.',
            node.table,
          ),
        );
    });
  return {
    isValid: problem === null,
    errors: problem === null ? [] : [noticeOf(problem)],
    warnings,
    notices: tree === null ? [] : noticesOf(tree),
    table_names: [...tables].filter((name) => !own.has(name)),
  };
}

function isProduct({ joinType, constraint, table }: JoinExpr): boolean {
  return joinType === 'CROSS JOIN' && constraint === undefined && table.node === 'Field';
}

function noticesOf(tree: Query | Expr): HogqlNotice[] {
  if (tree.node !== 'SelectQuery' || tree.from === undefined || tree.limit !== undefined) return [];
  return [noticeAt('Without LIMIT, only the first 100 rows are returned.', {})];
}

function noticeOf({ message, start, end }: HogqlError): HogqlNotice {
  return { message, start, end };
}

function noticeAt(message: string, { start, end }: Located): HogqlNotice {
  return { message, start: start ?? null, end: end ?? null };
}

/** The query of an editor about a text while it is written. */
const hogqlMetadataQuery = describe(
  z.looseObject({
    kind: z.literal('HogQLMetadata'),
    /** A query, or an expression over events. */
    language: z.enum(['hogQL', 'hogQLExpr']).nullish(),
    query: z.string(),
    filters: hogqlQuery.shape.filters,
    values: hogqlQuery.shape.values,
    variables: hogqlQuery.shape.variables,
  }),
  {
    name: 'HogQLMetadata',
    withoutEffect: ON_EVERY_NODE,
    notSupported: ['connectionId', 'sourceQuery', 'globals', 'debug'],
  },
);

/** What is right and wrong with a text of HogQL, for an editor; nothing is run. */
export const hogqlMetadataKind = defineKind({
  kind: 'HogQLMetadata',
  role: 'tool',
  schema: hogqlMetadataQuery,
  plan: async (query) => query,
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
