import type { Expr } from '../hogql/ast.ts';
import { call, constant, not } from '../hogql/build.ts';
import * as js from './evaluate.ts';
import { isOperator, matchesMissing, operatorRow, OPERATORS, type Operator } from './operators.contract.ts';
import * as sql from './to-hogql.ts';
import { inVersionRange, versionOrder } from './versions.ts';
import { caretEnd, tildeEnd } from '../lib/version-text.ts';

/** How an operator is evaluated. */
interface Readings {
  /** By flags, in JavaScript; absent: flags do not have it. */
  readonly js?: js.Reading;
  /** By queries, lists and insights. */
  readonly hogql: sql.Reading<sql.Operand>;
  /** By flags, for the members of a cohort, where this is not the reading of queries. */
  readonly flagHogql?: sql.Reading<sql.FlagOperand>;
}

const isEqual: Readings = { js: js.equals, hogql: sql.equals, flagHogql: sql.equalsForFlags };
const contains: Readings = { js: js.contains, hogql: sql.contains };
const startsWith: Readings = { js: js.startsWith, hogql: sql.startsWith };
const endsWith: Readings = { js: js.endsWith, hogql: sql.endsWith };

/** The readings of each operator, by rules P-1 to P-10 of docs/contract; what clients need of it is in `operators.contract.ts`. */
const READINGS: Readonly<Record<Operator, Readings>> = {
  exact: isEqual,
  is_not: opposite(isEqual),
  icontains: contains,
  not_icontains: opposite(contains),
  icontains_multi: contains,
  not_icontains_multi: opposite(contains),
  starts_with: startsWith,
  not_starts_with: opposite(startsWith),
  ends_with: endsWith,
  not_ends_with: opposite(endsWith),
  regex: {
    js: js.matchesPattern(true),
    hogql: sql.matchesPattern,
    flagHogql: sql.matchesPatternForFlags(true),
  },
  // In flags a text that is too long to be searched matches neither operator.
  not_regex: {
    js: js.matchesPattern(false),
    hogql: oppositeOf(sql.matchesPattern),
    flagHogql: sql.matchesPatternForFlags(false),
  },
  gt: ordered('>', (value, limit) => value > limit),
  gte: ordered('>=', (value, limit) => value >= limit),
  lt: ordered('<', (value, limit) => value < limit),
  lte: ordered('<=', (value, limit) => value <= limit),
  min: { hogql: sql.ordered('>=') },
  max: { hogql: sql.ordered('<=') },
  between: { js: js.inRange(true), hogql: sql.inRange(true), flagHogql: sql.inRangeForFlags(true) },
  not_between: { js: js.inRange(false), hogql: sql.inRange(false), flagHogql: sql.inRangeForFlags(false) },
  in: { hogql: sql.equals },
  not_in: { hogql: oppositeOf(sql.equals) },
  is_set: { js: () => () => true, hogql: sql.isSet },
  is_not_set: { js: () => () => false, hogql: sql.isNotSet },
  is_date_exact: {
    js: js.dated(js.isSameDate),
    hogql: sql.dated('=='),
    flagHogql: sql.datedForFlags('=='),
  },
  is_date_before: {
    js: js.dated((value, { moment }) => value < moment),
    hogql: sql.dated('<'),
    flagHogql: sql.datedForFlags('<'),
  },
  is_date_after: {
    js: js.dated((value, { moment }) => value > moment),
    hogql: sql.dated('>'),
    flagHogql: sql.datedForFlags('>'),
  },
  semver_eq: { js: versionOrder((order) => order === 0), hogql: sql.versionOrder('==') },
  semver_neq: { js: versionOrder((order) => order !== 0), hogql: sql.versionOrder('!=') },
  semver_gt: { js: versionOrder((order) => order > 0), hogql: sql.versionOrder('>') },
  semver_gte: { js: versionOrder((order) => order >= 0), hogql: sql.versionOrder('>=') },
  semver_lt: { js: versionOrder((order) => order < 0), hogql: sql.versionOrder('<') },
  semver_lte: { js: versionOrder((order) => order <= 0), hogql: sql.versionOrder('<=') },
  semver_tilde: { js: inVersionRange('tilde'), hogql: sql.versionRange(({ numbers }) => tildeEnd(numbers)) },
  semver_caret: { js: inVersionRange('caret'), hogql: sql.versionRange(({ numbers }) => caretEnd(numbers)) },
  semver_wildcard: {
    js: inVersionRange('wildcard'),
    hogql: sql.versionRange(sql.wildcardEnd, sql.readWildcard),
  },
};

