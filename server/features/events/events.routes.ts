import { z } from 'zod';
import type { Analytics } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, Reply, type ManagementRoute } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { writeEventsCsv } from './event-csv.ts';
import { writeEventsJson } from './event-json.ts';
import { nextPageUrl, pageOfQuery } from './event-page.ts';
import { listEventsQuery, storedEvent, storedEventPage } from './events.contract.ts';
import { findEvent, streamEvents } from './events.reads.ts';
import type { EventRow } from './event-row.ts';
import { storedEventOf } from './stored-event.ts';

const DEFAULT_LIMIT = { json: 100, csv: 1_000 };
/** Since 2026-11-20, Burrow's first day: the listing was deprecated when it was taken over (RFC 9745). */
const DEPRECATED_SINCE = '@1795132800';

export function eventRoutes({ analytics, clock }: { analytics: Analytics; clock: Clock }): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'P/events/',
      auth: 'key',
      scope: ['query:read'],
      summary: 'Lists stored events, newest first (deprecated: ask the query endpoint).',
      formats: ['json', 'csv'],
      query: listEventsQuery,
      response: storedEventPage,
      handle: async ({ project, query, format, url, signal }) => {
        const page = pageOfQuery(query, clock(), DEFAULT_LIMIT[format]);
        const pieces = await begin(streamEvents(analytics, project.id, page, { signal }));
        if (format === 'csv') return csv(url, pieces, page.limit);
        const nextUrl = (last: EventRow): string => nextPageUrl(url, last, page.isAscending);
        return Reply.stream({ 'Content-Type': 'application/json', ...deprecation(url) }, (res) =>
          writeEventsJson(pieces, page.limit, nextUrl, res),
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'P/events/:id/',
      auth: 'key',
      scope: ['query:read'],
      summary: 'Shows a stored event (deprecated: ask the query endpoint).',
      formats: ['json', 'csv'],
      params: z.object({ id: z.string() }),
      response: storedEvent,
      handle: async ({ project, params, format, url, signal }) => {
        if (!z.guid().safeParse(params.id).success) {
          throw fail('invalid', { detail: 'The id of an event is a UUID.' });
        }
        const row = await findEvent(analytics, project.id, params.id, { signal });
        if (row === null) throw fail('not_found');
        if (format === 'csv') return csv(url, [[row]], 1);
        return Reply.json(200, storedEventOf(row), deprecation(url));
      },
    }),
  ];
}

function csv(url: URL, pieces: Iterable<EventRow[]> | AsyncIterable<EventRow[]>, limit: number): Reply {
  return Reply.stream({ 'Content-Type': 'text/csv; charset=utf-8', ...deprecation(url) }, (res) =>
    writeEventsCsv(pieces, limit, res),
  );
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

/** What a deprecated answer says of itself, and where to ask instead (management contract 7). */
function deprecation(url: URL): Record<string, string> {
  const successor = url.origin + url.pathname.replace(/\/events\b.*$/, '/query/');
  return { Deprecation: DEPRECATED_SINCE, Link: `<${successor}>; rel="successor-version"` };
}
