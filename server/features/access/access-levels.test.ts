import { actionResource } from '../actions/index.ts';
import { describe, expect, test } from 'vitest';
import {
  ACCESS_LEVELS,
  isAtLeast,
  levelFor,
  levelsOf,
  projectLevelFor,
  type AccessCaller,
  type AccessLevel,
  type AccessRule,
} from './access-levels.ts';

const ME = 'c0000000-0000-4000-8000-000000000001';
const SOMEBODY = 'c0000000-0000-4000-8000-000000000002';
const ROLE = 'd0000000-0000-4000-8000-000000000001';
const MEMBER: AccessCaller = { organizationLevel: 1, membershipId: ME };

function rule(
  accessLevel: string,
  { resourceId = null, memberId = null, roleId = null, resource = 'dashboard' }: Partial<AccessRule> = {},
): AccessRule {
  const [id, at] = ['e0000000-0000-4000-8000-000000000001', '2026-11-20T09:30:00.000000Z'];
  return {
    id,
    projectId: 1,
    resource,
    resourceId,
    memberId,
    roleId,
    accessLevel,
    createdAt: at,
    updatedAt: at,
  };
}

const MAYBE = [null, ...ACCESS_LEVELS] as const;
type MaybeLevel = (typeof MAYBE)[number];

/** Where a rule can stand, and all that decides a level. */
interface Case {
  isCreator: boolean;
  organizationLevel: 1 | 8 | 15;
  mine: MaybeLevel;
  everybodys: MaybeLevel;
  mineWide: MaybeLevel;
  everybodysWide: MaybeLevel;
}

function allCases(): Case[] {
  return [true, false].flatMap((isCreator) =>
    ([1, 8, 15] as const).flatMap((organizationLevel) =>
      MAYBE.flatMap((mine) =>
        MAYBE.flatMap((everybodys) =>
          MAYBE.flatMap((mineWide) =>
            MAYBE.map((everybodysWide) => ({
              isCreator,
              organizationLevel,
              mine,
              everybodys,
              mineWide,
              everybodysWide,
            })),
          ),
        ),
      ),
    ),
  );
}

function rulesOf({ mine, everybodys, mineWide, everybodysWide }: Case): AccessRule[] {
  return [
    mine && rule(mine, { resourceId: '7', memberId: ME }),
    everybodys && rule(everybodys, { resourceId: '7' }),
    mineWide && rule(mineWide, { memberId: ME }),
    everybodysWide && rule(everybodysWide),
  ].filter((one) => one !== null);
}

/** Rules that say nothing about dashboard 7 and this caller. */
const OF_NO_CONCERN = [
  rule('manager', { resourceId: '7', memberId: SOMEBODY }),
  rule('manager', { memberId: SOMEBODY }),
  rule('manager', { resourceId: '77', memberId: ME }),
  rule('none', { resourceId: '77' }),
  rule('none', { resource: 'insight' }),
  rule('manager', { resource: 'insight', resourceId: '7', memberId: ME }),
  rule('manager', { resourceId: '7', roleId: ROLE }),
  rule('none', { roleId: ROLE }),
];

const HEIGHT: Readonly<Record<AccessLevel, number>> = { none: 0, viewer: 1, editor: 2, manager: 3 };

function higherOf(a: MaybeLevel, b: MaybeLevel): MaybeLevel {
  if (a === null || b === null) return a ?? b;
  return HEIGHT[a] > HEIGHT[b] ? a : b;
}

/** Management contract 5.2 as one sentence each, without lists of rules. */
function expectedLevel(one: Case): AccessLevel {
  if (one.isCreator || one.organizationLevel !== 1) return 'manager';
  return one.mine ?? higherOf(one.mineWide, one.everybodysWide) ?? one.everybodys ?? 'editor';
}

function levelOfCase(one: Case, extra: readonly AccessRule[] = []) {
  return levelFor({
    resource: 'dashboard',
    resourceId: '7',
    isCreator: one.isCreator,
    caller: { organizationLevel: one.organizationLevel, membershipId: ME },
    rules: [...extra, ...rulesOf(one)],
  });
}

