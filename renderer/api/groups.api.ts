import type { GroupJson } from '../../server/features/groups/groups.contract.ts';
import { api } from './client.ts';

/** The groups of a type that match, newest first; `next` is the cursor of the next page. */
export async function listGroups(
  projectId: number,
  { typeIndex, search, cursor }: { typeIndex: number; search?: string; cursor?: string | undefined },
): Promise<{ groups: GroupJson[]; next: string | null }> {
  const page = await api.get('P/groups/', {
    projectId,
    query: { group_type_index: typeIndex, search: search || undefined, cursor },
  });
  return { groups: page.results, next: cursorOf(page.next) };
}

/** The cursor within the address of the next page. */
export function cursorOf(next: string | null): string | null {
  return next === null ? null : new URL(next, 'http://localhost').searchParams.get('cursor');
}
