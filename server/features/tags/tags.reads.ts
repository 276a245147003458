import type { Params, Statements } from '../../db/db.ts';
import type { ReadableResource } from '../access/index.ts';

/** Resources whose objects have tags. */
export const TAGGED = [
  'dashboard',
  'insight',
  'action',
  'feature_flag',
  'event_definition',
  'property_definition',
] as const;
export type Tagged = (typeof TAGGED)[number];

const SOURCES: Readonly<Record<Tagged, string>> = {
  dashboard: live('dashboards'),
  insight: live('insights'),
  action: live('actions'),
  feature_flag: live('feature_flags'),
  event_definition: defined('event_definitions'),
  property_definition: defined('property_definitions'),
};

function live(table: string): string {
  return `SELECT id::VARCHAR AS id, tags, created_by FROM ${table} WHERE project_id = $projectId AND NOT deleted`;
}

function defined(table: string): string {
  return `SELECT id::VARCHAR AS id, tags, NULL::INTEGER AS created_by FROM ${table} WHERE project_id = $projectId`;
}

/** The tags of what may be seen, each once, in order. */
export async function listTags(
  db: Statements,
  {
    projectId,
    userId,
    among,
  }: { projectId: number; userId: number; among: readonly ReadableResource<Tagged>[] },
): Promise<string[]> {
  if (among.length === 0) return [];
  const params: Record<string, Params[string]> = { projectId, userId };
  const branches = among.map(({ resource, byDefault, exceptions }, n) => {
    params[`seen${n}`] = exceptions.map(String);
    return `SELECT tags FROM (${SOURCES[resource]}) WHERE tags <> '[]'
      AND (coalesce(created_by = $userId, false) OR list_contains($seen${n}::VARCHAR[], id) <> ${byDefault})`;
  });
  // The lists are read here, not by the database: few of them differ.
  const rows = await db.all<{ tags: string }>(branches.join(' UNION '), params);
  const names = rows.flatMap(({ tags }) => JSON.parse(tags) as string[]);
  return [...new Set(names)].toSorted();
}