describe('M5.2/creator, M5.2/member-rule, M5.2/resource-rule, M5.2/default the level for an object', () => {
  test('equals the contract, for every combination of rules', () => {
    const cases = allCases();
    expect(cases).toHaveLength(2 * 3 * 5 ** 4);
    for (const one of cases) {
      expect({ ...one, level: levelOfCase(one).level }).toEqual({ ...one, level: expectedLevel(one) });
    }
  });

  test('does not depend on the order of the rules, or on rules about others', () => {
    for (const one of allCases().filter(({ organizationLevel }) => organizationLevel === 1)) {
      const { level } = levelOfCase(one);
      expect(levelOfCase(one, OF_NO_CONCERN).level).toBe(level);
      const rules = [...rulesOf(one), ...OF_NO_CONCERN].toReversed();
      expect(
        levelFor({
          resource: 'dashboard',
          resourceId: '7',
          isCreator: one.isCreator,
          caller: MEMBER,
          rules,
        }).level,
      ).toBe(level);
    }
  });

  test('of the whole resource depends on rules for the whole resource only', () => {
    for (const one of allCases().filter((each) => each.organizationLevel === 1 && !each.isCreator)) {
      const { level } = levelFor({
        resource: 'dashboard',
        resourceId: null,
        isCreator: false,
        caller: MEMBER,
        rules: rulesOf(one),
      });
      expect(level).toBe(higherOf(one.mineWide, one.everybodysWide) ?? 'editor');
    }
  });
});

const NOTHING: Case = {
  isCreator: false,
  organizationLevel: 1,
  mine: null,
  everybodys: null,
  mineWide: null,
  everybodysWide: null,
};

test.each<[string, Partial<Case>, string]>([
  ['the creator', { isCreator: true, organizationLevel: 15 }, 'creator'],
  ['an admin', { organizationLevel: 8 }, 'organization_admin'],
  ['an owner', { organizationLevel: 15, mine: 'none' }, 'organization_admin'],
  ['a member with a rule for the object', { mine: 'none', mineWide: 'manager' }, 'explicit_member'],
  [
    'a member with a rule for all dashboards',
    { mineWide: 'viewer', everybodysWide: 'viewer' },
    'explicit_member',
  ],
  ['a member with a rule below the default', { mineWide: 'viewer', everybodysWide: 'editor' }, 'default'],
  ['any member, by a default rule', { everybodys: 'viewer' }, 'default'],
  ['any member, without a rule', {}, 'default'],
])('M5.1/users-with-access the level of %s has the source %j: %s', (_who, change, source) => {
  expect(levelOfCase({ ...NOTHING, ...change }).source).toBe(source);
});

test.each([
  ['dashboard', 'editor', 'manager'],
  ['insight', 'editor', 'manager'],
  ['action', 'editor', 'manager'],
  ['activity_log', 'viewer', 'viewer'],
  ['project', 'member', 'admin'],
])('M5.2/default %s has %s without rules, and its creator %s', (resource, byDefault, highest) => {
  const question = { resource, resourceId: null, caller: MEMBER, rules: [] };
  expect(levelFor({ ...question, isCreator: false }).level).toBe(byDefault);
  expect(levelFor({ ...question, isCreator: true }).level).toBe(highest);
});

test('an action is never hidden, all other resources may be', () => {
  expect(levelsOf('action', actionResource.access?.minimum).minimum).toBe('viewer');
  for (const resource of ['dashboard', 'insight', 'project', 'activity_log', 'feature_flag'])
    expect(levelsOf(resource).minimum).toBe('none');
});

describe('the level inside a project', () => {
  const named = [null, 'none', 'member', 'admin'] as const;
  const inProject = (level: string, memberId: string | null) =>
    rule(level, { resource: 'project', resourceId: '1', memberId });

  test('is 8 for admins under any rule; for members their own rule, then the default rule, then 1', () => {
    const height = { none: 0, member: 1, admin: 8 } as const;
    for (const organizationLevel of [1, 8, 15]) {
      for (const mine of named) {
        for (const everybodys of named) {
          const rules = [
            ...(everybodys === null ? [] : [inProject(everybodys, null)]),
            ...(mine === null ? [] : [inProject(mine, ME)]),
            inProject('admin', SOMEBODY),
            rule('none', { resource: 'project', resourceId: '2' }),
            rule('none', { resourceId: '1', memberId: ME }),
          ];
          const expected = organizationLevel >= 8 ? 8 : height[mine ?? everybodys ?? 'member'];
          const level = projectLevelFor(1, { organizationLevel, membershipId: ME }, rules);
          expect({ organizationLevel, mine, everybodys, level }).toEqual({
            organizationLevel,
            mine,
            everybodys,
            level: expected,
          });
        }
      }
    }
  });
});

test('a level includes itself and all lower levels', () => {
  ACCESS_LEVELS.forEach((level, i) =>
    ACCESS_LEVELS.forEach((needed, j) => expect(isAtLeast(level, needed)).toBe(i >= j)),
  );
});
