import type { Compare, Expr } from '../../ast.ts';
import type { Scope } from '../../resolve/scope.ts';
import type { Range } from '../../resolve/source.ts';
import { visit } from '../../rewrite.ts';
import { printCondition } from './expression.ts';

/** How a comparison reads with its sides exchanged. */
const MIRRORED = { '>': '<', '>=': '<=', '<': '>', '<=': '>=', '==': '==' } as const;

/**
 * Those conditions of a WHERE, all of which must hold, that compare a column with what no row decides. They are printed
 * already: this prints them again, each by itself.
 */
export function rangesIn(where: Expr, scope: Scope): Range[] {
  if (where.node === 'And') return where.exprs.flatMap((part) => rangesIn(part, scope));
  const found = where.node === 'Compare' ? comparedColumn(where) : null;
  if (found !== null) return [rangeOf(where, found.column, found.isOpening, scope)];
  if (where.node !== 'Between' || where.negated === true) return [];
  const isRange = where.expr.node === 'Field' && isFree(where.low) && isFree(where.high);
  return isRange ? [rangeOf(where, where.expr, true, scope)] : [];
}

function comparedColumn({ op, left, right }: Compare): { column: Expr; isOpening: boolean } | null {
  if (!Object.hasOwn(MIRRORED, op)) return null;
  const sign = op as keyof typeof MIRRORED;
  if (left.node === 'Field' && isFree(right)) return { column: left, isOpening: isLowerBound(sign) };
  if (right.node === 'Field' && isFree(left))
    return { column: right, isOpening: isLowerBound(MIRRORED[sign]) };
  return null;
}

function isLowerBound(op: string): boolean {
  return op !== '<' && op !== '<=';
}

function rangeOf(condition: Expr, column: Expr, isOpening: boolean, scope: Scope): Range {
  const { sql } = scope.select.printer.expression(column, scope);
  return { column: sql, condition: printCondition(condition, scope), isOpening };
}

/** Whether it is the same for every row. */
function isFree(expr: Expr): boolean {
  let isSame = true;
  visit(expr, ({ node }) => {
    isSame &&= node === 'Constant' || node === 'Call' || node === 'Arithmetic';
  });
  return isSame;
}
