import type { Params, Statements } from '../../db/db.ts';
import { selectObjects, type ResourceTable } from '../../lib/resource-table.ts';
import type { ReadableResource } from '../access/index.ts';

/** The tags of what may be seen, each once, in order. */
export async function listTags(
  db: Statements,
  {
    projectId,
    userId,
    tables,
    among,
  }: {
    projectId: number;
    userId: number;
    /** The table of each resource with tags, by its noun. */
    tables: ReadonlyMap<string, ResourceTable>;
    among: readonly ReadableResource[];
  },
): Promise<string[]> {
  if (among.length === 0) return [];
  const params: Record<string, Params[string]> = { projectId, userId };
  const branches = among.map(({ resource, byDefault, exceptions }, n) => {
    params[`seen${n}`] = exceptions.map(String);
    const table = tables.get(resource)!;
    const objects = selectObjects(table, {
      columns: ['tags'],
      where: ['project_id = $projectId', table.isLive],
    });
    return `SELECT tags FROM (${objects}) WHERE tags <> '[]'
      AND (coalesce(created_by = $userId, false) OR list_contains($seen${n}::VARCHAR[], id::VARCHAR) <> ${byDefault})`;
  });
  // The lists are read here, not by the database: few of them differ.
  const rows = await db.all<{ tags: string }>(branches.join(' UNION '), params);
  const names = rows.flatMap(({ tags }) => JSON.parse(tags) as string[]);
  return [...new Set(names)].toSorted();
}
