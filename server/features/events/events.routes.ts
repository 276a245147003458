import { z } from 'zod';
import type { Analytics, Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import {
  Reply,
  routesOf,
  type Actor,
  type ManagementRoute,
  type ProjectRef,
} from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import { findActionFilter } from '../actions/index.ts';
import type { Queries } from '../query/index.ts';
import {
  checkPatterns,
  compileFilter,
  patternsOf,
  readFilters,
  type CohortsOf,
  type PropertyGroup,
} from '../property-filters/index.ts';
import { tableOf, writeEventsCsv, type CsvTable } from './event-csv.ts';
import { onlyWhere, readExpressions, selectedCsv, selectedPage } from './event-expressions.ts';
import { writeEventsJson } from './event-json.ts';
import { nextPageUrl, pageBetween, pageOfQuery, type EventPage, type PageFilters } from './event-page.ts';
import { createPersonLookup } from './event-persons.ts';
import { type ListEventsQuery, eventsApi } from './events.contract.ts';
import { findEvent, findPersonIdsOfEvents, streamEvents } from './events.reads.ts';
import type { EventRow, EventWithPerson } from './event-row.ts';
import { storedEventOf } from './stored-event.ts';

const route = routesOf(eventsApi);

const DEFAULT_LIMIT = { json: 100, csv: 1_000 };
/** Since 2026-11-20, Burrow's first day: the listing was deprecated when it was taken over (RFC 9745). */
const DEPRECATED_SINCE = '@1795132800';

interface Dependencies {
  db: Db;
  access: Pick<Access, 'check'>;
  analytics: Analytics;
  clock: Clock;
  cohortsOf: CohortsOf;
  queries: Pick<Queries, 'events'>;
}

export function eventRoutes({
  db,
  access,
  analytics,
  clock,
  cohortsOf,
  queries,
}: Dependencies): ManagementRoute[] {
  /** An event shows its person, its distinct id and what it sets of its person. */
  const checkPersons = (actor: Actor, projectId: number): void =>
    access.check(actor, projectId, 'person', null, 'viewer');

  /** The filters of the list that need the database or more than one value of a parameter. */
  async function filtersOf(
    { id: projectId, timezone }: ProjectRef,
    url: URL,
    { person_id: personId, action_id: actionId }: ListEventsQuery,
  ): Promise<PageFilters> {
    const wanted = readFilters(url.searchParams.getAll('properties'), 'event');
    const action = actionId === undefined ? undefined : await findActionFilter(db, projectId, actionId);
    const filters: PropertyGroup = action ? { type: 'AND', values: [action, wanted] } : wanted;
    await checkPatterns(db, patternsOf(filters));
    const filter = compileFilter(filters, {
      rows: 'events',
      alias: 'e',
      projectId,
      now: clock(),
      timezone,
      cohorts: await cohortsOf(projectId),
    });
    return {
      // No event is of an action that is not there.
      filter: action === null ? { ...filter, sql: 'false', params: {} } : filter,
      personIds: personId === undefined ? null : await findPersonIdsOfEvents(db, projectId, personId),
    };
  }

  return [
    route('GET P/events/', {
      auth: 'key',
      scope: ['query:read'],
      summary: 'Lists events, newest first (deprecated: use the query endpoint).',
      deprecated: true,
      formats: ['json', 'csv'],
      errors: ['query_timeout', 'query_memory'],
      handle: async ({ actor, project, query, format, url, signal }) => {
        checkPersons(actor, project.id);
        const filters = await filtersOf(project, url, query);
        const expressions = queries.events(project, { actor, signal });
        const every = pageOfQuery(query, filters, clock(), DEFAULT_LIMIT[format]);
        const page = await onlyWhere(every, readExpressions(url.searchParams, 'where'), expressions);
        const select = readExpressions(url.searchParams, 'select');
        const persons = createPersonLookup(db, project.id);
        const read = (part: EventPage): AsyncIterable<EventWithPerson[]> =>
          persons.addToPieces(streamEvents(analytics, project.id, part, { signal }));
        if (select.length > 0) {
          const events = streamEvents(analytics, project.id, page, { signal });
          const { results, last, hasMore } = await selectedPage(expressions, select, page, events);
          if (format === 'csv') return csvText(url, selectedCsv(select, results));
          const next = hasMore && last !== null ? nextPageUrl(url, last, page.isAscending) : null;
          return Reply.json(200, { results, next }, deprecation(url));
        }
        if (format === 'csv') {
          const table = await tableOf(read(page), page.limit);
          return csv(url, table, (first, last) => read(pageBetween(page, first, last)));
        }
        const pieces = await begin(read(page));
        const nextUrl = (last: EventRow): string => nextPageUrl(url, last, page.isAscending);
        return Reply.stream({ 'Content-Type': 'application/json', ...deprecation(url) }, (res) =>
          writeEventsJson(pieces, page.limit, nextUrl, res),
        );
      },
    }),
    route('GET P/events/:id/', {
      auth: 'key',
      scope: ['query:read'],
      summary: 'Retrieves an event (deprecated: use the query endpoint).',
      deprecated: true,
      formats: ['json', 'csv'],
      errors: ['invalid'],
      handle: async ({ actor, project, params, format, url, signal }) => {
        checkPersons(actor, project.id);
        if (!z.guid().safeParse(params.id).success) {
          throw fail('invalid', { detail: 'The id of an event must be a UUID.' });
        }
        const row = await findEvent(analytics, project.id, params.id, { signal });
        if (row === null) throw fail('not_found');
        const found = await createPersonLookup(db, project.id).addPersons([row]);
        if (format === 'csv') return csv(url, await tableOf(once(found), 1), () => once(found));
        return Reply.json(200, storedEventOf(found[0]!), deprecation(url));
      },
    }),
  ];
}

/** The table's events, read once more by `read` from the first to the last. */
function csv(
  url: URL,
  table: CsvTable,
  read: (first: EventRow, last: EventRow) => AsyncIterable<EventWithPerson[]>,
): Reply {
  const { first, last } = table;
  return Reply.stream({ 'Content-Type': 'text/csv; charset=utf-8', ...deprecation(url) }, (res) =>
    writeEventsCsv(table, first === null || last === null ? once([]) : read(first, last), res),
  );
}

function csvText(url: URL, text: string): Reply {
  const headers = { 'Content-Type': 'text/csv; charset=utf-8', ...deprecation(url) };
  return Reply.stream(headers, (res) => void res.end(text));
}

async function* once<T>(piece: T): AsyncGenerator<T> {
  yield piece;
}

/** Waits for the first piece, so that a statement that fails is an error and not half an answer. */
async function begin<T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<T> | null = await iterator.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const result = first === null ? iterator.next() : Promise.resolve(first);
        first = null;
        return result;
      },
      return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

/** Headers of a deprecated route, with its successor (management contract 7). */
function deprecation(url: URL): Record<string, string> {
  const successor = url.origin + url.pathname.replace(/\/events\b.*$/, '/query/');
  return { Deprecation: DEPRECATED_SINCE, Link: `<${successor}>; rel="successor-version"` };
}
