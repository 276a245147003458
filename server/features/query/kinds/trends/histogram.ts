import type { Expr } from '../../../../hogql/ast.ts';
import { and, call, compare, constant } from '../../../../hogql/build.ts';

/** The names of the bins between edges, such as `[0,4.95]`. The last bin holds its end, the others do not. */
export function binLabels(edges: readonly number[]): string[] {
  if (edges.length === 1) return [labelOf(edges[0]!, edges[0]!)];
  return edges.slice(1).map((end, at) => labelOf(edges[at]!, end));
}

/** The name of the bin in which a number lies; NULL for none. */
export function binOf(number: Expr, edges: readonly number[]): Expr {
  const labels = binLabels(edges);
  const branches = labels.flatMap((label, at) => {
    const start = compare('>=', number, constant(edges[at]!));
    const isLast = at === labels.length - 1;
    const end = compare(isLast ? '<=' : '<', number, constant(edges[at + 1] ?? edges[at]!));
    return [and(start, end), constant(label)];
  });
  return labels.length === 0 ? constant(null) : call('multiIf', ...branches, constant(null));
}

function labelOf(start: number, end: number): string {
  return `[${start},${end}]`;
}
