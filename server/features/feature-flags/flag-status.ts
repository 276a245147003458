import { groupTypeOfCondition, type FlagCondition, type FlagFilters } from '../../conditions/index.ts';
import type { FlagStatus } from './feature-flags.contract.ts';
import type { Flag } from './flag-row.ts';

/** After so long without a change in what it answers, or without a call, a flag has probably done its work. */
const STALE_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * What has become of a flag, and a sentence why (management contract 9.1, "Decided additions"). `lastCalledAt` is ISO 8601,
 * or null when it was never called; `now` in Unix milliseconds.
 */
export function flagStatusOf(
  flag: Flag,
  lastCalledAt: string | null,
  now: number,
): { status: FlagStatus; reason: string } {
  if (flag.deleted) return { status: 'DELETED', reason: 'The flag was deleted.' };
  if (!flag.active) return { status: 'INACTIVE', reason: 'The flag is disabled.' };
  const isLongAgo = (moment: string) => now - Date.parse(moment) >= STALE_AFTER_MS;
  const answer = constantAnswer(flag);
  if (answer !== null && isLongAgo(flag.unchangedSince))
    return {
      status: 'STALE',
      reason: `The flag has evaluated to ${answer} for everyone for 30 days or more.`,
    };
  if (lastCalledAt === null && isLongAgo(flag.createdAt))
    return { status: 'STALE', reason: 'The flag is at least 30 days old and was never called.' };
  if (lastCalledAt !== null && isLongAgo(lastCalledAt))
    return { status: 'STALE', reason: 'The flag has not been called for 30 days or more.' };
  return { status: 'ACTIVE', reason: 'The flag is in use.' };
}

/** What every user gets, in words; null when it depends. */
function constantAnswer({ filters }: Pick<Flag, 'filters'>): string | null {
  if (hasExceptions(filters)) return null;
  const groups = filters.groups ?? [];
  const end = groups.findIndex(isForAll);
  // Whom an early exit ends in a condition before gets nothing.
  if (end === -1 || (filters.early_exit === true && groups.slice(0, end).some(isForSome))) return null;
  const asked = groups.slice(0, end + 1).filter((one) => one.rollout_percentage !== 0);
  const subjects = new Set(asked.map((one) => groupTypeOfCondition(one, filters)));
  const [answer, ...others] = new Set(asked.flatMap((one) => answersOf(one, filters)));
  if (subjects.size > 1 || answer === undefined || others.length > 0) return null;
  return answer === null ? 'true' : `the variant '${answer}'`;
}

/** Whether some persons are excluded from all conditions: by a holdout, or because they opted in or out. */
function hasExceptions(filters: FlagFilters): boolean {
  const { holdout, holdout_groups: older, feature_enrollment: enrollment, super_groups: optIns } = filters;
  const share = holdout?.exclusion_percentage ?? older?.[0]?.rollout_percentage ?? 0;
  return share > 0 || enrollment === true || (optIns ?? []).length > 0;
}

/** The variants that those who match a condition can get; null: none. */
function answersOf({ variant }: FlagCondition, { multivariate }: FlagFilters): (string | null)[] {
  const variants = multivariate?.variants ?? [];
  if (variants.length === 0) return [null];
  if (variants.some(({ key }) => key === variant)) return [variant!];
  return variants.filter(({ rollout_percentage: share }) => share > 0).map(({ key }) => key);
}

function isForAll({ properties, rollout_percentage: share }: FlagCondition): boolean {
  return (share ?? 100) === 100 && (properties ?? []).length === 0;
}

function isForSome({ rollout_percentage: share }: FlagCondition): boolean {
  return (share ?? 100) < 100;
}
