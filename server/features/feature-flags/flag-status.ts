import type { FlagCondition } from '../flag-evaluation/index.ts';
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
    return { status: 'STALE', reason: `For 30 days and more everybody has got ${answer}.` };
  if (lastCalledAt === null && isLongAgo(flag.createdAt))
    return { status: 'STALE', reason: 'The flag is 30 days old or older, and was never called.' };
  if (lastCalledAt !== null && isLongAgo(lastCalledAt))
    return { status: 'STALE', reason: 'The flag was not called for 30 days or more.' };
  return { status: 'ACTIVE', reason: 'The flag is in use.' };
}

/** What everybody gets, in words; null when it depends. */
function constantAnswer({ filters }: Pick<Flag, 'filters'>): string | null {
  const full = (filters.groups ?? []).filter(isForEverybody);
  if (full.length === 0) return null;
  const variants = filters.multivariate?.variants ?? [];
  if (variants.length === 0) return 'true';
  const forced = full.find(({ variant }) => variant)?.variant;
  const variant = forced ?? variants.find(({ rollout_percentage }) => rollout_percentage === 100)?.key;
  return variant === undefined ? null : `the variant '${variant}'`;
}

function isForEverybody({ properties, rollout_percentage: share }: FlagCondition): boolean {
  return (share ?? 100) === 100 && (properties ?? []).length === 0;
}
