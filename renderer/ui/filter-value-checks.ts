import { operatorOf } from './property-filter.ts';
import { dateOf } from './value-kind.ts';

const RELATIVE_DATE = /^-?\d{1,4}[hdwmy]$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const VERSION = /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const VERSION_PATTERN = /^v?\d+(?:\.\d+)?\.[x*]$/i;

/** Why a relation can never hold for this value, as a sentence; `null` when it can (ingestion contract P-5, P-7, P-8). */
export function problemOfValue(operator: string, text: string): string | null {
  const { fits } = operatorOf(operator);
  if (fits === 'number' && !NUMBER.test(text.trim())) return 'A number looks like 42 or -1.5.';
  if (fits === 'date' && !RELATIVE_DATE.test(text) && !dateOf(text))
    return 'A date looks like 2026-03-04, or like -7d for 7 days ago.';
  if (operator === 'semver_wildcard')
    return VERSION_PATTERN.test(text) ? null : 'It looks like 3.8.* or 3.*.';
  if (fits === 'version' && !VERSION.test(text)) return 'A version looks like 3.8.0.';
  return null;
}

/** Dates that are often meant, relative to the moment when a flag is asked for. */
export const RELATIVE_DATES: readonly string[] = ['-1d', '-7d', '-14d', '-30d', '-90d', '-1y'];
