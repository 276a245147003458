import type { Db } from '../../db/db.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import { readableResources, type Access } from '../access/index.ts';
import { tagNames } from './tags.contract.ts';
import { listTags, TAGGED } from './tags.reads.ts';

/** The tags that a project has given to anything (management contract 9.10). */
export function tagRoutes({ db, access }: { db: Db; access: Access }): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'P/tags/',
      auth: 'key',
      scope: ['project:read', ...TAGGED.map((resource) => `${resource}:read` as const)],
      summary: 'Lists the tags of all objects that your key can read.',
      response: tagNames,
      handle: ({ project, actor }) =>
        listTags(db, {
          projectId: project.id,
          userId: actor.user.id,
          among: readableResources(access, actor, project.id, TAGGED),
        }),
    }),
  ];
}
