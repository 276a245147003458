import { Reply, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { embeddedUserOf } from '../users/index.ts';
import { type CollaboratorJson, collaboratorsApi } from './collaborators.contract.ts';
import type { Collaborators, KnownCollaborator } from './collaborators.service.ts';

const route = routesOf(collaboratorsApi);

/** Management contract 4.1. A level cannot be changed: remove it and give it again. */
export function collaboratorRoutes(service: Collaborators): ManagementRoute[] {
  return [
    route('GET P/dashboards/:dashboard_id/collaborators/', {
      auth: 'key',
      scope: ['dashboard:read'],
      pathObject: 'dashboard',
      summary: 'Lists the collaborators of a restricted dashboard.',
      errors: ['dashboard_not_found'],
      lookup: ({ actor, project, params }) =>
        service.findDashboard(actor, project.id, params.dashboard_id, 'view'),
      handle: async ({ found }) => (await service.list(found.id)).map(collaboratorJsonOf),
    }),
    route('POST P/dashboards/:dashboard_id/collaborators/', {
      auth: 'key',
      scope: ['dashboard:write'],
      pathObject: 'dashboard',
      summary: 'Adds a collaborator to a restricted dashboard.',
      status: 201,
      errors: ['dashboard_not_found', 'not_editable'],
      lookup: ({ actor, project, params }) =>
        service.findDashboard(actor, project.id, params.dashboard_id, 'edit'),
      handle: async ({ actor, found, body }) => collaboratorJsonOf(await service.add(actor, found, body)),
    }),
    route('DELETE P/dashboards/:dashboard_id/collaborators/:user__uuid/', {
      auth: 'key',
      scope: ['dashboard:write'],
      pathObject: 'dashboard',
      summary: 'Removes a collaborator from a restricted dashboard.',
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
