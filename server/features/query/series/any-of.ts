import type { Expr, Field } from '../../../hogql/ast.ts';
import { compare, field, or, tuple } from '../../../hogql/build.ts';

/** That one of the conditions holds; where all of them name an event and nothing else, that it is one of a list. */
export function anyOf(conditions: readonly Expr[]): Expr {
  const names = conditions.map(eventNamed);
  if (names.length === 1 || names.includes(null)) return or(...conditions);
  return compare('in', field('event'), tuple(...(names as Expr[])));
}

function eventNamed(condition: Expr): Expr | null {
  const isName = condition.node === 'Compare' && condition.op === '==' && condition.left.node === 'Field';
  return isName && (condition.left as Field).chain.join('.') === 'event' ? condition.right : null;
}
