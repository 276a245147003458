import { ApiError } from '../../../errors.ts';
import type { Actor } from '../../../http/define-route.ts';
import { isAtLeast, type Access, type AccessObject } from '../../access/index.ts';

/** What something is refused for, in a sentence; anything else that was thrown goes on. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const { attr, message } = error;
  // What is said about these two names what is wrong in them.
  return attr === null || attr === 'filters' || attr === 'key' ? message : `${attr}: ${message}`;
}

/** Whether the actor may change an object, or with null make one. */
export function mayEdit(
  access: Access,
  actor: Actor,
  projectId: number,
  resource: 'feature_flag' | 'cohort',
  object: AccessObject | null,
): boolean {
  return isAtLeast(access.levelOf(actor, projectId, resource, object), 'editor');
}
