import { fail } from '../../errors.ts';
import { CHALLENGE, getProject, type ProjectLookup } from '../../http/auth.ts';
import type { ProjectRef } from '../../http/define-route.ts';

/** How project secret keys begin (management contract 2.2). */
export const SECRET_PREFIX = 'phs_';

export interface SecretLookup {
  /** The id of the project whose secret key this is, or null. */
  projectOfSecret: (secret: string) => number | null;
  projects: ProjectLookup;
}

/**
 * The project that a secret key speaks for, which is `@current` too. `id` and `token` may name it, as with a personal key.
 * Throws authentication_failed, and key_excludes_project when they name another.
 */
export function projectOfSecret(
  secret: string,
  { id, token }: { id: string; token: string | null },
  { projectOfSecret: find, projects }: SecretLookup,
): ProjectRef {
  const ownId = find(secret);
  const own = ownId === null ? null : projects.find(ownId);
  if (own === null) {
    const detail = 'This project secret API key is not valid.';
    throw fail('authentication_failed', { detail, headers: CHALLENGE });
  }
  if (getProject(id, token, { currentProjectId: own.id }, projects).id !== own.id)
    throw fail('key_excludes_project');
  return own;
}
