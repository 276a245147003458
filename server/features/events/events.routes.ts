import { z } from 'zod';
import type { Analytics } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, Reply, type ManagementRoute } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { writeEventsCsv } from './event-csv.ts';
import { nextPageUrl, pageOfQuery } from './event-page.ts';
import { listEventsQuery, storedEvent, storedEventPage, type StoredEventJson } from './events.contract.ts';
import { findEvent, listEvents } from './events.reads.ts';
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
        const rows = await listEvents(analytics, project.id, page, { signal });
        const shown = rows.slice(0, page.limit);
        const events = shown.map(storedEventOf);
        if (format === 'csv') return csv(url, events);
        const next = rows.length > page.limit ? nextPageUrl(url, shown.at(-1)!, page.isAscending) : null;
        return Reply.json(200, { next, results: events }, deprecation(url));
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
        const event = storedEventOf(row);
        return format === 'csv' ? csv(url, [event]) : Reply.json(200, event, deprecation(url));
      },
    }),
  ];
}

function csv(url: URL, events: readonly StoredEventJson[]): Reply {
  return Reply.stream({ 'Content-Type': 'text/csv; charset=utf-8', ...deprecation(url) }, (res) =>
    writeEventsCsv(events, res),
  );
}

/** What a deprecated answer says of itself, and where to ask instead (management contract 7). */
function deprecation(url: URL): Record<string, string> {
  const successor = url.origin + url.pathname.replace(/\/events\b.*$/, '/query/');
  return { Deprecation: DEPRECATED_SINCE, Link: `<${successor}>; rel="successor-version"` };
}
