import { fail } from '../errors.ts';
import type { Actor } from './define-route.ts';

/** The caller's organization when the path means it, by id or as `@current`. Throws not_found. */
export function organizationIdOf(params: { organization_id: string }, actor: Actor): string {
  const id = params.organization_id.toLowerCase();
  if (id === '@current' || id === actor.organizationId) return actor.organizationId;
  throw fail('not_found');
}
