import { z } from 'zod';
import type { Analytics, Db } from '../../db/db.ts';
import { withQueryOptions } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CohortsOf } from '../property-filters/index.ts';
import { personChangeRoutes } from './person-change-routes.ts';
import { filterOfQuery } from './person-filter.ts';
import { getPersonId } from './person-id.ts';
import { findPerson, listPersonsByIds } from './person-json.ts';
import {
  listPersonsQuery,
  nameCount,
  person,
  personPage,
  personParams,
  propertyValuesQuery,
} from './persons.contract.ts';
import {
  countPersons,
  countPropertyNames,
  listPersonIds,
  listPropertyValues,
  type PropertySource,
} from './persons.reads.ts';
import type { Persons } from './persons.service.ts';

export interface PersonsParts {
  persons: Persons;
  db: Db;
  analytics: Analytics;
  clock: Clock;
  cohortsOf: CohortsOf;
}

export function personRoutes({ persons, db, analytics, clock, cohortsOf }: PersonsParts): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'P/persons/',
      auth: 'key',
      scope: ['person:read'],
      summary: 'Lists persons, newest created first.',
      query: listPersonsQuery,
      response: personPage,
      handle: async ({ project, query, url, signal }) => {
        const asked = withQueryOptions(analytics, { signal });
        const texts = url.searchParams.getAll('properties');
        const filter = await filterOfQuery(query, texts, { db, clock, cohortsOf, projectId: project.id });
        const request = readPage(url.searchParams);
        const ids = await listPersonIds(asked, project.id, filter, request);
        const shown = await listPersonsByIds(asked, ids.slice(0, request.limit));
        const count = query.include_total ? await countPersons(asked, project.id, filter) : null;
        const page = pageOf(url, shown, request.offset + ids.length);
        const { next, previous, results } = page;
        return count === null ? { next, previous, results } : { count, next, previous, results };
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'P/persons/values/',
      auth: 'key',
      scope: ['person:read'],
      summary: 'Lists the most frequent values of a property of persons.',
      query: propertyValuesQuery,
      response: z.array(nameCount),
      handle: ({ project, query: { key, value = '' }, signal }) => {
        const asked = withQueryOptions(analytics, { signal });
        return key === undefined ? [] : listPropertyValues(asked, allOf(project.id), { key, value });
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'P/persons/properties/',
      auth: 'key',
      scope: ['person:read'],
      summary: 'Lists the names of the properties of persons, with how many have them.',
      response: z.array(nameCount),
      handle: ({ project, signal }) =>
        countPropertyNames(withQueryOptions(analytics, { signal }), allOf(project.id)),
    }),
    defineRoute({
      method: 'GET',
      path: 'P/persons/:id/',
      auth: 'key',
      scope: ['person:read'],
      summary: 'Shows a person, found by its id or UUID.',
      params: personParams,
      response: person,
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
