import type { ErrorName } from '../../../errors.ts';
import { type Actor, type ManagementRoute, routesOf } from '../../../http/define-route.ts';
import { hasScope } from '../../../http/scopes.ts';
import type { Access } from '../../access/index.ts';
import { flagSimulationApi } from './flag-simulation.contract.ts';
import type { FlagSimulation } from './flag-simulation.service.ts';

const route = routesOf(flagSimulationApi);

const ERRORS: readonly ErrorName[] = ['invalid_operator', 'invalid_value', 'invalid_date'];

export function flagSimulationRoutes(simulator: FlagSimulation, access: Access): ManagementRoute[] {
  const shared = { auth: 'key', scope: ['feature_flag:read'], errors: ERRORS } as const;

  /** Persons and groups are shown only to users who may list them. */
  const shownTo =
    (actor: Actor, projectId: number) =>
    (kind: 'person' | 'group'): boolean =>
      hasScope(actor.scopes, [`${kind}:read`]) && access.levelOf(actor, projectId, kind, null) !== 'none';

  return [
    route('POST P/feature_flags/user_blast_radius/', {
      ...shared,
      summary: 'Counts the stored persons, or groups of a type, that match a condition.',
      handle: ({ project, body, signal }) => simulator.blastRadius(project.id, body, signal),
    }),
    route('POST P/burrow/feature_flags/simulate/', {
      ...shared,
      summary: 'Simulates a flag for stored persons or groups, with changes.',
      handle: ({ project, actor, body, signal }) =>
        simulator.simulate(project.id, body, { signal, shows: shownTo(actor, project.id) }),
    }),
  ];
}
