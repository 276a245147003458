import type { ConditionTrace, FlagTrace } from '../../../server/conditions/flags/trace.contract.ts';
import type { FlagDetails } from '../../../server/features/feature-flags/decide/decide.contract.ts';

/** The answer in one sentence: `<who> gets <value>: <because>.` */
export interface Headline {
  value: string;
  because: string;
}

/** Says what a flag answers and why; `details` is the flag in the answer, `null` when it is not in it. */
export function headlineOf(trace: FlagTrace, details: FlagDetails | null): Headline {
  const value = details === null ? 'no value' : String(details.variant ?? details.enabled);
  return { value, because: becauseOf(trace) };
}

function becauseOf(trace: FlagTrace): string {
  switch (trace.decided_by) {
    case 'disabled':
      return 'the flag is disabled';
    case 'override':
      return 'a local override is set';
    case 'dependency':
      return 'it depends on a flag that does not exist';
    case 'enrollment':
      return trace.enrollment?.matched ? 'opted in to early access' : 'opted out of early access';
    case 'holdout':
      return 'is in a holdout';
    case 'condition':
      return matchLabel(trace.conditions.find((condition) => condition.decided));
    case 'none':
      return missLabel(trace.conditions);
  }
}

function matchLabel(condition: ConditionTrace | undefined): string {
  if (condition === undefined) return 'matches a condition set';
  const { index, properties, rollout } = condition;
  const isWhole = rollout === null || rollout.percentage >= 100;
  if (properties.length === 0 && isWhole) return `set ${index + 1} matches everyone`;
  if (properties.length === 0) return `is within the ${rollout?.percentage}% rollout of set ${index + 1}`;
  return isWhole
    ? `matches set ${index + 1}`
    : `matches set ${index + 1} and is within its ${rollout?.percentage}% rollout`;
}

/** The nearest miss decides what is said, as it decides the reason code (F-6). */
function missLabel(conditions: readonly ConditionTrace[]): string {
  const nearest = conditions.findLast(({ outcome }) => outcome === 'out_of_rollout_bound');
  if (nearest) {
    const { index, properties, rollout } = nearest;
    const falls = `is outside ${properties.length === 0 ? 'the' : 'its'} ${rollout?.percentage ?? 100}% rollout`;
    return properties.length === 0
      ? `${falls} of set ${index + 1}`
      : `matches set ${index + 1}, but ${falls}`;
  }
  const group = conditions.findLast(({ outcome }) => outcome === 'no_group_type')?.group?.type;
  const isOnlyGroups = conditions.every(({ outcome }) => outcome === 'no_group_type');
  if (group !== undefined && isOnlyGroups) return `no ${group ?? 'group'} is set`;
  if (conditions.length === 0) return 'it has no condition set';
  if (conditions.length === 1) return 'does not match the condition set';
  return `matches none of the ${conditions.length} condition sets`;
}
