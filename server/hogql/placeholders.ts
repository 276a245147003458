import type { Expr, Placeholder, Query } from './ast.ts';
import { HogqlError } from './errors.ts';
import { rewrite, visit } from './rewrite.ts';

/** Returns the value of a placeholder; throws a HogqlError for an unknown one. */
export type PlaceholderResolver = (placeholder: Placeholder) => Expr;

/** A query with every `{name}` replaced; what it consists of is shared with the one given. */
export function replacePlaceholders<Part extends Query | Expr>(
  query: Part,
  resolve: PlaceholderResolver,
): Part {
  return rewrite(query, (node, parent) => {
    if (node.node !== 'Placeholder') return node;
    const replaced = resolve(node);
    const needsTable = parent === 'table';
    const isQuery = replaced.node === 'SelectQuery' || replaced.node === 'SelectSetQuery';
    if (needsTable && !isQuery && replaced.node !== 'Field')
      throw new HogqlError(`{${node.chain.join('.')}} is not a table or a query.`, node);
    if (parent === 'query' && !isQuery)
      throw new HogqlError(`{${node.chain.join('.')}} is not a query.`, node);
    return replaced;
  });
}

/** The names in braces of a query, each once. */
export function placeholdersOf(query: Query | Expr): string[][] {
  const found = new Map<string, string[]>();
  visit(query, (node) => {
    if (node.node === 'Placeholder') found.set(node.chain.join('.'), node.chain);
  });
  return [...found.values()];
}
