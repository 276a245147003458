import { fail } from '../../errors.ts';
import { Reply, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import { createCohortWriter } from './cohort-json.ts';
import { cohortPersonRoutes } from './cohort-person-routes.ts';
import { cohortToolRoutes } from './cohort-tool-routes.ts';
import type { Cohort } from './cohort-row.ts';
import { cohortsApi } from './cohorts.contract.ts';
import { listCohorts } from './cohorts.reads.ts';
import type { CohortPath, CohortRouteParts } from './cohort-route-parts.ts';

const route = routesOf(cohortsApi);

export function cohortRoutes(parts: CohortRouteParts): ManagementRoute[] {
  const { cohorts, db, access } = parts;
  const write = createCohortWriter(parts);
  const path = 'P/cohorts/:id/';
  const reading = { auth: 'key', scope: ['cohort:read'], pathObject: 'cohort' } as const;
  const writing = {
    auth: 'key',
    scope: ['cohort:write'],
    pathObject: 'cohort',
    errors: ['does_not_exist', 'invalid_input'],
  } as const;
  const find =
    (needed: 'viewer' | 'editor') =>
    ({ params, project, actor }: CohortPath) =>
      cohorts.find(actor, project.id, params.id, needed);
  const one = async (found: Cohort) => {
    const [json] = await write(found.projectId, [found]);
    return json;
  };

  return [
    route('GET P/cohorts/', {
      ...reading,
      summary: 'Lists cohorts with their person counts, newest first.',
      handle: async ({ project, query, url, actor }) => {
        const behavioural = cohorts.list(project.id).filter(({ isBeyondFlags }) => isBeyondFlags);
        const filter = {
          isStatic: query.type === undefined ? null : query.type === 'static',
          createdBy: query.created_by_id ?? null,
          search: query.search ?? null,
          without: query.hide_behavioral_cohorts === true ? behavioural.map(({ id }) => id) : [],
          seen: { userId: actor.user.id, ...access.visibility(actor, project.id, 'cohort') },
        };
        const { rows, count } = await listCohorts(db, project.id, filter, readPage(url.searchParams));
        return pageOf(url, await write(project.id, rows), count);
      },
    }),
    route('POST P/cohorts/', {
      ...writing,
      summary: 'Creates a dynamic cohort, or a static cohort from a CSV file.',
      status: 201,
      handle: async ({ project, actor, body }) =>
        Reply.json(201, await one(await cohorts.create(actor, project.id, body))),
    }),
    route('GET P/cohorts/:id/', {
      ...reading,
      summary: 'Retrieves a cohort, including deleted ones.',
      lookup: find('viewer'),
      handle: ({ found }) => one(found),
    }),
    ...(['PATCH', 'PUT'] as const).map((method) =>
      route(`${method} P/cohorts/:id/`, {
        ...writing,
        summary:
          method === 'PUT'
            ? 'Updates a cohort like PATCH; the name is required.'
            : 'Updates, deletes (`deleted: true`) or restores a cohort; omitted fields are not changed.',
        lookup: find('editor'),
        handle: async ({ project, params, actor, body }) =>
          one(await cohorts.update(actor, project.id, params.id, body)),
      }),
    ),
    refusedDelete(path),
    route('POST P/cohorts/:id/duplicate_as_static_cohort/', {
      ...writing,
      summary: 'Duplicates a cohort as a static cohort with its current persons.',
      lookup: find('viewer'),
      handle: async ({ project, actor, found }) => {
        if (found.deleted) throw fail('not_found');
        access.check(actor, project.id, 'cohort', null, 'editor');
        return one(await cohorts.duplicate(actor, project.id, found));
      },
    }),
    ...cohortPersonRoutes(parts, write),
    ...cohortToolRoutes(parts),
  ];
}
