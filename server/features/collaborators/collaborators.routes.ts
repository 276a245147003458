import { defineRoute, Reply, type ManagementRoute } from '../../http/define-route.ts';
import { embeddedUserOf } from '../users/index.ts';
import {
  addCollaboratorBody,
  collaborator,
  collaboratorParams,
  collaborators,
  collaboratorsParams,
  type CollaboratorJson,
} from './collaborators.contract.ts';
import type { Collaborators, KnownCollaborator } from './collaborators.service.ts';

const ALL = 'P/dashboards/:dashboard_id/collaborators/';

/** Management contract 4.1. A level cannot be changed: remove it and give it again. */
export function collaboratorRoutes(service: Collaborators): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: ALL,
      auth: 'key',
      scope: ['dashboard:read'],
      pathObject: 'dashboard',
      summary: 'Lists the collaborators of a restricted dashboard.',
      params: collaboratorsParams,
      response: collaborators,
      errors: ['dashboard_not_found'],
      lookup: ({ actor, project, params }) =>
        service.findDashboard(actor, project.id, params.dashboard_id, 'view'),
      handle: async ({ found }) => (await service.list(found.id)).map(collaboratorJsonOf),
    }),
    defineRoute({
      method: 'POST',
      path: ALL,
      auth: 'key',
      scope: ['dashboard:write'],
      pathObject: 'dashboard',
      summary: 'Adds a collaborator to a restricted dashboard.',
      params: collaboratorsParams,
      body: addCollaboratorBody,
      response: collaborator,
      status: 201,
      errors: ['dashboard_not_found', 'not_editable'],
      lookup: ({ actor, project, params }) =>
        service.findDashboard(actor, project.id, params.dashboard_id, 'edit'),
      handle: async ({ actor, found, body }) => collaboratorJsonOf(await service.add(actor, found, body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${ALL}:user__uuid/`,
      auth: 'key',
      scope: ['dashboard:write'],
      pathObject: 'dashboard',
      summary: 'Removes a collaborator from a restricted dashboard.',
      params: collaboratorParams,
      response: null,
      status: 204,
      errors: ['dashboard_not_found', 'not_editable', 'invalid_input'],
      lookup: ({ actor, project, params }) =>
        service.findDashboard(actor, project.id, params.dashboard_id, 'edit'),
      handle: async ({ actor, found, params }) => {
        await service.remove(actor, found, params.user__uuid);
        return Reply.empty(204);
      },
    }),
  ];
}

function collaboratorJsonOf({ row, user }: KnownCollaborator): CollaboratorJson {
  return {
    id: row.id,
    dashboard_id: row.dashboardId,
    user: embeddedUserOf(user),
    level: row.level,
    added_at: row.addedAt,
    updated_at: row.updatedAt,
    user_uuid: user.uuid,
  };
}
