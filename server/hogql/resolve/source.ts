import type { Printed } from '../functions/function-row.ts';

/** A step into JSON: a name, or a place, counted from 1. */
export type PathStep = string | number;

/** What a name of a source refers to. */
export type Found =
  | {
      readonly kind: 'value';
      readonly printed: Printed;
      /** The same for an aggregate that counts it, where reading `printed` is refused: it would show persons. */
      readonly counted?: Printed;
    }
  /** The properties of a table, which are read one by one. */
  | {
      readonly kind: 'properties';
      readonly printed: Printed;
      /** As a value of its known type. */
      read(path: readonly string[]): Printed;
      /** As its text in JSON; the path begins with a name. */
      text(path: readonly PathStep[]): Printed;
    }
  /** A table that is joined because it was named: `person`. */
  | { readonly kind: 'source'; readonly source: Source };

/** The first rows of a query that needs no others. */
export interface FirstRows {
  /** SQL by which rows are chosen; null: all are. */
  readonly where: string | null;
  /** SQL of ORDER BY. */
  readonly order: string;
  readonly count: number;
}

/** A condition on one column of a source, which every row of the query must fulfil. */
export interface Range {
  /** SQL of the column. */
  readonly column: string;
  /** SQL of the condition, which names no other column. */
  readonly condition: string;
  /** It says where the range begins. */
  readonly isOpening: boolean;
}

/** Something after FROM that has columns: a table, a query, a list of values. */
export interface Source {
  /** How the query calls it; null for a query without alias. */
  readonly name: string | null;
  /** The column, or lazy join, of this name; null when there is none. What is found here is read from the table. */
  find(name: string): Found | null;
  /** The columns that `*` shows. */
  star(): readonly string[];
  /** Every name, for suggestions. */
  names(): readonly string[];
  /**
   * Its text after FROM (the first) or JOIN, once everything that is read of it is known. Where the first rows are
   * enough, it may leave out others.
   */
  text(isFirst: boolean, firstRows?: FirstRows | null): string;
  /** Adds, before its text is printed, conditions by which it may leave out what no row of the query needs. */
  narrow?(ranges: readonly Range[]): void;
  /** Whether an outer join may leave it without a row; set before anything is read. */
  isOuter: boolean;
  /** Whether its columns have the default of their type then, as ClickHouse has it, and not NULL. */
  hasDefaults: boolean;
  /** Whether only its own ON may name it: the right side of SEMI and ANTI joins. */
  isHidden: boolean;
}
