import { readRelativeDate } from '../../lib/relative-date.contract.ts';
import { isOperator, operatorRow } from '../../conditions/operators.contract.ts';
import { isPortablePattern } from './portable-pattern.ts';

/** A comparison with a property, as definitions for local evaluation carry it. */
export interface LocalProperty {
  readonly key: string;
  readonly operator?: string | null | undefined;
  readonly value?: unknown;
}

/** Why SDKs leave a comparison to the server (as posthog-node 5.70 decides), in a sentence; null: they do not. */
export function whyNotLocally({ key, value, ...property }: LocalProperty): string | null {
  const operator = property.operator ?? 'exact';
  switch (isOperator(operator) ? operatorRow(operator).local : undefined) {
    case 'any':
      return null;
    case 'texts': {
      const isText = Array.isArray(value) ? value.every(isComparable) : isComparable(value);
      return isText ? null : `SDKs compare '${key}' with text only: enter numbers as text.`;
    }
    case 'portable patterns':
      return isPortablePattern(String(value))
        ? null
        : `The regular expression for '${key}' is not portable across SDK languages.`;
    case 'dates':
      return isLocalDate(value) ? null : `SDKs cannot parse the date for '${key}'.`;
    case 'versions':
      return isVersion(String(value)) ? null : `SDKs cannot parse the version for '${key}'.`;
    case 'version wildcards':
      return isWildcard(String(value)) ? null : `SDKs cannot parse the versions for '${key}'.`;
    default:
      return `SDKs do not support the operator ${operator} for '${key}'.`;
  }
}

/** Whole numbers are left to the server, because JavaScript cannot tell 1 from 1.0, and PostHog's server does. */
function isComparable(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Number.isInteger(value);
  return typeof value === 'string' && value.isWellFormed();
}

function isLocalDate(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (readRelativeDate(String(value), { letters: 'hdwmy', digits: 4, minus: 'optional' }) !== null)
    return true;
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
