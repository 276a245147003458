import type { Db } from '../../db/db.ts';
import type { Resource } from '../../http/define-resource.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { readableResources, type Access } from '../access/index.ts';
import { tagsApi } from './tags.contract.ts';
import { listTags } from './tags.reads.ts';

const route = routesOf(tagsApi);

/** The tags that a project has given to anything (management contract 9.10). */
export function tagRoutes({
  db,
  access,
  resources,
}: {
  db: Db;
  access: Access;
  resources: readonly Resource[];
}): ManagementRoute[] {
  const tables = new Map(
    resources.flatMap(({ noun, tags, table }) => (tags && table !== undefined ? [[noun, table]] : [])),
  );
  const nouns = [...tables.keys()];
  return [
    route('GET P/tags/', {
      auth: 'key',
      scope: ['project:read', ...nouns.map((noun) => `${noun}:read` as const)],
      summary: 'Lists the tags of all objects that your key can read.',
      handle: ({ project, actor }) =>
        listTags(db, {
          projectId: project.id,
          userId: actor.user.id,
          tables,
          among: readableResources(access, actor, project.id, nouns),
        }),
    }),
  ];
}
