import type { Expr, Node, Query } from './ast.ts';

/** The position of a node: as a value, as a table of FROM, or as a query. */
export type Position = 'expression' | 'table' | 'query';

/** The parts of nodes that must hold a query or table. */
const POSITIONS: Readonly<Record<string, Position>> = { table: 'table', first: 'query', query: 'query' };

/**
 * A tree with each of its expressions, queries and tables replaced by what `replace` makes of it, the inner ones first.
 * What does not change is shared with the tree that was given.
 */
export function rewrite<Part extends Query | Expr>(
  tree: Part,
  replace: (node: Node, position: Position) => Node,
): Part {
  function walk(value: unknown, position: Position): unknown {
    if (Array.isArray(value)) {
      const walked = value.map((item) => walk(item, position));
      return walked.some((item, index) => item !== value[index]) ? walked : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    let changed: Record<string, unknown> | null = null;
    for (const [key, part] of Object.entries(value)) {
      if (typeof part !== 'object' || part === null) continue;
      const walked = walk(part, POSITIONS[key] ?? 'expression');
      if (walked !== part) (changed ??= { ...value })[key] = walked;
    }
    const node = (changed ?? value) as Node;
    return typeof node.node === 'string' ? replace(node, position) : node;
  }
  return walk(tree, 'expression') as Part;
}

/** Shows each node of a tree, the inner ones first. */
export function visit(tree: Query | Expr, see: (node: Node) => void): void {
  rewrite(tree, (node) => {
    see(node);
    return node;
  });
}
