import type { RetentionBody as RetentionLimits } from '../../../server/features/retention/retention.contract.ts';

/** Limits while they are edited: a limit that is off keeps its number for when it is on again. */
export interface RetentionDraft {
  hasDays: boolean;
  days: string;
  hasGb: boolean;
  gb: string;
}

const MAX_DAYS = 36_500;
const MIN_GB = 0.001;
const MAX_GB = 1_000_000;

/** The suggested value of a limit that is not set. */
const OFFERS = { days: '365', gb: '10' };

/** The draft of limits as they are set. */
export function draftOf({ max_days, max_gb }: RetentionLimits): RetentionDraft {
  return {
    hasDays: max_days !== null,
    days: max_days === null ? OFFERS.days : String(max_days),
    hasGb: max_gb !== null,
    gb: max_gb === null ? OFFERS.gb : String(max_gb),
  };
}

/** What is wrong with the number of days, or nothing. */
export function problemWithDays({ hasDays, days }: RetentionDraft): string {
  if (!hasDays) return '';
  const number = numberOf(days);
  return Number.isInteger(number) && number >= 1 && number <= MAX_DAYS
    ? ''
    : 'Enter a whole number from 1 to 36,500 days.';
}

/** What is wrong with the size, or nothing. */
export function problemWithGb({ hasGb, gb }: RetentionDraft): string {
  if (!hasGb) return '';
  const number = numberOf(gb);
  return number >= MIN_GB && number <= MAX_GB ? '' : 'Enter a number from 0.001 to 1,000,000 GB.';
}

/** The limits that a draft means, `null` while a number in it is wrong. */
export function limitsOf(draft: RetentionDraft): RetentionLimits | null {
  if (problemWithDays(draft) !== '' || problemWithGb(draft) !== '') return null;
  return {
    max_days: draft.hasDays ? numberOf(draft.days) : null,
    max_gb: draft.hasGb ? numberOf(draft.gb) : null,
  };
}

/** Whether two limits mean the same. */
export function isSameLimits(one: RetentionLimits, other: RetentionLimits): boolean {
  return one.max_days === other.max_days && one.max_gb === other.max_gb;
}

/** Spaces between digits and a comma before the decimals are taken as people write them. */
function numberOf(text: string): number {
  const plain = text
    .replaceAll(/\s/g, '')
    .replace(/^(\d+),(\d{1,2}|\d{4,})$/, '$1.$2')
    .replaceAll(',', '');
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}
