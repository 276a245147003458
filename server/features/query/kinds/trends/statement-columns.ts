import type { Expr } from '../../../../hogql/ast.ts';
import { alias, field } from '../../../../hogql/build.ts';

/** The columns of the values that are shown. */
export function shownFields(dimensions: number): Expr[] {
  return Array.from({ length: dimensions }, (_, at) => field(`shown_${at}`));
}

/** Expressions by a name and their place: `key_0`, `key_1`… */
export function aliased(prefix: string, exprs: readonly Expr[]): Expr[] {
  return exprs.map((expr, at) => alias(expr, `${prefix}_${at}`));
}

/** The columns that `aliased` makes of expressions. */
export function fields(prefix: string, exprs: readonly Expr[]): Expr[] {
  return exprs.map((_, at) => field(`${prefix}_${at}`));
}
