import { fail } from '../../errors.ts';
import { withQueryOptions } from '../../db/db.ts';
import { preferMinimal } from '../../http/prefer-minimal.ts';
import { Reply, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { getPersonId, listPersonsByIds } from '../persons/index.ts';
import type { CohortWriter } from './cohort-json.ts';
import type { Cohort } from './cohort-row.ts';
import type { CohortPath, CohortRouteParts } from './cohort-route-parts.ts';
import { cohortsApi } from './cohorts.contract.ts';
import { listMemberIds, personCondition, streamPersonIds, type PersonCondition } from './cohorts.reads.ts';
import { findLiveCohorts } from './cohorts.store.ts';
import { writePersonsCsv } from './persons-csv.ts';

const route = routesOf(cohortsApi);

/** Persons of a cohort, and cohorts of a person. */
export function cohortPersonRoutes(parts: CohortRouteParts, write: CohortWriter): ManagementRoute[] {
  const { cohorts, db, analytics, access } = parts;
  const live = async (
    { params, project, actor }: CohortPath,
    needed: 'viewer' | 'editor',
  ): Promise<Cohort> => {
    const found = await cohorts.find(actor, project.id, params.id, needed);
    if (found.deleted) throw fail('not_found');
    return found;
  };
  const members = async ({ projectId, id }: Cohort): Promise<PersonCondition> => {
    const printed = await cohorts.conditions(projectId);
    return personCondition((alias, bind) => printed.of(id, alias, bind) ?? 'false');
  };
  const changing = {
    auth: 'key',
    scope: ['cohort:write'],
    pathObject: 'cohort',
    lookup: (context: CohortPath) => live(context, 'editor'),
  } as const;

  return [
    route('GET P/cohorts/:id/persons/', {
      auth: 'key',
      scope: ['cohort:read'],
      andScope: ['person:read'],
      pathObject: 'cohort',
      summary: 'Lists the persons of a cohort, newest first; all of them as CSV.',
      formats: ['json', 'csv'],
      lookup: (context) => live(context, 'viewer'),
      handle: async ({ project, url, found, format, signal }) => {
        const condition = await members(found);
        if (format === 'csv') {
          const ids = streamPersonIds(analytics, project.id, condition, { signal });
          return Reply.stream({ 'Content-Type': 'text/csv; charset=utf-8' }, (res) =>
            writePersonsCsv(db, ids, res),
          );
        }
        const asked = withQueryOptions(analytics, { signal });
        const request = readPage(url.searchParams);
        const ids = await listMemberIds(asked, project.id, condition, request);
        const shown = await listPersonsByIds(asked, ids.slice(0, request.limit));
        const { next, previous, results } = pageOf(url, shown, request.offset + ids.length);
        return { next, previous, results };
      },
    }),
    route('PATCH P/cohorts/:id/add_persons_to_static_cohort/', {
      ...changing,
      summary:
        'Adds persons to a static cohort; with Prefer, returns which were added and which are unknown.',
      errors: ['invalid_input'],
      handle: async ({ req, actor, body, found }) => {
        const result = await cohorts.addPersons(actor, found, body.person_ids);
        return preferMinimal(req, async () => result);
      },
    }),
    route('PATCH P/cohorts/:id/remove_person_from_static_cohort/', {
      ...changing,
      summary: 'Removes a person from a static cohort; with Prefer, returns the cohort.',
      errors: ['invalid_input', 'not_found'],
      handle: async ({ req, project, actor, body, found }) => {
        await cohorts.removePerson(actor, found, await getPersonId(db, project.id, body.person_id));
        return preferMinimal(
          req,
          async () => (await write(project.id, [await live({ params: found, project, actor }, 'viewer')]))[0],
        );
      },
    }),
    route('GET P/persons/cohorts/', {
      auth: 'key',
      scope: ['person:read'],
      andScope: ['cohort:read'],
      summary: 'Lists the cohorts of a person.',
      errors: ['invalid_input', 'not_found'],
      handle: async ({ project, query, actor, signal }) => {
        const personId = await getPersonId(db, project.id, query.person_id);
        const ids = await cohorts.cohortsOf(project.id, personId, withQueryOptions(analytics, { signal }));
        const found = (await findLiveCohorts(db, project.id, ids)).filter(
          (cohort) => access.levelOf(actor, project.id, 'cohort', cohort) !== 'none',
        );
        return { results: await write(project.id, found) };
      },
    }),
  ];
}
