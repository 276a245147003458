import type { Expr, Located, OrderExpr, Placeholder, Query, Window } from '../ast.ts';
import type { GrammarNode } from './grammar.ts';

/** What the parts of the conversion use of each other: from nodes of the grammar's tree to ours. */
export interface Reader {
  expr(node: unknown): Expr;
  /** The expressions of a list; none for null. */
  exprs(nodes: unknown): Expr[];
  query(node: unknown): Query | Placeholder;
  orders(nodes: unknown): OrderExpr[];
  window(node: unknown): Window;
  /** The place of a node in the whole text. */
  place(node: GrammarNode): Required<Located>;
  /** The words of the text between two offsets, in lower case, but those of what was cut out. */
  words(start: number, end: number): string[];
  /** The text between two offsets, without what was cut out of it. */
  between(start: number, end: number): string;
}

/** A part of a node that may be absent, for spreading into another. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [key in Name]?: Value } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value });
}

/** A list that is left out when it is empty. */
export function optionalList<Name extends string, Value>(
  name: Name,
  values: Value[],
): { [key in Name]?: Value[] } {
  return optional(name, values.length > 0 ? values : undefined);
}

/** A flag that is left out when it is not set. */
export function flag<Name extends string>(name: Name, isSet: unknown): { [key in Name]?: true } {
  return optional(name, isSet === true ? (true as const) : undefined);
}

/** A part of a node that is another node, read when it is there. */
export function part<Name extends string, Value>(
  name: Name,
  node: unknown,
  read: (node: GrammarNode) => Value,
): { [key in Name]?: Value } {
  return optional(name, node ? read(node as GrammarNode) : undefined);
}
