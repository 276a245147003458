import { describe, expect, test } from 'vitest';
import type { FlagFilters } from '../../conditions/index.ts';
import type { Flag } from './flag-row.ts';
import { flagStatusOf } from './flag-status.ts';

const NOW = Date.UTC(2026, 10, 20);
const daysAgo = (days: number) => new Date(NOW - days * 24 * 60 * 60 * 1000).toISOString();

const statusOf = (
  filters: FlagFilters,
  facts: Partial<Flag> = {},
  lastCalledAt: string | null = daysAgo(1),
) => {
  const flag = { active: true, deleted: false, createdAt: daysAgo(90), unchangedSince: daysAgo(60), filters };
  return flagStatusOf({ ...flag, ...facts } as Flag, lastCalledAt, NOW).status;
};
const email = { key: 'email', type: 'person', value: 'x' };
const shares = (...percentages: number[]) => ({
  variants: percentages.map((rollout_percentage, n) => ({ key: `v${n}`, rollout_percentage })),
});

describe('M9.1/status a flag is stale when all persons have had the same value for 30 days', () => {
  test.each<[string, FlagFilters]>([
    ['100 %', { groups: [{ properties: [], rollout_percentage: 100 }] }],
    ['no rollout, which is all', { groups: [{ properties: [] }] }],
    ['one of several conditions for all', { groups: [{ properties: [email] }, { rollout_percentage: 100 }] }],
    ['a variant for all', { groups: [{ rollout_percentage: 100 }], multivariate: shares(0, 100) }],
    [
      'a condition for all with a variant of its own',
      { groups: [{ rollout_percentage: 100, variant: 'v1' }], multivariate: shares(50, 50) },
    ],
    [
      'an earlier condition with the same variant',
      {
        groups: [{ properties: [email], variant: 'v1' }, { rollout_percentage: 100 }],
        multivariate: shares(0, 100),
      },
    ],
    [
      'an earlier condition for no persons',
      {
        groups: [{ rollout_percentage: 0, variant: 'v0' }, { rollout_percentage: 100 }],
        multivariate: shares(0, 100),
      },
    ],
    [
      'later conditions that are never evaluated',
      {
        groups: [{ rollout_percentage: 100 }, { properties: [email], variant: 'v0' }],
        multivariate: shares(0, 100),
      },
    ],
    ['a holdout of 0 percent', { groups: [{}], holdout: { id: 1, exclusion_percentage: 0 } }],
    ['all groups of a type', { groups: [{}], aggregation_group_type_index: 0 }],
  ])('%s', (_what, filters) => {
    expect(statusOf(filters)).toBe('STALE');
    expect(statusOf(filters, { unchangedSince: daysAgo(29) })).toBe('ACTIVE');
    expect(statusOf(filters, { active: false })).toBe('INACTIVE');
    expect(statusOf(filters, { deleted: true })).toBe('DELETED');
  });

  test.each<[string, FlagFilters]>([
    ['less than all', { groups: [{ rollout_percentage: 99.9 }] }],
    ['some', { groups: [{ properties: [email], rollout_percentage: 100 }] }],
    ['nobody', { groups: [] }],
    ['variants by share', { groups: [{ rollout_percentage: 100 }], multivariate: shares(50, 50) }],
    [
      'all, and for some with another variant',
      {
        groups: [
          { properties: [email], variant: 'v1' },
          { rollout_percentage: 100, variant: 'v0' },
        ],
        multivariate: shares(50, 50),
      },
    ],
    [
      'all, and for some with a variant by share',
      {
        groups: [{ properties: [email] }, { rollout_percentage: 100, variant: 'v0' }],
        multivariate: shares(50, 50),
      },
    ],
    ['all but a holdout', { groups: [{}], holdout: { id: 1, exclusion_percentage: 10 } }],
    [
      'all but a holdout of the older form',
      { groups: [{}], holdout_groups: [{ rollout_percentage: 10, variant: 'holdout-1' }] },
    ],
    ['all except those who left its early access', { groups: [{}], feature_enrollment: true }],
    [
      'all except those who left it, of the older form',
      { groups: [{}], super_groups: [{ properties: [{ ...email, key: '$feature_enrollment/a' }] }] },
    ],
    [
      'all except those excluded by an early exit',
      { groups: [{ properties: [email], rollout_percentage: 50 }, {}], early_exit: true },
    ],
    [
      'persons, and for others by their group',
      { groups: [{ properties: [email] }, { aggregation_group_type_index: 0 }] },
    ],
    ['one variant, and not for all', { groups: [{ rollout_percentage: 50 }], multivariate: shares(100) }],
  ])('not when it is on for %s', (_what, filters) => {
    expect(statusOf(filters)).toBe('ACTIVE');
    expect(statusOf(filters, {}, daysAgo(30))).toBe('STALE');
    expect(statusOf(filters, {}, null)).toBe('STALE');
    expect(statusOf(filters, { createdAt: daysAgo(29) }, null)).toBe('ACTIVE');
  });
});
