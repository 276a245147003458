import type { Alias, Compare, Expr, Located, Query } from '../ast.ts';
import { HogqlError } from '../errors.ts';

type AnyNode = { readonly node?: unknown };

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null;
}

/** Visits a part of a query and what is in it, outer parts first; `visit` says whether to go in. */
function walk(part: unknown, visit: (part: AnyNode) => boolean): void {
  if (Array.isArray(part)) {
    for (const one of part) walk(one, visit);
    return;
  }
  if (!isNode(part) || !visit(part)) return;
  for (const one of Object.values(part)) if (isNode(one)) walk(one, visit);
}

/** A tree in which no node occurs twice. */
export function copyTree<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(copyTree) as Part;
  if (!isNode(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, copyTree(one)])) as Part;
}

/** Levels of a tree: of expressions, and of queries inside of queries. */
const DEEPEST = 400;

/** Refuses a tree that is too deep to be looked at: each that reads it calls itself for the next level. */
export function refuseDeep(part: unknown, level = 0): void {
  if (!isNode(part)) return;
  if (level > DEEPEST) throw new HogqlError('The query is nested too deeply.', part as Located);
  const below = typeof part.node === 'string' ? level + 1 : level;
  for (const one of Object.values(part)) refuseDeep(one, below);
}

/** The aliases that expressions give, outermost first; those of queries and lambdas inside are their own. */
export function aliasesIn(exprs: readonly Expr[]): Alias[] {
  const found: Alias[] = [];
  walk(exprs, (part) => {
    const { node } = part as Expr;
    if (node === 'Alias') found.push(part as Alias);
    return node !== 'SelectQuery' && node !== 'SelectSetQuery' && node !== 'Lambda';
  });
  return found;
}

/** How often queries of WITH, or tables, are read by each name: in FROM, and after IN. */
export function tableUses(query: Query): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  walk(query, (part) => {
    if (part.node === 'JoinExpr') {
      const { table } = part as { table: { node: string; chain?: string[] } };
      if (table.node === 'Field') {
        const name = table.chain!.join('.');
        uses.set(name, (uses.get(name) ?? 0) + 1);
      }
    }
    const { node, op, right } = part as Partial<Compare>;
    if (node === 'Compare' && (op === 'in' || op === 'not in') && right?.node === 'Field') {
      const name = right.chain.join('.');
      uses.set(name, (uses.get(name) ?? 0) + 1);
    }
    return true;
  });
  return uses;
}
