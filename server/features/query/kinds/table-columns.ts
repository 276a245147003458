import { parseExactJson } from '../../../http/exact-json.contract.ts';
import type { Value } from '../../../db/db.ts';
import type { Expr } from '../../../hogql/ast.ts';
import type { Column, Table } from '../query-kind.ts';

/** A column that an answer shows, made of one or several expressions. */
export interface ShownColumn {
  readonly name: string;
  readonly exprs: readonly Expr[];
  /** Of several values the object that they make; left out: the value of the only expression. */
  readonly read?: (values: readonly Value[]) => unknown;
}

/** A label stands behind a column as a comment of SQL. */
const LABEL = /--.*$/;

/** The expression of a column, without its label. */
export function withoutLabel(text: string): string {
  return text.replace(LABEL, '').trim();
}

/** Everything that the columns need, in their order. */
export function exprsOf(columns: readonly ShownColumn[]): Expr[] {
  return columns.flatMap(({ exprs }) => exprs);
}

/** The rows as the columns show them; what a row holds beyond them is left out. */
export function shownRows(columns: readonly ShownColumn[], { rows }: Pick<Table, 'rows'>): unknown[][] {
  return rows.map((row) => {
    let at = 0;
    return columns.map(({ exprs, read }) => {
      const values = row.slice(at, (at += exprs.length));
      return read === undefined ? values[0] : read(values);
    });
  });
}

/** Types of the columns as ClickHouse writes them; an object is a tuple. */
export function shownTypes(columns: readonly ShownColumn[], types: readonly Column[]): string[] {
  let at = 0;
  return columns.map(({ exprs }) => {
    const own = types.slice(at, (at += exprs.length)).map(({ type }) => type);
    return own.length === 1 ? own[0]! : `Tuple(${own.join(', ')})`;
  });
}

/** The properties of an event or person as an object; the store holds their JSON. */
export function objectOf(json: Value | undefined): Record<string, unknown> {
  return typeof json === 'string' ? (parseExactJson(json) as Record<string, unknown>) : {};
}
