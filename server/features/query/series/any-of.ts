import type { Expr, Field } from '../../../hogql/ast.ts';
import { array, call, field, or } from '../../../hogql/build.ts';

/**
 * That one of the conditions holds; where all of them name an event and nothing else, that it is one of a list. By
 * `has`, not by IN: DuckDB evaluates a function of one column once per dictionary entry, not about each row, and
 * there are few names of events. For columns of many words IN is better, as it passes over parts of the store by
 * their least and greatest.
 */
export function anyOf(conditions: readonly Expr[]): Expr {
  const names = conditions.map(eventNamed);
  if (names.length === 1 || names.includes(null)) return or(...conditions);
  return call('has', array(...(names as Expr[])), field('event'));
}

function eventNamed(condition: Expr): Expr | null {
  const isName = condition.node === 'Compare' && condition.op === '==' && condition.left.node === 'Field';
  return isName && (condition.left as Field).chain.join('.') === 'event' ? condition.right : null;
}