function ordered(sign: '>' | '>=' | '<' | '<=', holds: (value: number, limit: number) => boolean): Readings {
  return { js: js.ordered(holds), hogql: sql.ordered(sign), flagHogql: sql.orderedForFlags(sign) };
}

/** Of a property that is not set the opposite is true. */
function opposite({ js: compile, hogql, flagHogql }: Readings): Readings {
  return {
    ...(compile && { js: js.opposite(compile) }),
    hogql: oppositeOf(hogql),
    ...(flagHogql && { flagHogql: oppositeOf(flagHogql) }),
  };
}

function oppositeOf<X extends sql.Operand>(reading: sql.Reading<X>): sql.Reading<X> {
  return (x, comparison) => call('coalesce', not(reading(x, comparison)), constant(true));
}

/**
 * The condition of a property filter as HogQL, as queries read it. For a property that is not set it is true or, meaning
 * no, NULL or false. The filter's value decides the type: a number is compared with numbers, a date with dates, any other
 * text with texts; what cannot be compared does not match. Throws invalid_input for `properties`.
 */
export function compareOperand(x: sql.Operand, comparison: sql.PropertyComparison): Expr {
  return READINGS[comparison.operator].hogql(x, comparison);
}

/** The same as flags read it: the members that the condition has in a flag. Its value is one that `compileComparison` takes. */
export function compareAsFlags(x: sql.FlagOperand, comparison: sql.PropertyComparison): Expr {
  const { hogql, flagHogql } = READINGS[comparison.operator];
  return (flagHogql ?? hogql)(x, comparison);
}

/** Names of the operators on persons and groups that flags have. */
export const PROPERTY_OPERATORS: readonly Operator[] = OPERATORS.filter(
  (name) => READINGS[name].js !== undefined,
);

/** An operator compiled with its value. */
export interface Comparison {
  readonly operator: string;
  readonly matches: js.Test;
  /** The result for a property that is not set (P-1). */
  readonly whenMissing: boolean;
  /** Why it can never match (P-10), or null. */
  readonly problem: string | null;
}

/** Compiles one comparison of a flag. With a value that the operator cannot use, the comparison never matches. */
export function compileComparison(operator: string, wanted: unknown): Comparison {
  const matches = compileTest(operator, wanted);
  if (typeof matches === 'string')
    return { operator, matches: () => false, whenMissing: false, problem: matches };
  return { operator, matches, whenMissing: matchesMissing(operator as Operator), problem: null };
}

function compileTest(name: string, wanted: unknown): js.Test | string {
  const compile = isOperator(name) ? READINGS[name].js : undefined;
  if (compile === undefined) return unknownOperator(name);
  if (wanted === undefined && operatorRow(name as Operator).values !== 'none') return 'The value is missing.';
  try {
    return compile(wanted);
  } catch {
    // Only JSON that is nested deeper than the stack.
    return 'The value is not valid.';
  }
}

/** P-9. */
function unknownOperator(operator: string): string {
  if (operator === 'in' || operator === 'not_in')
    return `The operator ${operator} is only valid for cohorts.`;
  if (operator === 'flag_evaluates_to') return 'The operator flag_evaluates_to is only valid for flags.';
  return `Unknown operator ${operator}.`;
}
