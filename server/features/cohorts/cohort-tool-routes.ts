import { withQueryOptions } from '../../db/db.ts';
import { hasScope } from '../../http/scopes.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { listPersonsByIds } from '../persons/index.ts';
import { cohortsApi } from './cohorts.contract.ts';
import { countPersonsWith, listMemberIds, personCondition } from './cohorts.reads.ts';
import type { CohortRouteParts } from './cohort-route-parts.ts';
import type { FlagUse } from './cohort-uses.ts';

const route = routesOf(cohortsApi);

/** Persons that a preview shows. */
const SAMPLE = { limit: 10, offset: 0 };

/** Routes of the console about cohorts, beyond PostHog's API. */
export function cohortToolRoutes({ cohorts, analytics, access }: CohortRouteParts): ManagementRoute[] {
  return [
    route('GET P/burrow/cohorts/usage/', {
      auth: 'key',
      scope: ['cohort:read'],
      summary: 'Lists the cohorts that active flags and other cohorts use, with those flags and cohorts.',
      handle: ({ project, actor }) => {
        const { byDefault, exceptions } = access.visibility(actor, project.id, 'cohort');
        const seen = cohorts.usage(project.id).filter(({ id }) => exceptions.includes(id) !== byDefault);
        // Who may not read flags, or one of them, learns nothing of it here.
        const mayRead = hasScope(actor.scopes, ['feature_flag:read']);
        const isShown = (flag: FlagUse) =>
          mayRead && access.levelOf(actor, project.id, 'feature_flag', flag) !== 'none';
        const results = seen.map(({ flags, ...use }) => ({
          ...use,
          flags: flags.filter(isShown).map(({ id, key, name, active }) => ({ id, key, name, active })),
        }));
        return { results };
      },
    }),
    route('POST P/burrow/cohorts/preview/', {
      auth: 'key',
      scope: ['cohort:read'],
      andScope: ['person:read'],
      summary: 'Previews a cohort: counts and samples matching persons without saving it.',
      jsonOnly: true,
      errors: ['does_not_exist', 'invalid_input'],
      handle: async ({ project, body, signal }) => {
        const { tree, conditions } = await cohorts.readRule(project.id, body.filters);
        const condition = personCondition((alias, bind) => conditions.ofTree(tree, alias, bind));
        const asked = withQueryOptions(analytics, { signal });
        const [sizes, ids] = await Promise.all([
          countPersonsWith(asked, project.id, condition),
          listMemberIds(asked, project.id, condition, SAMPLE),
        ]);
        return { ...sizes, sample: await listPersonsByIds(asked, ids.slice(0, SAMPLE.limit)) };
      },
    }),
  ];
}
