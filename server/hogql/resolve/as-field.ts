import type { Expr, Field } from '../ast.ts';

/** The name that an expression is: `properties['$browser']` is another way to write `properties.$browser`. Null for others. */
export function asField(node: Expr): Field | null {
  if (node.node === 'Field') return node;
  if (node.node !== 'ArrayAccess' || node.index.node !== 'Constant') return null;
  if (typeof node.index.value !== 'string') return null;
  const inner = asField(node.array);
  return inner === null ? null : { ...node, node: 'Field', chain: [...inner.chain, node.index.value] };
}
