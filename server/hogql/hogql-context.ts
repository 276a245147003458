import type { ScalarName, ValueType } from './value-type.ts';

/** A value bound to a parameter, as `Analytics` takes it. */
export type Param = string | number | bigint | boolean | null | readonly string[] | readonly number[];
export type Params = Readonly<Record<string, Param>>;

/** Whose property is meant. */
export type PropertyKind = 'event' | 'person' | 'group' | 'session';
export type PropertyType = 'String' | 'Numeric' | 'Boolean' | 'DateTime';

/** Which rows of a resource a caller may read: all but the exceptions, or none but them. */
export interface ReadableRows {
  readonly byDefault: boolean;
  readonly exceptions: readonly number[];
  /** SQL that rows fulfil besides, for a resource whose rows are about others. */
  readonly where?: string;
}

/** The project data that compiling a query depends on. */
export interface HogqlContext {
  readonly projectId: number;
  /** IANA name; days, weeks and months follow its clocks. */
  readonly timezone: string;
  /** The value of `now()`, in Unix milliseconds; read only by queries that use it. */
  readonly now: number;
  /** The type of a property by its definition; null: none, so it is read as text. */
  propertyType(kind: PropertyKind, name: string, groupTypeIndex?: number): PropertyType | null;
  /**
   * The column of `events` that holds an event's property, and the type of its values; null when only the JSON text
   * holds it. A text column holds what `json_extract_string` reads, one of numbers the number that this text is by
   * the grammar of JSON, else NULL. Rows of `events_recent` have no such columns. `type` is how the query reads it: a
   * column of that type is best, one of text serves too.
   */
  eventColumn(
    name: string,
    type: Extract<ScalarName, 'String' | 'Float64'>,
  ): { column: string; type: Extract<ScalarName, 'String' | 'Float64'> } | null;
  /**
   * False when no recently received event may be a duplicate (`events_recent.suspect`): the query then has no plan to
   * find duplicates, which takes more than a millisecond. It does not see one that arrives while it runs.
   */
  readonly mayHaveSuspects?: boolean;
  /**
   * False when no person of the project has a merge that its events do not contain yet (`person_overrides`): the
   * query then has no join to find merges. It does not see a merge that arrives while it runs.
   */
  readonly mayHaveMerges?: boolean;
  /**
   * All numbers of persons are from 0 to below it, so that a set of them is a row of so many bits; null or left out
   * where that is unknown. A person that arrives while the query runs may be beyond it, and is not counted.
   */
  readonly personLimit?: number | null;
  /** The project's group types in the order of their numbers. */
  readonly groupTypes: readonly string[];
  /** A cohort, and the numbers of its persons: a SELECT of one column with its parameters; null when there is no such cohort. */
  cohort(idOrName: number | string): { id: number; sql: string; params: Params } | null;
  /** The project's cohorts, for the table `cohort_people`. */
  cohortIds?(): readonly number[];
  /** The caller may count persons and see nothing else of them: throws HiddenPersonsError for what would show them. */
  readonly hidesPersons?: boolean;
  /** What the caller may read of a resource; null: nothing, so its table is unknown. Left out: of none. */
  readableRows?(resource: string): ReadableRows | null;
  readonly limits: {
    /** Rows of a query without LIMIT. */
    readonly defaultRows: number;
    /** Rows at most. */
    readonly maxRows: number;
  };
}

/** A column of a result: its type as ClickHouse writes it, and how its values are shown (`shownBy`). */
export interface CompiledColumn {
  readonly name: string;
  readonly type: string;
  readonly shown: ValueType;
}

/** A query as DuckDB runs it. */
export interface CompiledQuery {
  readonly sql: string;
  readonly params: Params;
  /** Rows carry the values as c0, c1… in this order; types as ClickHouse writes them. */
  readonly columns: readonly CompiledColumn[];
  /** The project's time zone, in which results show moments. */
  readonly timezone: string;
  /** The requested rows; the statement returns one more if there is one, for `hasMore`. */
  readonly limit: number;
  readonly offset: number;
  /** It reads what is stored beside events, which changes without a new version of the project's data. */
  readonly readsStored: boolean;
}
