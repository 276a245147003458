import { scalar, withNull, type ValueType } from '../value-type.ts';
import type { CallContext, FunctionRow } from './function-row.ts';
import { MOST_GROWN, onceEach, unlessTooLarge } from './growth.ts';
import { asText, isNullable, type Reader } from './read-argument.ts';

/** How many arguments a function takes: exactly so many, or from so many to so many. */
export type Arity = number | readonly [number, number];

/** A function that prints itself. */
export function typed(name: string, arity: Arity, print: FunctionRow['print']): FunctionRow {
  const [minArgs, maxArgs] = typeof arity === 'number' ? [arity, arity] : arity;
  return { name, minArgs, maxArgs, print };
}

/**
 * Defines functions that read all arguments in one way, have a fixed type, and return NULL when an argument is NULL;
 * `sql` builds their SQL from the SQL of the arguments.
 */
export function rowsOf(
  read: Reader,
): (name: string, arity: Arity, type: ValueType, sql: (...args: string[]) => string) => FunctionRow {
  return (name, arity, type, sql) =>
    typed(name, arity, (args, call) => {
      const values = args.map((argument, at) => read(argument, call, at));
      return { sql: sql(...values.map((value) => value.sql)), type: withNull(type, isNullable(values)) };
    });
}

/** A row and the same function under other names. */
export function alsoNamed(row: FunctionRow, ...names: readonly string[]): FunctionRow[] {
  return [row, ...names.map((name) => ({ ...row, name }))];
}

/** An aggregate of DuckDB with what belongs to its call: the condition of -If, a condition of its own, a window. */
export function aggregateCall(
  call: Pick<CallContext, 'filter' | 'suffix'>,
  sql: string,
  condition?: string,
): string {
  const conditions = [condition, call.filter].filter((part) => part !== undefined);
  const filter = conditions.length === 0 ? '' : ` FILTER (WHERE ${conditions.join(' AND ')})`;
  const text = `${sql}${filter}${call.suffix === '' ? '' : ` ${call.suffix}`}`;
  return call.suffix === '' && filter === '' ? text : `(${text})`;
}

/** A function over many rows. */
export function aggregate(name: string, arity: Arity, print: FunctionRow['print']): FunctionRow {
  return { ...typed(name, arity, print), aggregate: true };
}

/** A function that counts, compares or returns persons by their numbers inside a statement. */
export function ofPersons(row: FunctionRow): FunctionRow {
  return { ...row, takesPersons: true };
}

/** A function that writes the bytes of a text with other letters, of which there are up to three times as many. */
export function encoding(name: string, sql: (text: string) => string): FunctionRow {
  return typed(name, 1, (args, call) => ({
    sql: onceEach([asText(args[0]!, call, 0).sql], call, (x) =>
      unlessTooLarge(`strlen(${x!}) > ${MOST_GROWN}`, sql(x!)),
    ),
    type: withNull(scalar('String'), isNullable(args)),
  }));
}
