import type { Constant, FrameBound, Window } from '../../ast.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';

/** The content of the brackets of OVER. */
export function windowSql({ partitionBy, orderBy, frame }: Window, scope: Scope): string {
  const { printer } = scope.select;
  const parts: string[] = [];
  if (partitionBy && partitionBy.length > 0) {
    parts.push(`PARTITION BY ${partitionBy.map((expr) => printer.expression(expr, scope).sql).join(', ')}`);
  }
  if (orderBy && orderBy.length > 0) {
    const orders = orderBy.map(
      (one) => `${printer.expression(one.expr, scope).sql} ${one.order} NULLS ${one.nulls ?? 'LAST'}`,
    );
    parts.push(`ORDER BY ${orders.join(', ')}`);
  }
  if (frame !== undefined) {
    const start = boundSql(frame.start, scope);
    parts.push(
      `${frame.method} ${frame.end === undefined ? start : `BETWEEN ${start} AND ${boundSql(frame.end, scope)}`}`,
    );
  }
  return parts.join(' ');
}

function boundSql(bound: FrameBound, scope: Scope): string {
  if (bound.kind === 'CURRENT ROW') return 'CURRENT ROW';
  if (bound.value === undefined) return `UNBOUNDED ${bound.kind}`;
  const { node, value } = bound.value as Constant;
  if (node === 'Constant' && typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    return `${value} ${bound.kind}`;
  }
  if (node === 'Constant') return refuse('Window frame bounds must be whole numbers.', bound.value);
  return `${scope.select.printer.expression(bound.value, scope).sql} ${bound.kind}`;
}
