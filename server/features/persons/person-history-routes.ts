import { withQueryOptions, type Analytics, type Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { getPersonId } from './person-id.ts';
import { findPerson } from './person-json.ts';
import { sourcesOf } from './person-state.ts';
import { type PersonActivityJson, type PersonOriginsJson, personsApi } from './persons.contract.ts';
import {
  findPropertySources,
  listActivity,
  listMerges,
  type ActivityRow,
  type MergeRow,
} from './persons.reads.ts';

const route = routesOf(personsApi);

/** What set each property; where no event did, the management API did it. */
function propertySourcesOf(json: string): PersonOriginsJson['property_sources'] {
  return Object.fromEntries(
    Object.entries(sourcesOf(json)).map(([key, { event, by, at }]) => [
      key,
      { event: event || null, by, at },
    ]),
  );
}

/** A merge as the API shows it. */
function mergeJsonOf({ uuid, distinctId, event, at }: MergeRow): PersonOriginsJson['merges'][number] {
  return { uuid, distinct_id: distinctId, event, at };
}

/** What a person's events amount to, from the rows of `listActivity`. */
function activityJsonOf(rows: readonly ActivityRow[]): PersonActivityJson {
  const ofKind = (kind: ActivityRow['kind']): ActivityRow[] => rows.filter((row) => row.kind === kind);
  const [total] = ofKind('total');
  return {
    count: total!.count,
    first_seen: total!.firstSeen,
    last_seen: total!.lastSeen,
    days: ofKind('day').map(({ name, count }) => ({ day: name, count })),
    events: ofKind('event').map((row) => ({ event: row.name, ...countedOf(row) })),
    distinct_ids: ofKind('distinct_id').map((row) => ({
      distinct_id: row.name,
      first_seen: row.firstSeen!,
      ...countedOf(row),
    })),
    groups: ofKind('group').map((row) => ({
      group_type_index: row.index!,
      group_key: row.name,
      ...countedOf(row),
    })),
  };
}

function countedOf({ count, lastSeen }: ActivityRow): { count: number; last_seen: string } {
  return { count, last_seen: lastSeen! };
}

const ACTIVITY_MS = 26 * 7 * 86_400_000;

export interface PersonHistoryParts {
  db: Db;
  analytics: Analytics;
  clock: Clock;
}

/** What the console shows of one person beyond PostHog's API (management contract 9.12). */
export function personHistoryRoutes({ db, analytics, clock }: PersonHistoryParts): ManagementRoute[] {
  return [
    route('GET P/burrow/persons/:id/', {
      auth: 'key',
      scope: ['person:read'],
      summary: 'Retrieves a person with the sources of its properties and its merged persons.',
      errors: ['invalid_input'],
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
    route('GET P/burrow/persons/:id/activity/', {
      auth: 'key',
      scope: ['person:read'],
      // Names and times of events are more than a person's row says.
      andScope: ['query:read'],
      summary: 'Counts the events of a person by day, name, distinct ID and group.',
      errors: ['invalid_input'],
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
