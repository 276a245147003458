import type { Expr, JoinExpr, Located, Query } from '../../../../hogql/ast.ts';
import type { HogqlError } from '../../../../hogql/errors.ts';
import { visit } from '../../../../hogql/rewrite.ts';
import type { HogqlNotice } from './hogql-metadata.contract.ts';

/** What an editor shows of a text. */
export interface HogqlMetadata {
  isValid: boolean;
  errors: HogqlNotice[];
  warnings: HogqlNotice[];
  notices: HogqlNotice[];
  /** Tables of the product that the text names, each once. */
  table_names: string[];
}

/** Remarks on what was read of a text (null: nothing) and on what was wrong with it (null: nothing). */
export function metadataOf(tree: Query | Expr | null, problem: HogqlError | null): HogqlMetadata {
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
