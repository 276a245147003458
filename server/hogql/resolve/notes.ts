import type { Expr, Field, JoinExpr, SelectQuery } from '../ast.ts';
import type { ValueType } from '../value-type.ts';
import type { PathStep, Source } from './source.ts';

/** What the name of a column refers to. */
export interface FieldNote {
  /** Null: the parameter of a lambda, or an alias. */
  readonly source: Source | null;
  /** The column or alias, then what is read of it. */
  readonly parts: readonly string[];
  /** What is read inside of a property. */
  readonly steps: readonly PathStep[];
  /** Read as its text in JSON, whatever its type. */
  readonly as: 'value' | 'text';
  /** Whether its parts are read of a text of JSON; else of a tuple. */
  readonly isText: boolean;
}

/** A column of a SELECT: an expression, or a column of `*`. */
export type ItemNote = { readonly name: string } & (
  { readonly expr: Expr } | { readonly source: Source; readonly column: string }
);

/** What printing a query for DuckDB finds out about its nodes, for a printer that works from the tree. No node may occur twice. */
export interface Notes {
  readonly types: WeakMap<Expr, ValueType>;
  readonly fields: WeakMap<Field, FieldNote>;
  readonly items: WeakMap<SelectQuery, readonly ItemNote[]>;
  readonly sources: WeakMap<JoinExpr, Source>;
  /** Columns that are expressions, as `persons.$virt_revenue`, with the source whose columns they name. */
  readonly expressions: Map<string, { readonly expr: Expr; readonly source: Source }>;
  /** Which cohort the id or name after IN COHORT is. */
  readonly cohorts: WeakMap<Expr, number>;
  /** Macros, and properties in brackets or at places, as the expressions that they stand for. */
  readonly rewritten: WeakMap<Expr, Expr>;
}

export function createNotes(): Notes {
  return {
    types: new WeakMap(),
    fields: new WeakMap(),
    items: new WeakMap(),
    sources: new WeakMap(),
    expressions: new Map(),
    cohorts: new WeakMap(),
    rewritten: new WeakMap(),
  };
}
