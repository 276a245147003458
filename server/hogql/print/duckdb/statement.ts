import type { Located, Moment } from '../../ast.ts';
import { HogqlError } from '../../errors.ts';
import type { ConstantValue, Printed } from '../../functions/function-row.ts';
import { MOST_ITEMS_OF_ROWS } from '../../functions/growth.ts';
import type { HogqlContext, Param, Params } from '../../hogql-context.ts';
import type { Notes } from '../../resolve/notes.ts';
import type { PrintedQuery } from '../../resolve/scope.ts';
import { scalar } from '../../value-type.ts';

/**
 * Characters of SQL with each query of WITH inlined at every use, as DuckDB's planner does, which obeys neither the
 * memory limit nor an interrupt. Measured by `test/bench/planning.mjs`: planning stays under 300 MB.
 */
export const MAX_EXPANDED_LENGTH = 1_000_000;

/** Lambdas of one statement: binding them takes the square of their number, 7 s for this many. */
const MAX_LAMBDAS = 2_000;

/** Queries inside each other: planning takes the cube of their number, 3 s for this many. */
const MAX_NESTED_QUERIES = 64;

/** Characters of all expressions, some of which are printed for several clauses. */
const MAX_WRITTEN_LENGTH = 4 * MAX_EXPANDED_LENGTH;

/** Characters of one expression; names of other expressions can double a text at each step. */
const LONGEST_EXPRESSION = 500_000;

/** Levels of an expression; DuckDB stops at a thousand of its own, and one of ours may be several of them. */
const DEEPEST = 250;

/** Letters of all regular expressions that are compiled to look at them. */
const MOST_PATTERNS = 20_000;

/** What the parts of one statement share: its parameters and its names. */
export interface Statement {
  readonly context: HogqlContext;
  /** Where to note what is found out about nodes; null: nowhere. */
  readonly notes: Notes | null;
  /** Names that are the only argument of an aggregate that counts them. */
  readonly counted: WeakSet<Located>;
  /** The parameters that a text names: a constant that was read when it was compiled is in none. */
  paramsIn(sql: string): Params;
  /** Binds a value; the same value has the same parameter. */
  bind(value: ConstantValue): Printed;
  /** Binds a list as VARCHAR[] or BIGINT[]. */
  bindList(values: readonly string[] | readonly number[]): string;
  /** Binds a moment (Unix microseconds). */
  bindMoment(micros: bigint): Printed;
  /** Adds SQL of another statement, with new names for its parameters. */
  embed(part: { sql: string; params: Params }): string;
  /** A name that nothing else in the statement has. */
  fresh(prefix: string): string;
  /** Counts letters of patterns; false when there are too many. */
  mayCompile(letters: number): boolean;
  /** Notes that a query has read a column of one around it. */
  readOuter(): void;
  /** Prints a query, and says whether it reads nothing of those around it. */
  closing<T>(print: () => T): { printed: T; isClosed: boolean };
  /** Counts the text of a query of WITH at a place where it is named; refuses what is too large to plan. */
  expand(length: number, at: Located): void;
  /** Prints a query, and returns its length once its names are expanded. */
  measuring(print: () => PrintedQuery): { printed: PrintedQuery; expandedLength: number };
  /** Notes that it reads what is stored beside events. */
  noteStored(): void;
  readonly readsStored: boolean;
  /** Notes that rows are read. */
  noteRows(): void;
  /** Notes a list that no query may have which reads rows; `refuse` is called where one does. */
  noteLargeList(refuse: (message: string) => never): void;
  /** Prints what may hold a long list. */
  allowingLargeLists<T>(print: () => T): T;
  /** Refuses a whole statement that would take too long to plan. */
  checkSize(sql: string, at: Located): void;
  /** Prints a query inside another; refuses one that is nested too deeply to plan. */
  nested<T>(at: Located, print: () => T): T;
  /** Prints an expression; refuses one that is too long or too deep to run. */
  within(at: Located, print: () => Printed): Printed;
}

