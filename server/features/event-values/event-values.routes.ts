import { stringify } from 'csv-stringify/sync';
import type { Analytics, Db } from '../../db/db.ts';
import { withQueryOptions } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { PERSON_PROPERTIES } from '../../hogql/tables/events-table.ts';
import { Reply, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import { checkPatterns, compileFilter, patternsOf, readPropertyValues } from '../property-filters/index.ts';
import { type EventValueJson, eventValuesApi } from './event-values.contract.ts';
import { COLUMNS, listCustomEventNames, listEventValues, type ValuesWanted } from './event-values.reads.ts';

const route = routesOf(eventValuesApi);

const DAY_MS = 86_400_000;
const DAYS = 7;
/** `properties_plan=["free"]`: only events with that value. */
const FILTER_PREFIX = 'properties_';
/** Users type while they choose, and each letter sends a request. */
const CACHE = { 'Cache-Control': 'max-age=10' };

interface Dependencies {
  access: Pick<Access, 'check'>;
  db: Db;
  analytics: Analytics;
  clock: Clock;
}

export function eventValueRoutes({ access, db, analytics, clock }: Dependencies): ManagementRoute[] {
  /** Seven whole days and today, in UTC. */
  function period(): Pick<ValuesWanted, 'since' | 'until'> {
    const today = Math.floor(clock() / DAY_MS) * DAY_MS;
    return { since: (today - DAYS * DAY_MS) * 1000, until: (today + DAY_MS) * 1000 };
  }

  return [
    route('GET P/events/values/', {
      auth: 'key',
      scope: ['query:read'],
      summary: 'Lists recent values of an event property.',
      deprecated: true,
      formats: ['json', 'csv'],
      handle: async ({ actor, project, query, format, url, signal }) => {
        const { key, value, is_column: isColumn } = query;
        if (key === undefined) return Reply.empty(200);
        const names = [key, ...[...url.searchParams.keys()].map((name) => name.replace(FILTER_PREFIX, ''))];
        if (names.some((name) => PERSON_PROPERTIES.has(name)))
          access.check(actor, project.id, 'person', null, 'viewer');
        const asked = withQueryOptions(analytics, { signal });
        if (key === 'custom_event') return reply(format, await listCustomEventNames(asked, project.id));
        const filters = readPropertyValues(url.searchParams, FILTER_PREFIX);
        await checkPatterns(db, patternsOf(filters));
        const filter = compileFilter(filters, {
          rows: 'events',
          alias: 'e',
          projectId: project.id,
          now: clock(),
          timezone: project.timezone,
        });
        const values = await listEventValues(asked, project.id, {
          from: isColumn ? { column: columnOf(key) } : { property: key },
          containing: value ?? null,
          eventNames: url.searchParams.getAll('event_name').filter((name) => name !== ''),
          ...period(),
          filter,
        });
        return reply(format, values);
      },
    }),
  ];
}

function columnOf(key: string): (typeof COLUMNS)[number] {
  const column = COLUMNS.find((name) => name === key);
  if (column === undefined) {
    throw fail('invalid_choice', { attr: 'key', detail: `This must be one of: ${COLUMNS.join(', ')}.` });
  }
  return column;
}

function reply(format: 'json' | 'csv', values: EventValueJson[]): Reply {
  if (format === 'json') return Reply.json(200, values, CACHE);
  return Reply.stream({ 'Content-Type': 'text/csv; charset=utf-8', ...CACHE }, (res) => {
    res.end(stringify(values, { header: true, columns: ['name'], escape_formulas: true }));
  });
}
