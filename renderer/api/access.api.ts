import type {
  AccessControl,
  AccessControls,
  UsersWithAccess,
} from '../../server/features/access-controls/access-controls.contract.ts';
import type { CollaboratorJson } from '../../server/features/collaborators/collaborators.contract.ts';
import type { DashboardJson } from '../../server/features/dashboards/dashboards.contract.ts';
import type { MemberJson } from '../../server/features/members/members.contract.ts';
import { addressOf, api } from './client.ts';
import { request } from './http.ts';

/** A rule for one member, or (without a member) for all members. */
export type AccessRule = AccessControl;
export type AccessLevel = 'none' | 'viewer' | 'editor' | 'manager';

/** Everything that decides who may see and edit a dashboard. */
export interface DashboardAccess {
  dashboard: Pick<DashboardJson, 'id' | 'created_by' | 'restriction_level'>;
  /** Of this dashboard. */
  rules: AccessRule[];
  /** Of all dashboards of the project. */
  wideRules: AccessRule[];
  /** Of the project: who may enter it, and who is its admin. */
  projectRules: AccessRule[];
  /** Whether the caller may change rules. */
  canEditLevels: boolean;
  reaching: UsersWithAccess['users'];
  collaborators: CollaboratorJson[];
  members: MemberJson[];
}

/** Who may see and edit a dashboard, and by what. The server builds the paths of rules for each resource; no contract has them. */
export async function getDashboardAccess(projectId: number, id: number): Promise<DashboardAccess> {
  const path = addressOf('P/dashboards/:id/', { projectId, id });
  const [own, wide, project, reaching, collaborators, members] = await Promise.all([
    request<DashboardJson & AccessControls>(`${path}access_controls/`),
    request<AccessControls>(`${path}global_access_controls/`),
    api.get('P/access_controls/', { projectId }),
    request<UsersWithAccess>(`${path}users_with_access/`),
    api.get('P/dashboards/:dashboard_id/collaborators/', { projectId, dashboard_id: id }),
    api.get('/api/organizations/:organization_id/members/', {
      organization_id: '@current',
      query: { order: 'joined_at', limit: 10_000 },
    }),
  ]);
  return {
    dashboard: own,
    rules: own.access_controls,
    wideRules: wide.access_controls,
    projectRules: project.access_controls,
    canEditLevels: own.user_can_edit_access_levels,
    reaching: reaching.users,
    collaborators,
    members: members.results,
  };
}

/**
 * Sets the access level of a member (by membership), or with `null` of all members, to a dashboard; the level `null`
 * deletes the rule.
 */
export function setAccessRule(
  projectId: number,
  id: number,
  membershipId: string | null,
  level: AccessLevel | null,
): Promise<void> {
  return request(`${addressOf('P/dashboards/:id/', { projectId, id })}access_controls/`, {
    method: 'PUT',
    body: { access_level: level, organization_member: membershipId },
  });
}
