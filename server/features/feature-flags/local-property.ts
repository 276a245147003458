import { isPortablePattern } from './portable-pattern.ts';

/** A comparison with a property, as definitions for local evaluation carry it. */
export interface LocalProperty {
  readonly key: string;
  readonly operator?: string | null | undefined;
  readonly value?: unknown;
}

const WITHOUT_CHECK = new Set([
  'is_set',
  'is_not_set',
  'icontains',
  'not_icontains',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
  'gt',
  'gte',
  'lt',
  'lte',
]);

const VERSION_OPERATORS = new Set([
  'semver_eq',
  'semver_neq',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'semver_tilde',
  'semver_caret',
]);

/** Why SDKs leave a comparison to the server (as posthog-node 5.70 decides), in a sentence; null: they do not. */
export function whyNotLocally({ key, value, ...property }: LocalProperty): string | null {
  const operator = property.operator ?? 'exact';
  if (WITHOUT_CHECK.has(operator)) return null;
  if (operator === 'exact' || operator === 'is_not') {
    const isKnown = Array.isArray(value) ? value.every(isComparable) : isComparable(value);
    return isKnown ? null : `SDKs compare '${key}' with text only: enter numbers as text.`;
  }
  if (operator === 'regex' || operator === 'not_regex') {
    return isPortablePattern(String(value))
      ? null
      : `The regular expression for '${key}' is not portable across SDK languages.`;
  }
  if (operator === 'is_date_before' || operator === 'is_date_after') {
    return isLocalDate(value) ? null : `SDKs cannot parse the date for '${key}'.`;
  }
  if (VERSION_OPERATORS.has(operator))
    return isVersion(String(value)) ? null : `SDKs cannot parse the version for '${key}'.`;
  if (operator === 'semver_wildcard')
    return isWildcard(String(value)) ? null : `SDKs cannot parse the versions for '${key}'.`;
  return `SDKs do not support the operator ${operator} for '${key}'.`;
}

/** Whole numbers are left to the server, because JavaScript cannot tell 1 from 1.0, and PostHog's server does. */
function isComparable(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Number.isInteger(value);
  return typeof value === 'string' && value.isWellFormed();
}

function isLocalDate(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (/^-?\d{1,4}[hdwmy]$/.test(String(value))) return true;
  return !Number.isNaN(new Date(value).valueOf());
}

/** Up to three numbers without leading zeros; what follows a hyphen or a plus is not looked at. */
function isVersion(text: string): boolean {
  const base = /^[^-+]*/.exec(text.trim().replace(/^v/i, ''))![0];
  return base !== '' && !base.startsWith('.') && base.split('.').slice(0, 3).every(isNumberOrNothing);
}

function isWildcard(text: string): boolean {
  const base = text
    .trim()
    .replace(/^v/i, '')
    .replace(/\.\*$|\*$/, '');
  return base !== '' && base.split('.').slice(0, 2).every(isNumber);
}

function isNumberOrNothing(part: string): boolean {
  return part === '' || isNumber(part);
}

function isNumber(part: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(part);
}
