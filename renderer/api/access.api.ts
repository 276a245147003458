import type {
  AccessControl,
  AccessControls,
  UsersWithAccess,
} from '../../server/features/access-controls/access-controls.contract.ts';
import type { CollaboratorJson } from '../../server/features/collaborators/collaborators.contract.ts';
import type { DashboardJson } from '../../server/features/dashboards/dashboards.contract.ts';
import { listMembers, type Member } from './members.api.ts';
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
  members: Member[];
}

const projectPath = (projectId: number): string => `/api/projects/${projectId}/`;
const dashboardPath = (projectId: number, id: number, rest = ''): string =>
  `${projectPath(projectId)}dashboards/${id}/${rest}`;

/** Who may see and edit a dashboard, and by what. */
export async function getDashboardAccess(projectId: number, id: number): Promise<DashboardAccess> {
  const [own, wide, project, reaching, collaborators, members] = await Promise.all([
    request<DashboardJson & AccessControls>(dashboardPath(projectId, id, 'access_controls/')),
    request<AccessControls>(dashboardPath(projectId, id, 'global_access_controls/')),
    request<AccessControls>(`${projectPath(projectId)}access_controls/`),
    request<UsersWithAccess>(dashboardPath(projectId, id, 'users_with_access/')),
    request<CollaboratorJson[]>(dashboardPath(projectId, id, 'collaborators/')),
    listMembers(),
  ]);
  return {
    dashboard: own,
    rules: own.access_controls,
    wideRules: wide.access_controls,
    projectRules: project.access_controls,
    canEditLevels: own.user_can_edit_access_levels,
    reaching: reaching.users,
    collaborators,
    members,
  };
}

/** 21: all members of the project may edit a dashboard; 37: only those it names. */
export function setRestriction(projectId: number, id: number, level: 21 | 37): Promise<void> {
  return request(dashboardPath(projectId, id), { method: 'PATCH', body: { restriction_level: level } });
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
  return request(dashboardPath(projectId, id, 'access_controls/'), {
    method: 'PUT',
    body: { access_level: level, organization_member: membershipId },
  });
}

/** Lets a user edit a restricted dashboard. */
export function addCollaborator(projectId: number, id: number, userUuid: string): Promise<void> {
  return request(dashboardPath(projectId, id, 'collaborators/'), {
    method: 'POST',
    body: { level: 37, user_uuid: userUuid },
  });
}

/** Removes a user's edit access to a restricted dashboard. */
export function removeCollaborator(projectId: number, id: number, userUuid: string): Promise<void> {
  return request(dashboardPath(projectId, id, `collaborators/${userUuid}/`), { method: 'DELETE' });
}
