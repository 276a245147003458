import { parseExactly } from '../../lib/exact-number.contract.ts';
import { z } from 'zod';
import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Resource } from '../../http/define-resource.ts';
import { defineRoute, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { integerField } from '../../http/fields.contract.ts';
import { organizationIdOf } from '../../http/organization-path.ts';
import { pageOf, readPage, type PageRequest } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import {
  historyPage,
  type ActivityEntry,
  type ListActivityQuery,
  activityLogApi,
} from './activity-log.contract.ts';
import {
  findObject,
  listActivity,
  type ActivityFilter,
  type ActivityRow,
  type LogOf,
} from './activity-log.reads.ts';
import { spanEnd, spanStart } from '../../lib/time-bounds.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(activityLogApi);

export interface ActivityLogRouteParts {
  db: Db;
  access: Access;
  users: Users;
  clock: Clock;
  resources: readonly Resource[];
  logOf: LogOf;
}

export function activityLogRoutes({
  db,
  access,
  users,
  clock,
  resources,
  logOf,
}: ActivityLogRouteParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['activity_log:read'] } as const;
  const entries = (rows: readonly ActivityRow[]) => rows.map((row) => activityEntryOf(row, users));

  async function history(
    context: { actor: Actor; project: { id: number }; url: URL },
    filter: ActivityFilter,
  ) {
    const { actor, project, url } = context;
    const slice = readNumberedPage(url.searchParams);
    const { rows, count } = await listActivity(db, logOf(actor, project.id), filter, slice);
    return numberedPageOf(url, entries(rows), count);
  }

  function historyOfAll({ noun, activity }: Resource, path: string): ManagementRoute {
    return defineRoute({
      ...read,
      method: 'GET',
      path: `P/${path}/activity/`,
      summary: `Lists changes of ${path.replace('_', ' ')}, newest first.`,
      response: historyPage,
      lookup: ({ actor, project }) => access.check(actor, project.id, noun, null, 'viewer'),
      handle: (context) => history(context, { scopes: [activity] }),
    });
  }

  function historyOfOne(resource: Resource, path: string): ManagementRoute {
    const { noun, activity, table } = resource;
    const id = table?.key === undefined ? integerField().pipe(z.int32().min(1)) : z.guid();
    return defineRoute({
      ...read,
      method: 'GET',
      path: `P/${path}/:id/activity/`,
      summary: `Lists changes of one of the ${path.replace('_', ' ')}, newest first.`,
      params: z.object({ id }),
      response: historyPage,
      lookup: async ({ params, actor, project }) => {
        const found = await findObject(db, resource, project.id, String(params.id).toLowerCase());
        if (found === null) throw fail('not_found');
        access.check(actor, project.id, noun, found, 'viewer');
        return found;
      },
      handle: (context) => history(context, { scopes: [activity], itemId: context.found.id }),
    });
  }

  return [
    route('GET P/activity_log/', {
      ...read,
      summary: 'Lists the activity of a project, newest first.',
      handle: async ({ actor, project, query, url }) => {
        const filter = activityFilterOf(query, project.timezone, clock());
        const slice = readPage(url.searchParams);
        const { rows, count } = await listActivity(db, logOf(actor, project.id), filter, slice);
        return pageOf(url, entries(rows), count);
      },
    }),
    route('GET /api/organizations/:organization_id/activity_log/', {
      ...read,
      summary: 'Lists the activity of an organization and its projects, newest first; admins only.',
      errors: ['permission_denied'],
      lookup: ({ params, actor }) => {
        const organizationId = organizationIdOf(params, actor);
        if (actor.organizationLevel >= ADMIN) return organizationId;
        throw fail('permission_denied', { detail: 'Only organization admins can read this.' });
      },
      handle: async ({ found, query, url }) => {
        const filter = activityFilterOf(query, 'UTC', clock());
        const slice = readPage(url.searchParams);
        const { rows, count } = await listActivity(db, { organizationId: found }, filter, slice);
        return pageOf(url, entries(rows), count);
      },
    }),
    route('GET P/activity/', {
      ...read,
      summary: 'Lists changes of the project settings, newest first.',
      handle: (context) => history(context, { scopes: ['Project'], itemId: String(context.project.id) }),
    }),
    ...resources.flatMap((resource) => {
      const path = resource.history?.path;
      return path === undefined ? [] : [historyOfAll(resource, path), historyOfOne(resource, path)];
    }),
  ];
}

/** An entry as it is answered. */
function activityEntryOf(row: ActivityRow, users: Users): ActivityEntry {
  return {
    id: row.id,
    user: users.embedded(row.userId),
    activity: row.activity,
    scope: row.scope,
    item_id: row.itemId,
    detail: parseExactly(row.detail) as ActivityEntry['detail'],
    created_at: row.createdAt,
    is_system: row.userId === null,
    unread: false,
    project_id: row.projectId,
  };
}

/**
 * Converts the parameters of a list to a filter. Days are those of a time zone and count whole; `now` in Unix
 * milliseconds.
 */
function activityFilterOf(query: ListActivityQuery, timezone: string, now: number): ActivityFilter {
  const from = query.date_from ?? query.start_date;
  const to = query.date_to ?? query.end_date;
  return {
    user: query.user,
    scopes: query.scopes ?? (query.scope === undefined ? undefined : [query.scope]),
    itemId: query.item_id,
    activities: query.activities ?? (query.activity === undefined ? undefined : [query.activity]),
    search: query.search,
    from: from === undefined ? undefined : spanStart(from, timezone, now),
    to: to === undefined ? undefined : spanEnd(to, timezone, now),
  };
}

const PAGE_LENGTH = 10;

/** Reads `limit` (10) and `page` (from 1 on), as the history of an object has them (management contract 9.1). */
function readNumberedPage(search: URLSearchParams): PageRequest & { page: number } {
  const { limit } = readPage(search, PAGE_LENGTH);
  const asked = /^\d{1,9}$/.test(search.get('page') ?? '') ? Number(search.get('page')) : 1;
  const page = Math.max(1, asked);
  return { limit, page, offset: (page - 1) * limit };
}

/** The envelope of a numbered page; `url` is the request's. */
function numberedPageOf<T>(url: URL, results: T[], count: number) {
  const { limit, page, offset } = readNumberedPage(url.searchParams);
  const at = (number: number): string => {
    const other = new URL(url);
    other.searchParams.set('limit', String(limit));
    other.searchParams.set('page', String(number));
    return other.href;
  };
  return {
    count,
    total_count: count,
    next: offset + limit < count ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
    results,
  };
}
