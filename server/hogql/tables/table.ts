import type { Expr } from '../ast.ts';
import type { HogqlContext, Params } from '../hogql-context.ts';
import { scalar, type PropertyOwner, type ValueType } from '../value-type.ts';

/** A column of a table of the language. */
export interface Column {
  readonly type: ValueType;
  /** Its SQL over the names that `Table.rows` gives. */
  readonly sql: string;
  /** The same over rows that have only just arrived, where it differs. */
  readonly recent?: string;
  /** A join that `rows` has to make for it. */
  readonly needs?: string;
  /** Its SQL without that join, where the project has no merges that its events do not know of. */
  readonly unmerged?: string;
  /** Not shown by `*`. */
  readonly hidden?: true;
  /** Names a person, so that a user who may not see persons can only count it. */
  readonly ofPersons?: true;
}

/**
 * A column that is an expression of the language over the other columns of its table, as if a query around the table
 * had computed it. It is printed for each engine.
 */
export interface ExpressionColumn {
  readonly type: ValueType;
  readonly expr: Expr;
  /** Not shown by `*`. */
  readonly hidden?: true;
}

/** How names of virtual properties begin: columns that are expressions and are named like properties too. */
const VIRTUAL_PREFIX = '$virt_';

/** Whether a property is computed by queries, and stored nowhere. */
export function isVirtual(property: string): boolean {
  return property.startsWith(VIRTUAL_PREFIX);
}

/** Another table, joined when something of it is used: `person.properties.email`. */
export interface LazyJoin {
  readonly table: string;
  /** Pairs of columns, of this table and of the other, that must be equal. */
  readonly on: readonly (readonly [string, string])[];
  /** Which group type is meant. */
  readonly groupTypeIndex?: number;
}

/** What a table may use to say where its rows are. */
export interface TableScan {
  readonly context: HogqlContext;
  /** The project's number in the statement. Every table demands it of its rows. */
  readonly project: string;
  readonly needs: ReadonlySet<string>;
  /** A condition that thins the rows out, or nothing: `SAMPLE`. */
  readonly sample: number | null;
  /**
   * Conditions on the moment `s.timestamp`: of each session that the query reads some event fulfils the first, some
   * event the second…
   */
  readonly sessionsWith: readonly string[];
  readonly groupTypeIndex: number | null;
  embed(part: { sql: string; params: Params }): string;
}

/** A place where rows of a table are. */
export interface RowSet {
  readonly from: string;
  /** Whether columns have their `recent` form there. */
  readonly isRecent?: true;
}

/** A table that queries can name. */
export interface Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
  readonly expressions?: ReadonlyMap<string, ExpressionColumn>;
  readonly lazy: ReadonlyMap<string, LazyJoin>;
  /** What follows FROM, once for each place where rows of the table are: the rows of the project alone. */
  rows(scan: TableScan): readonly RowSet[];
  /** The column of `rows` that identifies rows, where they are many and wide enough to be looked up by it; they end with WHERE. */
  readonly rowId?: string;
  /** Whether SAMPLE can thin it out. */
  readonly canSample?: true;
  /** SQL of the columns that are the moment of an event of the row's session. */
  readonly moments?: readonly string[];
  /** The resource of its rows: without the right to read it, the table is unknown. */
  readonly resource?: string;
  /** Every row is about a person. */
  readonly ofPersons?: true;
  /** The rows hold the number of the group type, and its properties have types of their own. */
  readonly ofGroups?: true;
}

/** The type of a column of a table; undefined where it has none of this name. */
export function columnType({ columns: own, expressions }: Table, name: string): ValueType | undefined {
  return (own.get(name) ?? expressions?.get(name))?.type;
}

/** Columns by name, in the order in which `*` shows them. */
export function columns(all: Readonly<Record<string, Column>>): ReadonlyMap<string, Column> {
  return new Map(Object.entries(all));
}

/** The project of a row, which PostHog calls a team. */
export function teamId(alias: string): Column {
  return { sql: `${alias}.project_id`, type: scalar('Int64'), hidden: true };
}

/** A JSON column of properties. */
export function propertiesColumn(sql: string, owner: PropertyOwner): Column {
  return { sql, type: { name: 'JSON', nullable: false, owner } };
}

/** The condition of SAMPLE: the same share of senders every time. */
export function sampleSql(distinctId: string, ratio: number | null): string {
  return ratio === null ? '' : ` AND hash(${distinctId}) % 1000000 < ${Math.round(ratio * 1_000_000)}`;
}
