import type { ValueType } from '../value-type.ts';

/** A value that a query writes out. */
export type ConstantValue = string | number | bigint | boolean | null;

/** An expression in DuckDB's SQL. Its text binds as tightly as a call: it has parentheses where they are needed. */
export interface Printed {
  readonly sql: string;
  readonly type: ValueType;
  /** The value, when the argument was written out in the query (`dateTrunc('day', …)`); absent for all others. */
  readonly constant?: ConstantValue;
  /** The items of an array or tuple that a query writes out. */
  readonly parts?: readonly Printed[];
  /**
   * The body of a lambda, printed for these parameters: one argument for each that it names. Names come from
   * `CallContext.fresh`, and DuckDB writes `lambda x, i: body`.
   */
  readonly lambda?: (parameters: readonly Printed[]) => Printed;
  /** How many parameters the lambda names. */
  readonly arity?: number;
}

/** What a function may use beside its arguments. */
export interface CallContext {
  /** The function as the query writes it. */
  readonly name: string;
  /** The project's time zone (IANA); functions of dates use it unless they are called with another. */
  readonly timezone: string;
  /** The time of the query, in Unix milliseconds. */
  now(): number;
  /** The printed numbers in `quantile(0.9)(x)`. */
  readonly params: readonly Printed[];
  /** `count(DISTINCT x)` */
  readonly distinct: boolean;
  /**
   * What follows every call of an aggregate of DuckDB in the printed text: `OVER (…)` of a window, or nothing. An
   * aggregate that consists of two calls repeats it after both.
   */
  readonly suffix: string;
  /** Of an aggregate: below which number all persons are, where a set of them as bits is small enough for each group. */
  readonly personBits: number | null;
  /** The condition of -If; set by the combinators of this folder alone. */
  readonly filter?: string;
  /** `ORDER BY …` inside the parentheses of an aggregate (`groupArray(x ORDER BY y)`), or nothing. */
  readonly order: string;
  /** Binds a value and returns its text in the statement (`$p7`); numbers and texts get a cast to their type. */
  bind(value: ConstantValue): Printed;
  /** A name that nothing else in the statement has. */
  fresh(): string;
  /** Notes a list so long that a query which reads rows cannot have it: each row would. */
  noteLargeList(): void;
  /** Counts letters of patterns, which take time to compile; refuses the call when its statement has too many. */
  spend(letters: number): void;
  /** Refuses the call with a text for its author; the position is that of the argument, or of the call. */
  refuse(message: string, argument?: number): never;
}

/** One function of the language. */
export interface FunctionRow {
  /** As ClickHouse and HogQL write it; names are found whatever their case where that is unambiguous. */
  readonly name: string;
  readonly minArgs: number;
  /** Infinity: as many as one likes. */
  readonly maxArgs: number;
  readonly minParams?: number;
  readonly maxParams?: number;
  /** Many rows in, one value out; takes -If and the other combinators, DISTINCT and OVER. */
  readonly aggregate?: boolean;
  /** Only with OVER: row_number, lag… */
  readonly window?: boolean;
  /**
   * Takes persons as the numbers that they are inside a statement: it only counts or compares them (uniq, count), or
   * returns one unchanged (if, any, argMax). All other functions get the UUID.
   */
  readonly takesPersons?: boolean;
  /** The call in DuckDB's SQL, with the type of its result. */
  print(args: readonly Printed[], call: CallContext): Printed;
}