export function createStatement(context: HogqlContext, notes: Notes | null = null): Statement {
  const params: Record<string, Param> = {};
  const known = new Map<string, string>();
  let names = 0;
  let depth = 0;
  let patternLetters = 0;
  let outerReads = 0;
  let expandedLength = 0;
  let writtenLength = 0;
  let queryDepth = 0;
  let readsRows = false;
  let readsStored = false;
  let refuseLargeList: (() => never) | null = null;

  function parameter(key: string, value: Param): string {
    const found = known.get(key);
    if (found !== undefined) return found;
    const name = `p${known.size}`;
    params[name] = value;
    known.set(key, `$${name}`);
    return `$${name}`;
  }

  return {
    context,
    notes,
    counted: new WeakSet(),
    paramsIn(sql) {
      const used = new Set(Array.from(sql.matchAll(/\$(p\d+)/g), (match) => match[1]!));
      return Object.fromEntries(Object.entries(params).filter(([name]) => used.has(name)));
    },
    bind(value) {
      if (value === null) return { sql: '(NULL)', type: scalar('Nothing', true), constant: null };
      if (typeof value === 'string') return text(parameter(`s${value}`, value), value);
      if (typeof value === 'boolean') return { sql: String(value), type: scalar('Bool'), constant: value };
      return number(value, parameter);
    },
    bindList(values) {
      const type = typeof values[0] === 'number' ? 'BIGINT[]' : 'VARCHAR[]';
      return `${parameter(`l${type}${JSON.stringify(values)}`, values)}::${type}`;
    },
    bindMoment(micros) {
      const written = timestampText(micros);
      return { sql: `${parameter(`s${written}`, written)}::TIMESTAMP`, type: scalar('DateTime') };
    },
    readOuter() {
      outerReads += 1;
    },
    closing(print) {
      const before = outerReads;
      const printed = print();
      return { printed, isClosed: outerReads === before };
    },
    embed({ sql, params: own }) {
      return sql.replace(/\$([A-Za-z_]\w*)/g, (match, name: string) => {
        if (!Object.hasOwn(own, name)) return match;
        const value = own[name]!;
        return parameter(
          `e${typeof value}${JSON.stringify(typeof value === 'bigint' ? String(value) : value)}`,
          value,
        );
      });
    },
    fresh: (prefix) => `${prefix}${++names}`,
    mayCompile: (letters) => (patternLetters += letters) <= MOST_PATTERNS,
    expand(length, at) {
      expandedLength += length;
      refuseLarge(expandedLength, at);
    },
    noteStored() {
      readsStored = true;
    },
    get readsStored() {
      return readsStored;
    },
    noteRows() {
      readsRows = true;
    },
    allowingLargeLists(print) {
      const before = refuseLargeList;
      const printed = print();
      refuseLargeList = before;
      return printed;
    },
    noteLargeList(refuse) {
      refuseLargeList ??= () =>
        refuse(`A list of more than ${MOST_ITEMS_OF_ROWS} items is too large in a query that reads rows.`);
    },
    checkSize(sql, at) {
      if (readsRows) refuseLargeList?.();
      refuseLarge(expandedLength + sql.length, at);
      const lambdas = sql.split('lambda ').length - 1;
      if (lambdas > MAX_LAMBDAS) {
        throw new HogqlError(
          `The query has too many calls of array and string functions: ${lambdas} lambdas, the limit is ${MAX_LAMBDAS}.`,
          at,
        );
      }
    },
    nested(at, print) {
      // What an insight is compiled to is bounded by its schema: a funnel of thirty steps has more.
      if (at.start === undefined) return print();
      if (queryDepth >= MAX_NESTED_QUERIES)
        throw new HogqlError(`The query has more than ${MAX_NESTED_QUERIES} nested subqueries.`, at);
      queryDepth++;
      try {
        return print();
      } finally {
        queryDepth--;
      }
    },
    measuring(print) {
      const before = expandedLength;
      const printed = print();
      return { printed, expandedLength: printed.sql.length + expandedLength - before };
    },
    within(at, print) {
      if (depth >= DEEPEST)
        throw new HogqlError(`The query is nested too deeply: more than ${DEEPEST} levels.`, at);
      depth++;
      try {
        const printed = print();
        if (printed.type.name === 'Lambda') return printed;
        // All expressions of a list together, before they are put into one text.
        if (depth === 1) writtenLength += printed.sql.length;
        if (writtenLength > MAX_WRITTEN_LENGTH) refuseLarge(writtenLength, at);
        if (printed.sql.length <= LONGEST_EXPRESSION) return printed;
      } finally {
        depth--;
      }
      throw new HogqlError('The query is too large after its names are resolved.', at);
    },
  };
}

function refuseLarge(length: number, at: Located): void {
  if (length <= MAX_EXPANDED_LENGTH) return;
  throw new HogqlError(
    `The query has at least ${length} characters of SQL after its WITH clauses are expanded. The limit is ${MAX_EXPANDED_LENGTH}.`,
    at,
  );
}

function text(sql: string, value: string): Printed {
  return { sql: `${sql}::VARCHAR`, type: scalar('String'), constant: value };
}

const MOST = 2n ** 63n;

function number(value: number | bigint, parameter: (key: string, value: Param) => string): Printed {
  const isWhole = typeof value === 'bigint' ? value < MOST && value >= -MOST : Number.isSafeInteger(value);
  if (isWhole)
    return { sql: `${parameter(`n${value}`, value)}::BIGINT`, type: scalar('Int64'), constant: value };
  const float = Number(value);
  return { sql: `${parameter(`f${float}`, float)}::DOUBLE`, type: scalar('Float64'), constant: value };
}

/** The earliest and the latest moment that a query can name: those of JavaScript's dates. */
const RANGE_MICROS = (8_640_000_000_000_000_000n / 1_000n) * 1_000n;

/** Unix milliseconds, with fractions, as microseconds. */
export function microsOf({ moment }: Moment): bigint {
  const whole = Math.floor(moment);
  return BigInt(whole) * 1000n + BigInt(Math.round((moment - whole) * 1000));
}

function timestampText(micros: bigint): string {
  if (micros > RANGE_MICROS || micros < -RANGE_MICROS) throw new HogqlError('This time is out of range.');
  let seconds = micros / 1_000_000n;
  if (seconds * 1_000_000n > micros) seconds -= 1n;
  const fraction = String(micros - seconds * 1_000_000n).padStart(6, '0');
  const iso = new Date(Number(seconds) * 1000).toISOString();
  if (!/^\d{4}-/.test(iso)) throw new HogqlError('This time is out of range: years must have four digits.');
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${fraction}`;
}
