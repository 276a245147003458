import type { Resource } from '../../http/define-resource.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

/** Access levels of objects, lowest first (management contract 3.2). */
export const ACCESS_LEVELS = ['none', 'viewer', 'editor', 'manager'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** Access levels of a project, lowest first. */
export const PROJECT_LEVELS = ['none', 'member', 'admin'] as const;
export type ProjectAccessLevel = (typeof PROJECT_LEVELS)[number];

/** Whether a level of objects is at least another. */
export function isAtLeast(level: AccessLevel, needed: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(needed);
}

/** A rule of a project. Neither member nor role: it is for all members. No resource id: it is for the whole resource. */
export interface AccessRule {
  readonly id: string;
  readonly projectId: number;
  readonly resource: string;
  readonly resourceId: string | null;
  /** The id of a membership, not of a user. */
  readonly memberId: string | null;
  readonly roleId: string | null;
  readonly accessLevel: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What rules depend on of a caller. */
export interface AccessCaller {
  /** 1 member, 8 admin, 15 owner. */
  readonly organizationLevel: number;
  readonly membershipId: string;
}

/**
 * Names in scopes that rules of a project may be about too (management contract 2.3), without stored objects of a project:
 * what the whole server has, and what PostHog has.
 */
const OTHER_RESOURCES = [
  'access_control',
  'activity_log',
  'batch_export',
  'experiment',
  'export',
  'notebook',
  'organization',
  'organization_member',
  'plugin',
  'project',
  'query',
  'session_recording',
  'session_recording_playlist',
  'subscription',
  'user',
  'webhook',
];

/** What rules of a project may be about, in alphabetical order. */
export function ruleResources(resources: readonly Resource[]): string[] {
  return [...OTHER_RESOURCES, ...resources.map(({ noun }) => noun)].toSorted();
}

/** Levels of a resource: what it has without rules, and the bounds of what rules can give (management contract 5.2). */
export interface ResourceLevels {
  readonly levels: readonly string[];
  readonly byDefault: string;
  readonly minimum: string;
  readonly maximum: string;
}

/** The lowest level that rules of a resource may give. */
type ResourceMinimum = NonNullable<Resource['access']>['minimum'] | 'none';

/** The levels of a resource by its name in scopes. */
export function levelsOf(resource: string, minimum: ResourceMinimum = 'none'): ResourceLevels {
  if (resource === 'project')
    return { levels: PROJECT_LEVELS, byDefault: 'member', minimum: 'none', maximum: 'admin' };
  if (resource === 'activity_log')
    return { levels: ACCESS_LEVELS, byDefault: 'viewer', minimum: 'none', maximum: 'viewer' };
  return { levels: ACCESS_LEVELS, byDefault: 'editor', minimum, maximum: 'manager' };
}

/** The levels that a rule about a resource may give. */
export function grantableLevels({ levels, minimum, maximum }: ResourceLevels): readonly string[] {
  return levels.slice(levels.indexOf(minimum), levels.indexOf(maximum) + 1);
}

/** Where a level comes from (management contract 5.1, users_with_access). */
export type AccessSource = 'creator' | 'organization_admin' | 'project_admin' | 'explicit_member' | 'default';

export interface LevelInput {
  readonly resource: string;
  /** The object, or null for the resource as a whole. */
  readonly resourceId: string | null;
  readonly isCreator: boolean;
  readonly caller: AccessCaller;
  /** Every rule of the project. */
  readonly rules: readonly AccessRule[];
}

/**
 * The caller's level for an object or a whole resource, and why (management contract 5.2): creators and admins have the
 * highest; then the highest rule for this object that names the caller; then the highest rule for the whole resource
 * that concerns the caller; then the object's rule for all members; then the resource's own default.
 */
export function levelFor(input: LevelInput): { level: string; source: AccessSource } {
  const { resource, resourceId, isCreator, caller, rules } = input;
  const { levels, byDefault, maximum } = levelsOf(resource);
  if (isCreator) return { level: maximum, source: 'creator' };
  if (caller.organizationLevel >= ADMIN) return { level: maximum, source: 'organization_admin' };
  const ofResource = rules.filter((rule) => rule.resource === resource);
  const ofObject = resourceId === null ? [] : ofResource.filter((rule) => rule.resourceId === resourceId);
  const isMine = (rule: AccessRule) => rule.memberId === caller.membershipId;
  const isForAll = (rule: AccessRule) => rule.memberId === null && rule.roleId === null;
  const highest = (some: readonly AccessRule[]) =>
    levels.findLast((level) => some.some((rule) => rule.accessLevel === level));

  const named = highest(ofObject.filter(isMine));
  if (named !== undefined) return { level: named, source: 'explicit_member' };
  const whole = ofResource.filter((rule) => rule.resourceId === null && (isMine(rule) || isForAll(rule)));
  const wide = highest(whole);
  if (wide !== undefined) {
    const isNamed = whole.some((rule) => isMine(rule) && rule.accessLevel === wide);
    return { level: wide, source: isNamed ? 'explicit_member' : 'default' };
  }
  return { level: highest(ofObject.filter(isForAll)) ?? byDefault, source: 'default' };
}

/**
 * The caller's level inside a project: 8 for admins of the organization and for whom a rule of the project names one, 0
 * where a rule says `none`, else 1 (management contract 2.9, 11 point 4).
 */
export function projectLevelFor(
  projectId: number,
  caller: AccessCaller,
  rules: readonly AccessRule[],
): 0 | 1 | 8 {
  const { level } = levelFor({
    resource: 'project',
    resourceId: String(projectId),
    isCreator: false,
    caller,
    rules,
  });
  return level === 'admin' ? 8 : level === 'none' ? 0 : 1;
}
