import { parseExactly } from '../../lib/exact-number.contract.ts';
import { withQueryOptions, type Analytics, type Db, type ReadStatements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { readPage } from '../../http/paging.ts';
import { validate } from '../../http/validation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import { countPropertyNames, listPropertyValues, getPersonId, listPersonsByIds } from '../persons/index.ts';
import { readCursor, writeCursor } from './group-cursor.ts';
import { groupJsonOf, listGroupTypesJson } from './group-json.ts';
import type { relatedQuery } from './groups.contract.ts';
import { groupQuery, type RelatedJson, type GroupTypeJson, groupsApi } from './groups.contract.ts';
import { findGroup, listGroups, listGroupTypes, getGroups, listRelated } from './groups.reads.ts';
import type { GroupRef, Groups } from './groups.service.ts';
import type { z } from 'zod';

const route = routesOf(groupsApi);

/** The routes of group types; types are created by events alone. */
function groupTypeRoutes({ groups, db }: { groups: Groups; db: Db }): ManagementRoute[] {
  const list = (projectId: number): Promise<GroupTypeJson[]> => listGroupTypesJson(db, projectId);
  return [
    route('GET P/groups_types/', {
      auth: 'key',
      scope: ['group:read'],
      summary: 'Lists group types, up to 5.',
      handle: ({ project }) => list(project.id),
    }),
    route('PATCH P/groups_types/update_metadata/', {
      auth: 'key',
      scope: ['group:write'],
      summary: 'Sets the display names of group types.',
      errors: ['does_not_exist'],
      handle: async ({ project, body }) => {
        const names = body.map((type) => ({
          index: type.group_type_index,
          nameSingular: type.name_singular,
          namePlural: type.name_plural,
        }));
        await groups.renameTypes(project.id, names);
        return list(project.id);
      },
    }),
    route('DELETE P/groups_types/:index/', {
      auth: 'key',
      scope: ['group:write'],
      summary: 'Deletes a group type.',
      handle: async ({ project, params }) => {
        await groups.deleteType(project.id, params.index);
      },
    }),
  ];
}

/** As far back as PostHog looks. */
const RELATED_MS = 90 * 86_400_000;

/**
 * The persons and groups that shared events with a group, or the groups of a person's events; persons first, then
 * groups by type, each most recent first. `now` in Unix milliseconds. Throws not_found for an unknown person.
 */
async function listRelatedJson(
  { db, reads, now }: { db: Db; reads: ReadStatements; now: number },
  projectId: number,
  { id, group_type_index: index }: z.output<typeof relatedQuery>,
): Promise<RelatedJson> {
  const to = index === undefined ? { personId: await getPersonId(db, projectId, id) } : { index, key: id };
  const { personIds, groups } = await listRelated(reads, projectId, to, now - RELATED_MS);
  const others = groups.filter((other) => other.index !== index || other.key !== id);
  const [persons, rows] = await Promise.all([
    listPersonsByIds(reads, personIds),
    getGroups(reads, projectId, others),
  ]);
  return [
    ...persons.map((person) => ({ ...person, type: 'person' as const, id: person.uuid })),
    ...rows.map((row) => ({
      type: 'group' as const,
      id: row.key,
      group_key: row.key,
      group_type_index: row.index,
      properties: parseExactly(row.properties) as Record<string, unknown>,
      created_at: row.createdAt,
    })),
  ];
}

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
    route('GET P/groups/', {
      ...read,
      summary: 'Lists the groups of a type, newest first.',
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
    route('POST P/groups/', {
      ...write,
      summary: 'Creates a group of an existing type.',
      status: 201,
      errors: ['does_not_exist'],
      handle: async ({ project, body }) => {
        const ref = { projectId: project.id, index: body.group_type_index, key: body.group_key };
        return groupJsonOf(await groups.create(ref, body.group_properties ?? {}));
      },
    }),
    route('GET P/groups/find/', {
      ...read,
      summary: 'Retrieves a group by type and key.',
      errors: ['not_found'],
      handle: async ({ project, query }) => {
        const name = { index: query.group_type_index, key: query.group_key };
        const row = await findGroup(db, project.id, name);
        if (row === null) throw fail('not_found');
        return groupJsonOf(row);
      },
    }),
    route('POST P/groups/update_property/', {
      ...write,
      summary: 'Sets a property of a group.',
      lookup,
      handle: async ({ found, body }) =>
        groupJsonOf(await groups.setProperties(found, { [body.key]: body.value })),
    }),
    route('POST P/groups/delete_property/', {
      ...write,
      summary: 'Removes a property of a group.',
      errors: ['does_not_exist'],
      lookup,
      handle: async ({ found, body }) => groupJsonOf(await groups.unsetProperty(found, body.$unset)),
    }),
    route('GET P/groups/related/', {
      ...read,
      summary: 'Lists the persons and groups that shared events with a group or person in the last 90 days.',
      handle: ({ actor, project, query, signal }) => {
        access.check(actor, project.id, 'person', null, 'viewer');
        return listRelatedJson(
          { db, reads: withQueryOptions(analytics, { signal }), now: clock() },
          project.id,
          query,
        );
      },
    }),
    route('GET P/groups/property_values/', {
      ...read,
      summary: 'Lists the most frequent values of a property of the groups of a type.',
      handle: async ({ project, query: { group_type_index, key, value = '' }, signal }) => {
        const source = ofType(project.id, group_type_index);
        const reads = withQueryOptions(analytics, { signal });
        const results = key === undefined ? [] : await listPropertyValues(reads, source, { key, value });
        return { results, refreshing: false };
      },
    }),
    route('GET P/groups/property_definitions/', {
      ...read,
      summary: 'Lists the names of the properties of groups by type, with how many groups have them.',
      handle: async ({ project, signal }) => {
        const reads = withQueryOptions(analytics, { signal });
        const types = await listGroupTypes(db, project.id);
        const lists = types.map(async ({ index }) => {
          return [index, await countPropertyNames(reads, ofType(project.id, index))] as const;
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
