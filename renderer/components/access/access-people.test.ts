import { describe, expect, test } from 'vitest';
import type { AccessLevel, AccessRule, DashboardAccess } from '../../api/access.api.ts';
import { accessSentence, modeOf, peopleOf, planFor } from './access-people.ts';

type Reaching = DashboardAccess['reaching'][number];

const NAMES = ['Mira', 'Jonas', 'Priya', 'Tom'];
const uuidOf = (place: number): string => `0190f0c1-0000-7000-8000-00000000000${place}`;
const membershipOf = (place: number): string => `0190f0c1-1111-7000-8000-00000000000${place}`;

function rule(level: AccessLevel, place: number | null): AccessRule {
  return {
    access_level: level,
    resource: 'dashboard',
    resource_id: '7',
    organization_member: place === null ? null : membershipOf(place),
    role: null,
    created_by: null,
    created_at: '',
    updated_at: '',
  };
}

const userOf = (place: number) => ({
  id: place,
  uuid: uuidOf(place),
  distinct_id: '',
  first_name: NAMES[place]!,
  last_name: '',
  email: `${NAMES[place]!.toLowerCase()}@local.test`,
  is_email_verified: null,
  hedgehog_config: null,
  role_at_organization: null,
});

/** Mira is an admin, Jonas is the creator, Priya and Tom are plain members. */
function accessOf({
  levels = ['manager', 'manager', 'editor', 'editor'],
  ...rest
}: Partial<DashboardAccess> & { levels?: AccessLevel[] } = {}): DashboardAccess {
  return {
    dashboard: { id: 7, created_by: userOf(1), restriction_level: 21 },
    rules: [],
    wideRules: [],
    projectRules: [],
    canEditLevels: true,
    collaborators: [],
    members: NAMES.map((_, place) => ({
      id: membershipOf(place),
      user: userOf(place),
      level: place === 0 ? 8 : 1,
      joined_at: '',
      updated_at: '',
      is_2fa_enabled: false,
      has_social_auth: false,
      last_login: null,
    })),
    reaching: levels.flatMap((level, place): Reaching[] =>
      level === 'none'
        ? []
        : [
            {
              user_id: uuidOf(place),
              access_level: level,
              access_source: 'default',
              organization_membership_id: membershipOf(place),
              organization_membership_level: 'member',
            },
          ],
    ),
    ...rest,
  };
}

const restricted = { id: 7, created_by: userOf(1), restriction_level: 37 } as const;
const collaborator = (place: number) =>
  ({ user_uuid: uuidOf(place) }) as DashboardAccess['collaborators'][number];

describe('the default access of users without a rule', () => {
  test.each([
    ['edit', {}],
    ['view', { dashboard: restricted }],
    ['view', { rules: [rule('viewer', null)] }],
    ['named', { rules: [rule('none', null)] }],
    ['edit', { rules: [rule('none', 3)] }],
  ] as const)('is %s', (mode, access) => {
    expect(modeOf(accessOf(access as Partial<DashboardAccess>))).toBe(mode);
  });
});

describe('the access of a person', () => {
  const choices = (access: DashboardAccess) => peopleOf(access).map(({ choice }) => choice);

  test('is edit for every member by default', () => {
    expect(choices(accessOf())).toEqual(['manage', 'manage', 'edit', 'edit']);
    expect(peopleOf(accessOf()).map(({ why }) => why)).toEqual([
      'Admin',
      'Created it',
      'Default access',
      'Default access',
    ]);
  });

  test('of a restricted dashboard is view, except for its creator, admins and collaborators', () => {
    const access = accessOf({ dashboard: restricted, collaborators: [collaborator(3)] });
    expect(choices(access)).toEqual(['manage', 'manage', 'view', 'edit']);
    expect(
      peopleOf(access)
        .filter(({ isNamed }) => isNamed)
        .map(({ name }) => name),
    ).toEqual(['Mira', 'Jonas', 'Tom']);
  });

  test('is none for members who cannot view it', () => {
    expect(choices(accessOf({ levels: ['manager', 'manager', 'none', 'viewer'] })).slice(2)).toEqual([
      'none',
      'view',
    ]);
  });

  test('an admin of the project by a rule can edit a restricted dashboard too', () => {
    const projectRules = [{ ...rule('none', 2), access_level: 'admin', resource: 'project' }];
    expect(choices(accessOf({ dashboard: restricted, projectRules }))[2]).toBe('edit');
  });
});

describe('the changes written for a person', () => {
  test.each([
    ['edit', {}, { rule: null, collaborator: null }],
    ['view', {}, { rule: 'viewer', collaborator: null }],
    ['none', {}, { rule: 'none', collaborator: null }],
    ['manage', {}, { rule: 'manager', collaborator: null }],
    ['edit', { dashboard: restricted }, { rule: null, collaborator: true }],
    ['view', { dashboard: restricted }, { rule: null, collaborator: false }],
    ['none', { dashboard: restricted }, { rule: 'none', collaborator: false }],
    ['edit', { dashboard: restricted, rules: [rule('none', null)] }, { rule: 'editor', collaborator: true }],
    ['view', { dashboard: restricted, rules: [rule('none', null)] }, { rule: 'viewer', collaborator: false }],
    ['none', { rules: [rule('none', null)] }, { rule: null, collaborator: null }],
    [
      'edit',
      { wideRules: [{ ...rule('viewer', null), resource_id: null }] },
      { rule: 'editor', collaborator: null },
    ],
    [
      'view',
      { wideRules: [{ ...rule('viewer', null), resource_id: null }] },
      { rule: null, collaborator: null },
    ],
  ] as const)('to grant %s are the minimum needed', (choice, access, plan) => {
    expect(planFor(accessOf(access as Partial<DashboardAccess>), membershipOf(2), choice)).toEqual(plan);
  });
});

describe('the summary of who has access', () => {
  const sentence = (access: DashboardAccess) => accessSentence(peopleOf(access), 'Paperboat');

  test('shows that all members can edit', () => {
    expect(sentence(accessOf())).toBe('All 4 members of Paperboat can view this dashboard and edit it.');
  });

  test('lists who can edit, and why', () => {
    expect(sentence(accessOf({ dashboard: restricted, collaborators: [collaborator(3)] }))).toBe(
      'All 4 members of Paperboat can view this dashboard. Only Mira, Jonas, and Tom can edit it: they created it, are admins, or were added here.',
    );
  });

  test('lists who can view, when not all members can', () => {
    expect(sentence(accessOf({ levels: ['manager', 'manager', 'none', 'none'] }))).toBe(
      '2 of 4 members of Paperboat can view this dashboard: Mira and Jonas; all of them can edit it.',
    );
  });
});
