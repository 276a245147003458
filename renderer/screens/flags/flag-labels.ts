import type {
  FeatureFlagJson as FeatureFlag,
  FlagGroup,
} from '../../../server/features/feature-flags/feature-flags.contract.ts';
import { formatCountOf } from '../../ui/format.ts';
import { wordsOf, type FilterNames, type PropertyFilter } from '../../ui/property-filter.ts';

/** What a flag answers, in two words: `on or off`, `3 variants`, `a value`. */
export function answerLabel({ filters, is_remote_configuration: isValue }: FeatureFlag): string {
  if (isValue) return 'remote config';
  const count = filters.multivariate?.variants.length ?? 0;
  return count === 0 ? 'boolean' : formatCountOf(count, 'variant');
}

/** Names of kinds of groups, for many: `companies`. */
export interface SubjectNames extends FilterNames {
  groups?(typeIndex: number): string | undefined;
}

/** What a flag matches by, from its first condition set: `plan is any of Solo, Studio, or 1 more set`. */
export function whoLabel({ filters }: FeatureFlag, names: SubjectNames = {}): string {
  const reached = filters.groups.filter(({ rollout_percentage: percent }) => percent !== 0);
  if (reached.length === 0) return 'No one yet';
  const index = filters.aggregation_group_type_index ?? null;
  const all = index === null ? 'Everyone' : `All ${names.groups?.(index) ?? 'groups'}`;
  if (reached.some((group) => conditionsOf(group).length === 0)) return all;
  const rest = reached.length - 1;
  const more = rest > 0 ? `, or ${formatCountOf(rest, 'more set')}` : '';
  return setLabel(reached[0]!, names) + more;
}

function setLabel(group: FlagGroup, names: SubjectNames): string {
  if (group.description) return group.description;
  const conditions = conditionsOf(group).map((condition) =>
    Object.values(wordsOf(condition, names)).filter(Boolean).join(' '),
  );
  const rest = conditions.length - 1;
  return rest > 0 ? `${conditions[0]} and ${rest} more` : conditions[0]!;
}

function conditionsOf({ properties = [] }: FlagGroup): PropertyFilter[] {
  return properties.map((one) => ({ ...one, operator: one.operator ?? 'exact' }) as PropertyFilter);
}

/** How far a flag reaches: the share of the set that reaches furthest, and all shares in words. */
export function rolloutOf({ filters }: FeatureFlag): { percent: number; words: string } {
  const shares = filters.groups.map(({ rollout_percentage: share }) => share ?? 100);
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  return { percent: most, words: least === most ? `${most}%` : `${least}–${most}%` };
}
