import { z } from 'zod';
import { defineRoute, Reply, type Actor, type ManagementRoute } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import { cohort, type CohortJson } from '../cohorts/index.ts';
import { flagParams } from './feature-flags.contract.ts';
import type { FindFlag } from './find-flag.ts';
import type { Flag } from './flag-row.ts';

export interface FlagCohortParts {
  access: Access;
  clock: Clock;
  find: FindFlag;
  /** Ids of the stored persons for whom a flag is on. */
  personsOn: (projectId: number, flag: Flag, signal: AbortSignal) => Promise<readonly number[]>;
  /** Makes a cohort that is a list of persons. */
  createStaticCohort: (
    actor: Actor,
    projectId: number,
    list: { name: string; personIds: readonly number[] },
  ) => Promise<CohortJson>;
}

/** A list of all persons for whom a flag is on, as it is now. */
export function flagCohortRoutes(parts: FlagCohortParts): ManagementRoute[] {
  const { clock, find, personsOn, createStaticCohort } = parts;
  return [
    defineRoute({
      method: 'POST',
      path: 'P/feature_flags/:id/create_static_cohort_for_flag/',
      auth: 'key',
      scope: ['cohort:write'],
      andScope: ['feature_flag:read'],
      pathObject: 'feature_flag',
      summary: 'Creates a static cohort of all persons for whom a feature flag is currently enabled.',
      params: flagParams,
      response: z.strictObject({ cohort }),
      errors: ['invalid_input'],
      status: 201,
      lookup: (context) => find(context, 'viewer'),
      handle: async ({ actor, project, found, signal }) => {
        const personIds = found.deleted ? [] : await personsOn(project.id, found, signal);
        const moment = new Date(clock()).toISOString().slice(0, 19).replace('T', ' ');
        // Names of cohorts are shorter than keys may be.
        const name = `Persons with ${found.key.slice(0, 300)} enabled, ${moment}`;
        return Reply.json(201, {
          cohort: await createStaticCohort(actor, project.id, { name, personIds }),
        });
      },
    }),
  ];
}
