import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Projects } from '../projects/index.ts';
import type { PatchKeyBody } from './personal-api-keys.contract.ts';

/** What a key is restricted to; an empty list: nothing in particular. */
export interface KeyRestrictions {
  scopedProjects: readonly number[];
  scopedOrganizations: readonly string[];
}

/**
 * The restrictions of a body, and `known` for missing fields. Throws invalid_input for a project that the actor may
 * not enter, and for another organization than the actor's.
 */
export function readRestrictions(
  body: PatchKeyBody,
  known: KeyRestrictions,
  actor: Actor,
  projects: Projects,
): KeyRestrictions {
  const { scoped_teams: teams, scoped_organizations: organizations } = body;
  const scopedProjects = teams === undefined ? known.scopedProjects : [...new Set(teams)];
  const scopedOrganizations =
    organizations === undefined
      ? known.scopedOrganizations
      : [...new Set((organizations ?? []).map((id) => id.toLowerCase()))];
  if (teams != null && scopedProjects.some((id) => !projects.mayEnter(actor, id)))
    throw fail('invalid_input', {
      attr: 'scoped_teams',
      detail: 'You do not have access to one of these projects.',
    });
  if (organizations != null && scopedOrganizations.some((id) => id !== actor.organizationId))
    throw fail('invalid_input', {
      attr: 'scoped_organizations',
      detail: 'You do not have access to one of these organizations.',
    });
  return { scopedProjects, scopedOrganizations };
}
