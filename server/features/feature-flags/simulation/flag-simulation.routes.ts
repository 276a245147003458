import type { ErrorName } from '../../../errors.ts';
import { defineRoute, type Actor, type ManagementRoute } from '../../../http/define-route.ts';
import { hasScope } from '../../../http/scopes.ts';
import type { Access } from '../../access/index.ts';
import { blastRadius, blastRadiusBody, simulateBody, simulation } from './flag-simulation.contract.ts';
import type { FlagSimulation } from './flag-simulation.service.ts';

const ERRORS: readonly ErrorName[] = ['invalid_operator', 'invalid_value', 'invalid_date'];

export function flagSimulationRoutes(simulator: FlagSimulation, access: Access): ManagementRoute[] {
  const route = { auth: 'key', scope: ['feature_flag:read'], method: 'POST', errors: ERRORS } as const;

  /** Persons and groups are shown only to users who may list them. */
  const shownTo =
    (actor: Actor, projectId: number) =>
    (kind: 'person' | 'group'): boolean =>
      hasScope(actor.scopes, [`${kind}:read`]) && access.levelOf(actor, projectId, kind, null) !== 'none';

  return [
    defineRoute({
      ...route,
      path: 'P/feature_flags/user_blast_radius/',
      summary: 'Counts the stored persons, or groups of a type, that match a condition.',
      body: blastRadiusBody,
      response: blastRadius,
      handle: ({ project, body, signal }) => simulator.blastRadius(project.id, body, signal),
    }),
    defineRoute({
      ...route,
      path: 'P/burrow/feature_flags/simulate/',
      summary: 'Simulates a flag for stored persons or groups, with changes.',
      body: simulateBody,
      response: simulation,
      handle: ({ project, actor, body, signal }) =>
        simulator.simulate(project.id, body, { signal, shows: shownTo(actor, project.id) }),
    }),
  ];
}
