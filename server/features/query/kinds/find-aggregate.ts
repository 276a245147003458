import type { Expr } from '../../../hogql/ast.ts';
import { findFunction } from '../../../hogql/functions/find-function.ts';

/** Whether an expression makes one value of many rows. */
export function isAggregate(expr: Expr): boolean {
  return holds(expr);
}

function holds(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if (Array.isArray(part)) return part.some(holds);
  const { node, name } = part as { node?: string; name?: string };
  // A query of its own, and a window over rows that stay, aggregate nothing here.
  if (node === 'SelectQuery' || node === 'SelectSetQuery' || node === 'WindowFunction') return false;
  if (node === 'Call' && findFunction(name!)?.aggregate === true) return true;
  return Object.values(part).some(holds);
}
