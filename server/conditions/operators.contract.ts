/** Operators on version numbers (P-8). */
const SEMVER_OPERATORS = [
  'semver_eq',
  'semver_neq',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'semver_tilde',
  'semver_caret',
  'semver_wildcard',
] as const;
export type SemverOperator = (typeof SEMVER_OPERATORS)[number];

/** Operators of a property filter, by PostHog's names; `min` is gte, `max` is lte, `in` is exact, `not_in` is is_not. */
export const OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'icontains_multi',
  'not_icontains_multi',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'min',
  'max',
  'between',
  'not_between',
  'in',
  'not_in',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
  ...SEMVER_OPERATORS,
] as const;
export type Operator = (typeof OPERATORS)[number];

export type Scalar = string | number | boolean;

/** A negative operator and the one that it negates. */
export const POSITIVE_OPERATORS: Partial<Record<Operator, Operator>> = {
  is_not: 'exact',
  not_in: 'exact',
  not_icontains: 'icontains',
  not_icontains_multi: 'icontains_multi',
  not_starts_with: 'starts_with',
  not_ends_with: 'ends_with',
  not_regex: 'regex',
};

/** Whether an operator matches a property that is not set (P-1). */
export function matchesMissing(operator: Operator): boolean {
  return (
    operator === 'is_not_set' || operator === 'not_between' || POSITIVE_OPERATORS[operator] !== undefined
  );
}

/** Whether an operator asks for equal values, or for none of them. */
export function isEquality(operator: Operator): boolean {
  return operator === 'exact' || operator === 'in' || POSITIVE_OPERATORS[operator] === 'exact';
}

export function isSemverOperator(operator: Operator): operator is SemverOperator {
  return (SEMVER_OPERATORS as readonly string[]).includes(operator);
}
