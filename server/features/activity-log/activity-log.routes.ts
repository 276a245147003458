import { z } from 'zod';
import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, type Actor, type ManagementRoute } from '../../http/define-route.ts';
import { integerField } from '../../http/fields.contract.ts';
import { organizationIdOf } from '../../http/organization-path.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import { activityFilterOf } from './activity-filter.ts';
import { activityEntryOf } from './activity-json.ts';
import { activityPage, historyPage, listActivityQuery } from './activity-log.contract.ts';
import {
  findSubject,
  listActivity,
  type ActivityFilter,
  type ActivityLog,
  type ActivityRow,
} from './activity-log.reads.ts';
import { SUBJECTS, WITHOUT_HISTORY, type ActivitySubject } from './activity-subjects.ts';
import { numberedPageOf, readNumberedPage } from './numbered-pages.ts';

export interface ActivityLogRouteParts {
  db: Db;
  access: Access;
  users: Users;
  clock: Clock;
}

const ORGANIZATION_ADMIN = 8;
const PROJECT_ADMIN = 8;
/** Who may do what is for those to read who may change it. */
const FOR_ADMINS = ['AccessControl'];

export function activityLogRoutes({ db, access, users, clock }: ActivityLogRouteParts): ManagementRoute[] {
  const read = { method: 'GET', auth: 'key', scope: ['activity_log:read'] } as const;
  const entries = (rows: readonly ActivityRow[]) => rows.map((row) => activityEntryOf(row, users));

  /** What the actor may read of a project's log: nothing about objects that are hidden from it. */
  function logOf(actor: Actor, projectId: number): ActivityLog {
    const partlySeen = [...SUBJECTS, ...WITHOUT_HISTORY]
      .map((subject) => ({
        subject,
        ...access.visibility(actor, projectId, subject.resource),
      }))
      .filter(({ byDefault, exceptions }) => !byDefault || exceptions.length > 0);
    const isAdmin = access.projectLevel(actor, projectId) >= PROJECT_ADMIN;
    return { projectId, userId: actor.user.id, partlySeen, withoutScopes: isAdmin ? [] : FOR_ADMINS };
  }

  async function history(
    context: { actor: Actor; project: { id: number }; url: URL },
    filter: ActivityFilter,
  ) {
    const { actor, project, url } = context;
    const slice = readNumberedPage(url.searchParams);
    const { rows, count } = await listActivity(db, logOf(actor, project.id), filter, slice);
    return numberedPageOf(url, entries(rows), count);
  }

  function historyOfAll({ segment, scope, resource }: ActivitySubject): ManagementRoute {
    return defineRoute({
      ...read,
      path: `P/${segment}/activity/`,
      summary: `Lists changes of ${segment.replace('_', ' ')}, newest first.`,
      response: historyPage,
      lookup: ({ actor, project }) => access.check(actor, project.id, resource, null, 'viewer'),
      handle: (context) => history(context, { scopes: [scope] }),
    });
  }

  function historyOfOne(subject: ActivitySubject): ManagementRoute {
    const { segment, scope, resource } = subject;
    const id = subject.ids === 'uuid' ? z.guid() : integerField().pipe(z.int32().min(1));
    return defineRoute({
      ...read,
      path: `P/${segment}/:id/activity/`,
      summary: `Lists changes of one of the ${segment.replace('_', ' ')}, newest first.`,
      params: z.object({ id }),
      response: historyPage,
      lookup: async ({ params, actor, project }) => {
        const found = await findSubject(db, subject, project.id, String(params.id).toLowerCase());
        if (found === null) throw fail('not_found');
        access.check(actor, project.id, resource, found, 'viewer');
        return found;
      },
      handle: (context) => history(context, { scopes: [scope], itemId: context.found.id }),
    });
  }

  return [
    defineRoute({
      ...read,
      path: 'P/activity_log/',
      summary: 'Lists the activity of a project, newest first.',
      query: listActivityQuery,
      response: activityPage,
      handle: async ({ actor, project, query, url }) => {
        const filter = activityFilterOf(query, project.timezone, clock());
        const slice = readPage(url.searchParams);
        const { rows, count } = await listActivity(db, logOf(actor, project.id), filter, slice);
        return pageOf(url, entries(rows), count);
      },
    }),
    defineRoute({
      ...read,
      path: '/api/organizations/:organization_id/activity_log/',
      summary: 'Lists the activity of an organization and its projects, newest first; admins only.',
      params: z.object({ organization_id: z.string() }),
      query: listActivityQuery,
      response: activityPage,
      errors: ['permission_denied'],
      lookup: ({ params, actor }) => {
        const organizationId = organizationIdOf(params, actor);
        if (actor.organizationLevel >= ORGANIZATION_ADMIN) return organizationId;
        throw fail('permission_denied', { detail: 'Only organization admins can read this.' });
      },
      handle: async ({ found, query, url }) => {
        const filter = activityFilterOf(query, 'UTC', clock());
        const slice = readPage(url.searchParams);
        const { rows, count } = await listActivity(db, { organizationId: found }, filter, slice);
        return pageOf(url, entries(rows), count);
      },
    }),
    defineRoute({
      ...read,
      path: 'P/activity/',
      summary: 'Lists changes of the project settings, newest first.',
      response: historyPage,
      handle: (context) => history(context, { scopes: ['Project'], itemId: String(context.project.id) }),
    }),
    ...SUBJECTS.flatMap((subject) => [historyOfAll(subject), historyOfOne(subject)]),
  ];
}
