import type { Db } from '../../db/db.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import { listGroupTypesJson } from './group-json.ts';
import { groupTypeParams, groupTypes, updateGroupTypesBody, type GroupTypeJson } from './groups.contract.ts';
import type { Groups } from './groups.service.ts';

/** The routes of group types; types are made by events alone. */
export function groupTypeRoutes({ groups, db }: { groups: Groups; db: Db }): ManagementRoute[] {
  const list = (projectId: number): Promise<GroupTypeJson[]> => listGroupTypesJson(db, projectId);
  return [
    defineRoute({
      method: 'GET',
      path: 'P/groups_types/',
      auth: 'key',
      scope: ['group:read'],
      summary: 'Lists group types, up to 5.',
      response: groupTypes,
      handle: ({ project }) => list(project.id),
    }),
    defineRoute({
      method: 'PATCH',
      path: 'P/groups_types/update_metadata/',
      auth: 'key',
      scope: ['group:write'],
      summary: 'Sets the display names of group types.',
      body: updateGroupTypesBody,
      response: groupTypes,
      errors: ['does_not_exist'],
      handle: async ({ project, body }) => {
        const names = body.map((type) => ({
          index: type.group_type_index,
          nameSingular: type.name_singular,
          namePlural: type.name_plural,
        }));
        await groups.renameTypes(project.id, names);
        return list(project.id);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: 'P/groups_types/:index/',
      auth: 'key',
      scope: ['group:write'],
      summary: 'Deletes a group type.',
      params: groupTypeParams,
      response: null,
      handle: async ({ project, params }) => {
        await groups.deleteType(project.id, params.index);
      },
    }),
  ];
}
