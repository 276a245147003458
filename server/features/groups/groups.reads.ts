import type { Params } from '../../db/db.ts';
import type { ReadStatements } from '../../db/db.ts';
import { jsonFragment } from '../../lib/json-fragment.ts';
import type { GroupCursor } from './group-cursor.ts';

export interface GroupTypeRow {
  index: number;
  name: string;
  nameSingular: string | null;
  namePlural: string | null;
  createdAt: string;
}

export interface GroupRow {
  index: number;
  key: string;
  /** ISO 8601, UTC, microseconds. */
  createdAt: string;
  /** JSON text. */
  properties: string;
}

/** Which groups of a type: all conditions must hold. */
export interface GroupFilter {
  index: number;
  /** Part of the key, or of the value of any property. */
  search: string | null;
  /** Part of the key. */
  key: string | null;
  after: GroupCursor | null;
}

const GROUP = 'group_type_index AS index, group_key AS key, created_at AS "createdAt", properties';

/** The types of groups of a project, by index. */
export function listGroupTypes(reads: ReadStatements, projectId: number): Promise<GroupTypeRow[]> {
  return reads.all<GroupTypeRow>(
    `SELECT group_type_index AS index, group_type AS name, name_singular AS "nameSingular",
       name_plural AS "namePlural", created_at AS "createdAt"
     FROM group_types WHERE project_id = $projectId ORDER BY group_type_index`,
    { projectId },
  );
}

/** A page of groups, newest created first, and one group more when there is a next page. */
export function listGroups(
  reads: ReadStatements,
  projectId: number,
  filter: GroupFilter,
  limit: number,
): Promise<GroupRow[]> {
  const conditions = ['project_id = $projectId', 'group_type_index = $index'];
  const params: Record<string, Params[string]> = { projectId, index: filter.index };
  if (filter.key !== null) {
    conditions.push('contains(lower(group_key), lower($key))');
    params['key'] = filter.key;
  }
  if (filter.search !== null) {
    // Looking for the text first spares reading the JSON of nearly all.
    conditions.push(`(contains(lower(group_key), lower($search)) OR (
      contains(lower(properties), lower($searchInJson)) AND len(list_filter(
        json_extract_string(properties, '$.*'), lambda v: contains(lower(v), lower($search)))) > 0))`);
    Object.assign(params, { search: filter.search, searchInJson: jsonFragment(filter.search) });
  }
  if (filter.after !== null) {
    conditions.push(`(created_at < $createdAt::TIMESTAMP
      OR (created_at = $createdAt::TIMESTAMP AND group_key < $afterKey))`);
    Object.assign(params, { createdAt: filter.after.createdAt, afterKey: filter.after.key });
  }
  return reads.all<GroupRow>(
    `SELECT ${GROUP} FROM groups WHERE ${conditions.join(' AND ')}
     ORDER BY created_at DESC, group_key DESC LIMIT ${limit + 1}`,
    params,
  );
}

/** A group by its key, or null. */
export async function findGroup(
  reads: ReadStatements,
  projectId: number,
  name: { index: number; key: string },
): Promise<GroupRow | null> {
  const rows = await reads.all<GroupRow>(
    `SELECT ${GROUP} FROM groups WHERE project_id = $projectId AND group_type_index = $index AND group_key = $key`,
    { projectId, ...name },
  );
  return rows[0] ?? null;
}

/** Whose events count: those of a group, or those of a person under each id that it ever had. */
export type RelatedTo = { index: number; key: string } | { personId: number };

/** The persons and groups of the selected events since `since` (Unix milliseconds), most recent first. */
export interface RelatedIds {
  personIds: number[];
  groups: { index: number; key: string }[];
}

const MAX_RELATED = 100;
const INDEXES = [0, 1, 2, 3, 4];

/** Who shared events with a group or person: at most 100 persons, and 100 groups of each type. */
export async function listRelated(
  reads: ReadStatements,
  projectId: number,
  to: RelatedTo,
  since: number,
): Promise<RelatedIds> {
  // Only these have a column; the index is part of the statement's text.
  if ('index' in to && !INDEXES.includes(to.index)) return { personIds: [], groups: [] };
  const rows = await reads.all<{ index: number | null; name: string }>(
    `WITH mine AS MATERIALIZED (
       SELECT coalesce(o.person_id, e.person_id) AS person_id, timestamp, ${INDEXES.map(column).join(', ')}
       FROM all_events e LEFT JOIN person_overrides o ON o.old_person_id = e.person_id
       WHERE project_id = $projectId AND timestamp >= make_timestamp($since) AND ${conditionOf(to)}
     ), found AS (${'personId' in to ? '' : `${PERSONS} UNION ALL `}${INDEXES.map(groupsOf).join(' UNION ALL ')})
     SELECT index, name FROM found
     QUALIFY row_number() OVER (PARTITION BY index ORDER BY last_seen DESC, name) <= ${MAX_RELATED}
     ORDER BY index, last_seen DESC, name`,
    { projectId, since: since * 1000, ...('personId' in to ? to : { key: to.key }) },
  );
  return {
    personIds: rows.filter(({ index }) => index === null).map(({ name }) => Number(name)),
    groups: rows.flatMap(({ index, name }) => (index === null ? [] : [{ index, key: name }])),
  };
}

const PERSONS = `SELECT NULL::INTEGER AS index, person_id::VARCHAR AS name, max(timestamp) AS last_seen
  FROM mine SEMI JOIN persons ON persons.id = mine.person_id GROUP BY person_id`;

function column(index: number): string {
  return `"$group_${index}"`;
}

function groupsOf(index: number): string {
  return `SELECT ${index} AS index, ${column(index)} AS name, max(timestamp) AS last_seen
    FROM mine WHERE ${column(index)} IS NOT NULL GROUP BY ${column(index)}`;
}

function conditionOf(to: RelatedTo): string {
  if ('personId' in to) return 'coalesce(o.person_id, e.person_id) = $personId';
  return `${column(to.index)} = $key`;
}

/** Groups by type and key, in the requested order, without groups that have no properties. */
export async function getGroups(
  reads: ReadStatements,
  projectId: number,
  names: readonly { index: number; key: string }[],
): Promise<GroupRow[]> {
  if (names.length === 0) return [];
  return reads.all<GroupRow>(
    `SELECT ${GROUP} FROM (
       SELECT unnest($indexes::INTEGER[]) AS group_type_index, unnest($keys::VARCHAR[]) AS group_key,
         generate_subscripts($keys::VARCHAR[], 1) AS place
     ) JOIN groups USING (group_type_index, group_key) WHERE project_id = $projectId ORDER BY place`,
    { projectId, indexes: names.map(({ index }) => index), keys: names.map(({ key }) => key) },
  );
}
