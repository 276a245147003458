import { withQueryOptions, type Analytics, type Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { routesOf, type ManagementRoute, type ProjectRef } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  checkPatterns,
  compileFilter,
  patternsOf,
  readFilters,
  type CohortsOf,
  type PropertyGroup,
} from '../property-filters/index.ts';
import { personChangeRoutes } from './person-change-routes.ts';
import { getPersonId } from './person-id.ts';
import { findPerson, findPersonsByDistinctIds, listPersonsByIds } from './person-json.ts';
import { type ListPersonsQuery, personsApi } from './persons.contract.ts';
import {
  countPersons,
  countPropertyNames,
  listPersonIds,
  listPropertyValues,
  readNameProperties,
  type PropertySource,
  type PersonFilter,
} from './persons.reads.ts';
import type { Persons } from './persons.service.ts';

const route = routesOf(personsApi);

/**
 * The persons selected by the query of a list; `properties` are the texts of that parameter, which may be given
 * several times. Throws invalid_input for filters that cannot be read.
 */
async function filterOfQuery(
  query: ListPersonsQuery,
  properties: readonly string[],
  parts: { db: Db; clock: Clock; cohortsOf: CohortsOf; project: ProjectRef },
): Promise<PersonFilter> {
  const { db, clock, project } = parts;
  const projectId = project.id;
  const cohorts = await parts.cohortsOf(projectId);
  if (query.cohort !== undefined && !cohorts.has(query.cohort)) {
    throw fail('invalid_input', { attr: 'cohort', detail: 'This cohort does not exist in the project.' });
  }
  const filters = withCohort(readFilters(properties, 'person'), query.cohort);
  await checkPatterns(db, patternsOf(filters));
  const compiled = compileFilter(filters, {
    rows: 'persons',
    alias: 'persons',
    projectId,
    now: clock(),
    timezone: project.timezone,
    cohorts,
  });
  return {
    email: query.email ?? null,
    distinctId: query.distinct_id ?? null,
    search: query.search?.trim() || null,
    nameProperties: await readNameProperties(db, projectId),
    conditions: filters.values.length === 0 ? [] : [compiled.sql],
    params: compiled.params,
  };
}

function withCohort(filters: PropertyGroup, cohortId: number | undefined): PropertyGroup {
  if (cohortId === undefined) return filters;
  return { type: 'AND', values: [filters, { type: 'cohort', key: 'id', operator: 'in', value: cohortId }] };
}

export interface PersonsParts {
  persons: Persons;
  db: Db;
  analytics: Analytics;
  clock: Clock;
  cohortsOf: CohortsOf;
}

export function personRoutes({ persons, db, analytics, clock, cohortsOf }: PersonsParts): ManagementRoute[] {
  return [
    route('GET P/persons/', {
      auth: 'key',
      scope: ['person:read'],
      summary: 'Lists persons, newest first.',
      handle: async ({ project, query, url, signal }) => {
        const reads = withQueryOptions(analytics, { signal });
        const texts = url.searchParams.getAll('properties');
        const filter = await filterOfQuery(query, texts, { db, clock, cohortsOf, project });
        const request = readPage(url.searchParams);
        const ids = await listPersonIds(reads, project.id, filter, request);
        const shown = await listPersonsByIds(reads, ids.slice(0, request.limit));
        const count = query.include_total ? await countPersons(reads, project.id, filter) : null;
        const page = pageOf(url, shown, request.offset + ids.length);
        const { next, previous, results } = page;
        return count === null ? { next, previous, results } : { count, next, previous, results };
      },
    }),
    route('GET P/persons/values/', {
      auth: 'key',
      scope: ['person:read'],
      summary: 'Lists the most frequent values of a property of persons.',
      handle: ({ project, query: { key, value = '' }, signal }) => {
        const reads = withQueryOptions(analytics, { signal });
        return key === undefined ? [] : listPropertyValues(reads, allOf(project.id), { key, value });
      },
    }),
    route('GET P/persons/properties/', {
      auth: 'key',
      scope: ['person:read'],
      summary: 'Lists the names of the properties of persons, with how many have them.',
      handle: ({ project, signal }) =>
        countPropertyNames(withQueryOptions(analytics, { signal }), allOf(project.id)),
    }),
    route('POST P/persons/batch_by_distinct_ids/', {
      auth: 'key',
      scope: ['person:read'],
      jsonOnly: true,
      summary: 'Retrieves the persons of up to 200 distinct IDs.',
      handle: async ({ project, body, signal }) => ({
        results: await findPersonsByDistinctIds(
          withQueryOptions(analytics, { signal }),
          project.id,
          body.distinct_ids,
        ),
      }),
    }),
    route('GET P/persons/:id/', {
      auth: 'key',
      scope: ['person:read'],
      summary: 'Retrieves a person by id or UUID.',
      errors: ['invalid_input'],
      lookup: ({ params, project }) => getPersonId(db, project.id, params.id),
      handle: async ({ found }) => {
        const shown = await findPerson(db, found);
        if (shown === null) throw fail('not_found');
        return shown;
      },
    }),
    ...personChangeRoutes({ persons, db }),
  ];
}

/** The properties of all persons of a project. */
function allOf(projectId: number): PropertySource {
  return { from: 'persons WHERE project_id = $projectId', params: { projectId } };
}
