import type { Analytics, Db } from '../../db/db.ts';
import { withQueryOptions } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import { readPage } from '../../http/paging.ts';
import { validate } from '../../http/validation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import {
  countPropertyNames,
  deletePropertyBody,
  listPropertyValues,
  updatePropertyBody,
} from '../persons/index.ts';
import { readCursor, writeCursor } from './group-cursor.ts';
import { groupJsonOf } from './group-json.ts';
import { groupTypeRoutes } from './group-type-routes.ts';
import {
  createGroupBody,
  group,
  groupPage,
  groupPropertyDefinitions,
  groupQuery,
  groupValues,
  groupValuesQuery,
  listGroupsQuery,
  related,
  relatedQuery,
} from './groups.contract.ts';
import { findGroup, listGroups, listGroupTypes } from './groups.reads.ts';
import type { GroupRef, Groups } from './groups.service.ts';
import { listRelatedJson } from './related-json.ts';

export interface GroupsParts {
  access: Pick<Access, 'check'>;
  groups: Groups;
  db: Db;
  analytics: Analytics;
  clock: Clock;
}

export function groupRoutes({ access, groups, db, analytics, clock }: GroupsParts): ManagementRoute[] {
  /** The group that the query names; an unknown one is a 404 whatever the body says (management contract 2.5). */
  const lookup = async ({ project, url }: { project: { id: number }; url: URL }): Promise<GroupRef> => {
    const query = validate(groupQuery, Object.fromEntries(url.searchParams));
    const ref = { projectId: project.id, index: query.group_type_index, key: query.group_key };
    if ((await findGroup(db, project.id, ref)) === null) throw fail('not_found');
    return ref;
  };
  const read = { auth: 'key', scope: ['group:read'] } as const;
  const write = { auth: 'key', scope: ['group:write'] } as const;
  return [
    ...groupTypeRoutes({ groups, db }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/groups/',
      summary: 'Lists the groups of a type, newest created first.',
      query: listGroupsQuery,
      response: groupPage,
      handle: async ({ project, query, url, signal }) => {
        const { limit } = readPage(url.searchParams);
        const filter = {
          index: query.group_type_index,
          search: query.search?.trim() || null,
          key: query.group_key ?? null,
          after: query.cursor === undefined ? null : readCursor(query.cursor),
        };
        const rows = await listGroups(withQueryOptions(analytics, { signal }), project.id, filter, limit);
        const last = rows.length > limit ? rows[limit - 1]! : null;
        const next = last === null ? null : withCursor(url, writeCursor(last));
        return { next, previous: null, results: rows.slice(0, limit).map(groupJsonOf) };
      },
    }),
    defineRoute({
      ...write,
      method: 'POST',
      path: 'P/groups/',
      summary: 'Creates a group of a type that events have named.',
      body: createGroupBody,
      status: 201,
      response: group,
      errors: ['does_not_exist'],
      handle: async ({ project, body }) => {
        const ref = { projectId: project.id, index: body.group_type_index, key: body.group_key };
        return groupJsonOf(await groups.create(ref, body.group_properties ?? {}));
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/groups/find/',
      summary: 'Shows a group, found by its type and key.',
      query: groupQuery,
      response: group,
      errors: ['not_found'],
      handle: async ({ project, query }) => {
        const name = { index: query.group_type_index, key: query.group_key };
        const row = await findGroup(db, project.id, name);
        if (row === null) throw fail('not_found');
        return groupJsonOf(row);
      },
    }),
    defineRoute({
      ...write,
      method: 'POST',
      path: 'P/groups/update_property/',
      summary: 'Sets a property of a group.',
      body: updatePropertyBody,
      response: group,
      lookup,
      handle: async ({ found, body }) =>
        groupJsonOf(await groups.setProperties(found, { [body.key]: body.value })),
    }),
    defineRoute({
      ...write,
      method: 'POST',
      path: 'P/groups/delete_property/',
      summary: 'Removes a property of a group.',
      body: deletePropertyBody,
      response: group,
      errors: ['does_not_exist'],
      lookup,
      handle: async ({ found, body }) => groupJsonOf(await groups.unsetProperty(found, body.$unset)),
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/groups/related/',
      summary: 'Lists the persons and groups that shared events with a group or person in the last 90 days.',
      query: relatedQuery,
      response: related,
      handle: ({ actor, project, query, signal }) => {
        access.check(actor, project.id, 'person', null, 'viewer');
        return listRelatedJson(
          { db, asked: withQueryOptions(analytics, { signal }), now: clock() },
          project.id,
          query,
        );
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/groups/property_values/',
      summary: 'Lists the most frequent values of a property of the groups of a type.',
      query: groupValuesQuery,
      response: groupValues,
      handle: async ({ project, query: { group_type_index, key, value = '' }, signal }) => {
        const source = ofType(project.id, group_type_index);
        const asked = withQueryOptions(analytics, { signal });
        const results = key === undefined ? [] : await listPropertyValues(asked, source, { key, value });
        return { results, refreshing: false };
      },
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/groups/property_definitions/',
      summary: 'Lists the names of the properties of groups by type, with how many groups have them.',
      response: groupPropertyDefinitions,
      handle: async ({ project, signal }) => {
        const asked = withQueryOptions(analytics, { signal });
        const types = await listGroupTypes(db, project.id);
        const lists = types.map(async ({ index }) => {
          return [index, await countPropertyNames(asked, ofType(project.id, index))] as const;
        });
        return Object.fromEntries(await Promise.all(lists));
      },
    }),
  ];
}

function ofType(projectId: number, index: number) {
  return {
    from: 'groups WHERE project_id = $projectId AND group_type_index = $index',
    params: { projectId, index },
  };
}

function withCursor(url: URL, cursor: string): string {
  const next = new URL(url);
  next.searchParams.set('cursor', cursor);
  return next.href;
}
