import { z } from 'zod';
import { pathId, lenient } from '../../http/fields.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

/** 21 can view, 37 can edit (management contract 3.2). */
const level = z.literal([21, 37]);

/** Who else may edit a restricted dashboard (management contract 4.1). */
const collaborator = z
  .strictObject({
    id: z.uuid(),
    dashboard_id: z.int(),
    user: embeddedUser,
    level,
    added_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    user_uuid: z.uuid(),
  })
  .meta({ id: 'DashboardCollaborator' });
export type CollaboratorJson = z.output<typeof collaborator>;

const collaborators = z.array(collaborator);

const addCollaboratorBody = z.object({
  level: lenient(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    level,
  ),
  user_uuid: z.guid().toLowerCase(),
});
export type AddCollaborator = z.output<typeof addCollaboratorBody>;

const collaboratorsParams = z.object({ dashboard_id: pathId() });
const collaboratorParams = collaboratorsParams.extend({ user__uuid: z.guid().toLowerCase() });

export const collaboratorsApi = {
  'GET P/dashboards/:dashboard_id/collaborators/': { params: collaboratorsParams, response: collaborators },
  'POST P/dashboards/:dashboard_id/collaborators/': {
    params: collaboratorsParams,
    body: addCollaboratorBody,
    response: collaborator,
  },
  'DELETE P/dashboards/:dashboard_id/collaborators/:user__uuid/': {
    params: collaboratorParams,
    response: null,
  },
};
