import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { ReadStatements } from '../../db/db.ts';
import type { GroupJson, GroupTypeJson } from './groups.contract.ts';
import { listGroupTypes, type GroupRow, type GroupTypeRow } from './groups.reads.ts';

/** A group as the API shows it. */
export function groupJsonOf(row: GroupRow): GroupJson {
  return {
    group_type_index: row.index,
    group_key: row.key,
    group_properties: parseExactly(row.properties) as Record<string, unknown>,
    created_at: row.createdAt,
  };
}

/** The types of groups of a project as the API shows them, by index. */
export async function listGroupTypesJson(reads: ReadStatements, projectId: number): Promise<GroupTypeJson[]> {
  return (await listGroupTypes(reads, projectId)).map(groupTypeJsonOf);
}

/** Dashboards and columns of its own are not offered. */
function groupTypeJsonOf(row: GroupTypeRow): GroupTypeJson {
  return {
    group_type: row.name,
    group_type_index: row.index,
    name_singular: row.nameSingular,
    name_plural: row.namePlural,
    detail_dashboard: null,
    default_columns: null,
    created_at: row.createdAt,
  };
}
