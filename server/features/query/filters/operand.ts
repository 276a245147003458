import { textOperand, type Operand } from '../../../conditions/to-hogql.ts';
import type { Expr } from '../../../hogql/ast.ts';
import { arrayAccess, call, constant, field } from '../../../hogql/build.ts';
import type { PropertyKind } from '../../../hogql/hogql-context.ts';
import type { FilterContext } from './filter-context.ts';

/** A property of an event, a person or a group by its place in the statement; of a session, a column. */
export function propertyOperand(
  owner: PropertyKind,
  chain: readonly string[],
  context: FilterContext,
  groupTypeIndex?: number,
): Operand {
  const name = chain.at(-1)!;
  // A star is a name here.
  const value =
    name === '*'
      ? arrayAccess(field(...context.path(...chain.slice(0, -1))), constant(name))
      : field(...context.path(...chain));
  const type = context.propertyType(owner, name, groupTypeIndex);
  const isText = type === null || type === 'String';
  const operand = textOperand(isText ? value : call('propertyText', value));
  return type === 'Numeric' ? { ...operand, number: value } : operand;
}

/** A column that holds no JSON, such as the duration of a session. */
export function columnOperand(column: Expr, type: 'text' | 'number' | 'moment'): Operand {
  if (type === 'text') return textOperand(column);
  const text = call('toString', column);
  if (type === 'number') return { ...textOperand(text), number: column };
  return { ...textOperand(text), micros: call('toUnixTimestamp64Micro', column) };
}
