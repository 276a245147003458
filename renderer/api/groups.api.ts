import type { GroupJson, GroupTypeJson, RelatedJson } from '../../server/features/groups/groups.contract.ts';
import { request } from './http.ts';
import type { NameCount } from './persons.api.ts';

export type Group = GroupJson;
export type GroupType = GroupTypeJson;
export type Related = RelatedJson[number];

/** Which group is meant. */
export interface GroupName {
  typeIndex: number;
  key: string;
}

export interface GroupQuery {
  typeIndex: number;
  search?: string;
  /** The cursor of the page, from the response for the previous one. */
  cursor?: string | undefined;
}

/** Groups of one page; `next` is the cursor of the page after it. */
export interface GroupPage {
  groups: Group[];
  next: string | null;
}

const groupsPath = (projectId: number, rest = ''): string => `/api/projects/${projectId}/groups/${rest}`;
const queryOf = ({ typeIndex, key }: GroupName) => ({ group_type_index: typeIndex, group_key: key });

/** The kinds of groups of a project, at most five, by index. */
export function listGroupTypes(projectId: number): Promise<GroupType[]> {
  return request<GroupType[]>(`/api/projects/${projectId}/groups_types/`);
}

/** Gives a kind of groups its names, for one and for many; an empty name takes it away. */
export function renameGroupType(
  projectId: number,
  typeIndex: number,
  names: { singular: string; plural: string },
): Promise<GroupType[]> {
  return request<GroupType[]>(`/api/projects/${projectId}/groups_types/update_metadata/`, {
    method: 'PATCH',
    body: [{ group_type_index: typeIndex, name_singular: names.singular, name_plural: names.plural }],
  });
}

/** Deletes a kind with all of its groups. */
export function deleteGroupType(projectId: number, typeIndex: number): Promise<void> {
  return request<void>(`/api/projects/${projectId}/groups_types/${typeIndex}/`, { method: 'DELETE' });
}

/** The groups of a kind that pass, newest first. */
export async function listGroups(projectId: number, query: GroupQuery): Promise<GroupPage> {
  const page = await request<{ next: string | null; results: Group[] }>(groupsPath(projectId), {
    query: {
      group_type_index: query.typeIndex,
      search: query.search || undefined,
      cursor: query.cursor,
    },
  });
  return { groups: page.results, next: cursorOf(page.next) };
}

/** The cursor within the address of the next page. */
export function cursorOf(next: string | null): string | null {
  return next === null ? null : new URL(next, 'http://localhost').searchParams.get('cursor');
}

/** One group by its key. */
export function getGroup(projectId: number, name: GroupName): Promise<Group> {
  return request<Group>(groupsPath(projectId, 'find/'), { query: queryOf(name) });
}

/** Writes one property of a group; returns the group as it is then. */
export function setGroupProperty(
  projectId: number,
  name: GroupName,
  key: string,
  value: unknown,
): Promise<Group> {
  return request<Group>(groupsPath(projectId, 'update_property/'), {
    method: 'POST',
    query: queryOf(name),
    body: { key, value },
  });
}

/** Takes one property from a group; returns the group as it is then. */
export function deleteGroupProperty(projectId: number, name: GroupName, key: string): Promise<Group> {
  return request<Group>(groupsPath(projectId, 'delete_property/'), {
    method: 'POST',
    query: queryOf(name),
    body: { $unset: key },
  });
}

/** The most frequent values of a property among the groups of a kind; `part` is what they contain. */
export async function listGroupValues(
  projectId: number,
  typeIndex: number,
  key: string,
  part: string,
): Promise<NameCount[]> {
  const { results } = await request<{ results: NameCount[] }>(groupsPath(projectId, 'property_values/'), {
    query: { group_type_index: typeIndex, key, value: part || undefined },
  });
  return results;
}

/** Persons and groups that shared events with a group lately. */
export function listRelated(projectId: number, { typeIndex, key }: GroupName): Promise<Related[]> {
  return request<Related[]>(groupsPath(projectId, 'related/'), {
    query: { group_type_index: typeIndex, id: key },
  });
}
