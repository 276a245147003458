import type { MemberJson as Member } from '../../../server/features/members/members.contract.ts';
import type { AccessLevel, AccessRule, DashboardAccess } from '../../api/access.api.ts';
import { userNameOf } from '../../composables/user-name.ts';
import { ADMIN } from '../../../server/lib/member-levels.contract.ts';

/** Who of a project may open a dashboard and who may edit it, for all who are not named. */
export type AccessMode = 'edit' | 'view' | 'named';
/** What one person may do. */
export type PersonChoice = 'none' | 'view' | 'edit' | 'manage';

/** A member of the organization, with the access level to the dashboard and its reason. */
export interface AccessPerson {
  membershipId: string;
  userUuid: string;
  name: string;
  email: string;
  choice: PersonChoice;
  why: string;
  /** Something is said of this person alone: a rule, a place among the collaborators, or rights of their own. */
  isNamed: boolean;
  /** The creator and admins have full access, whatever the rules are. */
  isFixed: boolean;
}

const LEVELS: readonly AccessLevel[] = ['none', 'viewer', 'editor', 'manager'];
const RESTRICTED = 37;

const rank = (level: string | undefined): number => LEVELS.indexOf(level as AccessLevel);

/** Matches the rules of a member, by membership; null: the rules for all members. */
export function isAbout(membershipId: string | null): (rule: AccessRule) => boolean {
  return (rule) => rule.organization_member === membershipId && rule.role === null;
}

const ofMember = (rules: readonly AccessRule[], id: string | null) => rules.find(isAbout(id));

/** The access of members without a rule. */
export function modeOf({ dashboard, rules }: DashboardAccess): AccessMode {
  const level = ofMember(rules, null)?.access_level;
  if (level === 'none') return 'named';
  return dashboard.restriction_level === RESTRICTED || level === 'viewer' ? 'view' : 'edit';
}

/** What a member may do by everything but a rule of their own for this dashboard. */
function levelWithoutRule({ rules, wideRules }: DashboardAccess, membershipId: string): AccessLevel {
  const wide = [ofMember(wideRules, membershipId), ofMember(wideRules, null)].map((rule) =>
    rank(rule?.resource === 'dashboard' ? rule.access_level : undefined),
  );
  const highest = Math.max(...wide);
  if (highest >= 0) return LEVELS[highest]!;
  return (ofMember(rules, null)?.access_level ?? 'editor') as AccessLevel;
}

/** All members of the organization, in order of joining. */
export function peopleOf(access: DashboardAccess): AccessPerson[] {
  return access.members.map((member) => personOf(access, member));
}

function personOf(access: DashboardAccess, member: Member): AccessPerson {
  const { id: membershipId, user } = member;
  const isMaker = access.dashboard.created_by?.uuid === user.uuid;
  const isAdmin =
    member.level >= ADMIN || ofMember(access.projectRules, membershipId)?.access_level === 'admin';
  const rule = ofMember(access.rules, membershipId);
  const isCollaborator = access.collaborators.some((one) => one.user_uuid === user.uuid);
  const isRestricted = access.dashboard.restriction_level === RESTRICTED;
  const reach = access.reaching.find((one) => one.organization_membership_id === membershipId);
  const level = rank(reach?.access_level ?? 'none');
  const canEdit = level >= rank('editor') && (!isRestricted || isMaker || isAdmin || isCollaborator);
  const choice =
    level <= 0 ? 'none' : !canEdit ? 'view' : level >= rank('manager') ? 'manage' : ('edit' as const);
  return {
    membershipId,
    userUuid: user.uuid,
    name: userNameOf(user),
    email: user.email,
    choice,
    why: isMaker
      ? 'Created it'
      : isAdmin
        ? 'Admin'
        : rule !== undefined || (isRestricted && isCollaborator)
          ? 'Added here'
          : 'Default access',
    isNamed: isMaker || isAdmin || rule !== undefined || (isRestricted && isCollaborator),
    isFixed: isMaker || isAdmin,
  };
}

/** What has to be written for a person to be able to do what is chosen. */
export interface AccessPlan {
  /** The person's rule; null: none. */
  rule: AccessLevel | null;
  /** Whether the person is to be a collaborator; null: that says nothing here. */
  collaborator: boolean | null;
}

/** The least that has to be said of a person so that they may do what is chosen, and no more. */
export function planFor(access: DashboardAccess, membershipId: string, choice: PersonChoice): AccessPlan {
  const base = levelWithoutRule(access, membershipId);
  const isRestricted = access.dashboard.restriction_level === RESTRICTED;
  const collaborator = isRestricted ? choice === 'edit' || choice === 'manage' : null;
  if (choice === 'manage') return { rule: 'manager', collaborator };
  if (choice === 'none') return { rule: base === 'none' ? null : 'none', collaborator };
  if (choice === 'edit')
    return { rule: base === 'editor' || base === 'manager' ? null : 'editor', collaborator };
  const isEnough = isRestricted ? base === 'viewer' || base === 'editor' : base === 'viewer';
  return { rule: isEnough ? null : 'viewer', collaborator };
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
/** More names than this are a number. */
const MOST_NAMES = 4;

function named(people: readonly AccessPerson[]): string {
  const names = people.map(({ name }) => name);
  if (names.length <= MOST_NAMES) return LIST.format(names);
  return LIST.format([...names.slice(0, MOST_NAMES - 1), `${names.length - MOST_NAMES + 1} others`]);
}

/** Who may open a dashboard and who may edit it, in one or two sentences. */
export function accessSentence(people: readonly AccessPerson[], project: string): string {
  const opening = people.filter(({ choice }) => choice !== 'none');
  const editing = people.filter(({ choice }) => choice === 'edit' || choice === 'manage');
  if (people.length === 1)
    return `You are the only member of ${project}: no one else can view or edit this dashboard.`;
  const open =
    opening.length === people.length
      ? `All ${people.length} members of ${project} can view this dashboard`
      : `${opening.length} of ${people.length} members of ${project} can view this dashboard: ${named(opening)}`;
  if (editing.length === opening.length)
    return `${open}${opening.length === people.length ? ' and edit it' : '; all of them can edit it'}.`;
  return `${open}. Only ${named(editing)} can edit it: they created it, are admins, or were added here.`;
}
