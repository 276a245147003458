import type { Actor } from '../../http/define-route.ts';
import { hasScope } from '../../http/scopes.ts';
import type { Access } from './access.service.ts';

/** What a caller may read of a resource: see `Access.visibility`. */
export interface ReadableResource<R extends string = string> {
  readonly resource: R;
  readonly byDefault: boolean;
  readonly exceptions: readonly number[];
}

/**
 * The resources of which the actor may read anything, by the scopes of its key and by the rules, for routes that read
 * across resources: they answer with what is left, not with a refusal.
 */
export function readableResources<R extends string>(
  access: Pick<Access, 'visibility'>,
  actor: Actor,
  projectId: number,
  resources: readonly R[],
): ReadableResource<R>[] {
  return resources
    .filter((resource) => hasScope(actor.scopes, [`${resource}:read`]))
    .map((resource) => ({ resource, ...access.visibility(actor, projectId, resource) }));
}
