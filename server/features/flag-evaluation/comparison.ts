import { onDate } from './compare-date.ts';
import { inOrder, inRange } from './compare-number.ts';
import { finds } from './compare-pattern.ts';
import { contains, endsWith, equals, startsWith, type Test } from './compare-text.ts';
import { inVersions } from './compare-version.ts';

/** An operator with its value, ready to be asked. */
export interface Comparison {
  readonly operator: string;
  readonly matches: Test;
  /** What it says of a property that nobody knows (P-1). */
  readonly whenMissing: boolean;
  /** Why it can never hold (P-10), or null. */
  readonly problem: string | null;
}

const never: Test = () => false;
const always: Test = () => true;

function not(test: Test): Test {
  return (value, now) => !test(value, now);
}

/** Makes the test of an operator for the flag's value, or says why there is none. */
const OPERATORS: Readonly<Record<string, (wanted: unknown) => Test | string>> = {
  exact: equals,
  is_not: (wanted) => not(equals(wanted)),
  icontains: contains,
  not_icontains: (wanted) => not(contains(wanted)),
  icontains_multi: contains,
  not_icontains_multi: (wanted) => not(contains(wanted)),
  starts_with: startsWith,
  not_starts_with: (wanted) => not(startsWith(wanted)),
  ends_with: endsWith,
  not_ends_with: (wanted) => not(endsWith(wanted)),
  regex: (wanted) => finds(wanted, false),
  not_regex: (wanted) => finds(wanted, true),
  gt: (wanted) => inOrder('gt', wanted),
  gte: (wanted) => inOrder('gte', wanted),
  lt: (wanted) => inOrder('lt', wanted),
  lte: (wanted) => inOrder('lte', wanted),
  between: (wanted) => inRange(wanted, false),
  not_between: (wanted) => inRange(wanted, true),
  is_set: () => always,
  is_not_set: () => never,
  is_date_exact: (wanted) => onDate('is_date_exact', wanted),
  is_date_before: (wanted) => onDate('is_date_before', wanted),
  is_date_after: (wanted) => onDate('is_date_after', wanted),
  semver_eq: (wanted) => inVersions('semver_eq', wanted),
  semver_neq: (wanted) => inVersions('semver_neq', wanted),
  semver_gt: (wanted) => inVersions('semver_gt', wanted),
  semver_gte: (wanted) => inVersions('semver_gte', wanted),
  semver_lt: (wanted) => inVersions('semver_lt', wanted),
  semver_lte: (wanted) => inVersions('semver_lte', wanted),
  semver_tilde: (wanted) => inVersions('semver_tilde', wanted),
  semver_caret: (wanted) => inVersions('semver_caret', wanted),
  semver_wildcard: (wanted) => inVersions('semver_wildcard', wanted),
};

/** Those that ask for no value. */
const WITHOUT_VALUE = new Set(['is_set', 'is_not_set']);

/** Operators on persons and groups that evaluation knows, in PostHog's words. */
export const PROPERTY_OPERATORS: readonly string[] = Object.keys(OPERATORS);

/** Compiles one comparison; a value that the operator cannot be asked with makes one that never holds. */
export function compileComparison(operator: string, wanted: unknown): Comparison {
  const test = makeTest(operator, wanted);
  if (typeof test === 'string') return { operator, matches: never, whenMissing: false, problem: test };
  return {
    operator,
    matches: test,
    whenMissing: operator === 'is_not' || operator.startsWith('not_') || operator === 'is_not_set',
    problem: null,
  };
}

function makeTest(operator: string, wanted: unknown): Test | string {
  if (!Object.hasOwn(OPERATORS, operator)) return unknownOperator(operator);
  if (wanted === undefined && !WITHOUT_VALUE.has(operator)) return 'The value is missing.';
  try {
    return OPERATORS[operator]!(wanted);
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
