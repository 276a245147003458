import type { Resource } from '../../http/define-resource.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import type { ProjectLog } from './activity-log.reads.ts';

const PROJECT_ADMIN = 8;
/** Who may do what is for those to read who may change it. */
const FOR_ADMINS = ['AccessControl'];

export type LogOf = (actor: Actor, projectId: number) => ProjectLog;

/** What the actor may read of a project's log: nothing about objects that are hidden from it. */
export function createLogOf(access: Access, resources: readonly Resource[]): LogOf {
  return (actor, projectId) => {
    const partlySeen = resources
      .map((resource) => ({ resource, ...access.visibility(actor, projectId, resource.noun) }))
      .filter(({ byDefault, exceptions }) => !byDefault || exceptions.length > 0);
    const isAdmin = access.projectLevel(actor, projectId) >= PROJECT_ADMIN;
    return { projectId, userId: actor.user.id, partlySeen, withoutScopes: isAdmin ? [] : FOR_ADMINS };
  };
}
