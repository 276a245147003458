import type { AccessRule, AccessSource, ResourceLevels } from '../access/index.ts';
import type { AccessControl, AccessControls, UsersWithAccess } from './access-controls.contract.ts';

/** A rule as it is shown. */
export function accessControlOf(rule: AccessRule): AccessControl {
  return {
    access_level: rule.accessLevel,
    resource: rule.resource,
    resource_id: rule.resourceId,
    organization_member: rule.memberId,
    role: rule.roleId,
    created_by: null,
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
  };
}

/** Rules with the levels of their resource and what the caller has and may do. */
export function accessControlsOf(
  rules: readonly AccessRule[],
  { levels, byDefault, minimum, maximum }: ResourceLevels,
  { level, canEditLevels }: { level: string; canEditLevels: boolean },
): AccessControls {
  return {
    access_controls: rules.map(accessControlOf),
    available_access_levels: [...levels],
    default_access_level: byDefault,
    minimum_access_level: minimum,
    maximum_access_level: maximum,
    user_access_level: level,
    user_can_edit_access_levels: canEditLevels,
  };
}

const LEVEL_WORDS = { 1: 'member', 8: 'admin', 15: 'owner' } as const;

/** A member who may reach an object. */
export interface Reach {
  readonly userUuid: string;
  readonly membershipId: string;
  readonly organizationLevel: 1 | 8 | 15;
  readonly level: string;
  readonly source: AccessSource;
}

export function usersWithAccessOf(reaching: readonly Reach[]): UsersWithAccess {
  return {
    users: reaching.map((one) => ({
      user_id: one.userUuid,
      access_level: one.level,
      access_source: one.source,
      organization_membership_id: one.membershipId,
      organization_membership_level: LEVEL_WORDS[one.organizationLevel],
    })),
    total_count: reaching.length,
  };
}
