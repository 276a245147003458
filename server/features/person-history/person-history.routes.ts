import type { Analytics, Db } from '../../db/db.ts';
import { withQueryOptions } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { findPerson, getPersonId, personActivity, personOrigins, personParams } from '../persons/index.ts';
import { activityJsonOf, mergeJsonOf, propertySourcesOf } from './history-json.ts';
import { findPropertySources, listActivity, listMerges } from './person-history.reads.ts';

const ACTIVITY_MS = 26 * 7 * 86_400_000;

export interface PersonHistoryParts {
  db: Db;
  analytics: Analytics;
  clock: Clock;
}

/** What the console shows of one person beyond PostHog's API (management contract 9.12). */
export function personHistoryRoutes({ db, analytics, clock }: PersonHistoryParts): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'P/burrow/persons/:id/',
      auth: 'key',
      scope: ['person:read'],
      summary: 'Shows a person with what set its properties, and which persons became part of it.',
      params: personParams,
      errors: ['invalid_input'],
      response: personOrigins,
      lookup: ({ params, project }) => getPersonId(db, project.id, params.id),
      handle: async ({ project, found }) => {
        const [person, sources, merges] = await Promise.all([
          findPerson(db, found),
          findPropertySources(db, found),
          listMerges(db, project.id, found),
        ]);
        if (person === null || sources === null) throw fail('not_found');
        return { person, property_sources: propertySourcesOf(sources), merges: merges.map(mergeJsonOf) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'P/burrow/persons/:id/activity/',
      auth: 'key',
      scope: ['person:read'],
      // Names and times of events are more than a person's row says.
      andScope: ['query:read'],
      summary: "Counts a person's events by day, name, distinct id and group.",
      params: personParams,
      errors: ['invalid_input'],
      response: personActivity,
      lookup: ({ params, project }) => getPersonId(db, project.id, params.id),
      handle: async ({ project, found, signal }) => {
        const since = clock() - ACTIVITY_MS;
        return activityJsonOf(
          await listActivity(withQueryOptions(analytics, { signal }), project.id, found, since),
        );
      },
    }),
  ];
}
