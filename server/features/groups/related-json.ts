import type { z } from 'zod';
import type { Db } from '../../db/db.ts';
import type { ReadStatements } from '../../db/db.ts';
import { getPersonId, listPersonsByIds } from '../persons/index.ts';
import type { relatedQuery, RelatedJson } from './groups.contract.ts';
import { getGroups, listRelated } from './groups.reads.ts';

/** As far back as PostHog looks. */
const RELATED_MS = 90 * 86_400_000;

/**
 * The persons and groups that shared events with a group, or the groups of a person's events; persons first, then
 * groups by type, each most recent first. `now` in Unix milliseconds. Throws not_found for an unknown person.
 */
export async function listRelatedJson(
  { db, asked, now }: { db: Db; asked: ReadStatements; now: number },
  projectId: number,
  { id, group_type_index: index }: z.output<typeof relatedQuery>,
): Promise<RelatedJson> {
  const to = index === undefined ? { personId: await getPersonId(db, projectId, id) } : { index, key: id };
  const { personIds, groups } = await listRelated(asked, projectId, to, now - RELATED_MS);
  const others = groups.filter((other) => other.index !== index || other.key !== id);
  const [persons, rows] = await Promise.all([
    listPersonsByIds(asked, personIds),
    getGroups(asked, projectId, others),
  ]);
  return [
    ...persons.map((person) => ({ ...person, type: 'person' as const, id: person.uuid })),
    ...rows.map((row) => ({
      type: 'group' as const,
      id: row.key,
      group_key: row.key,
      group_type_index: row.index,
      properties: JSON.parse(row.properties) as Record<string, unknown>,
      created_at: row.createdAt,
    })),
  ];
}
