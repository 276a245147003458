import { readFlagDate } from '../../../server/lib/relative-date.contract.ts';
import { operatorOf } from '../../ui/property-filter.ts';
import { dateOf } from '../../ui/value-kind.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const VERSION = /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const VERSION_PATTERN = /^v?\d+(?:\.\d+)?\.[x*]$/i;

/** Why a relation can never hold for this value, as a sentence; `null` when it can (ingestion contract P-5, P-7, P-8). */
export function problemOfValue(operator: string, text: string): string | null {
  const { fits } = operatorOf(operator);
  if (fits === 'number' && !NUMBER.test(text.trim())) return 'A number looks like 42 or -1.5.';
  if (fits === 'date' && readFlagDate(text) === null && !dateOf(text))
    return 'A date looks like 2026-03-04, or like -7d for 7 days ago.';
  if (operator === 'semver_wildcard')
    return VERSION_PATTERN.test(text) ? null : 'It looks like 3.8.* or 3.*.';
  if (fits === 'version' && !VERSION.test(text)) return 'A version looks like 3.8.0.';
  return null;
}

/** Frequent dates, relative to the time of an evaluation. */
export const RELATIVE_DATES: readonly string[] = ['-1d', '-7d', '-14d', '-30d', '-90d', '-1y'];
