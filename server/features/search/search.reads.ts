import type { Params, Statements } from '../../db/db.ts';
import type { FoundObject, Resource } from '../../http/define-resource.ts';
import { selectObjects } from '../../lib/resource-table.ts';
import type { ReadableResource } from '../access/index.ts';

/** As many as PostHog's search answers with. */
const MAX_RESULTS = 25;
/** So many of each kind, where kinds are limited one by one, that none hides another. */
const MAX_KINDS = 20;

export interface Search {
  projectId: number;
  userId: number;
  /** Words that must all be there; none: everything is found. */
  text: string;
  /** The most results of each kind; null: only all of them are limited. */
  perKind: number | null;
  /** Resources to look for, each with what of it may be seen. */
  among: readonly (Omit<ReadableResource, 'resource'> & { readonly resource: Resource })[];
}

/** The best matches first; without words, by kind and name. */
export async function search(
  db: Statements,
  asked: Search,
): Promise<(FoundObject & { type: string; rank: number | null })[]> {
  const { found, params: words } = foundBy(asked);
  const order = asked.text === '' ? 'type, name NULLS FIRST, id' : 'rank DESC, length(name), name, type, id';
  if (found === '') return [];
  const { perKind } = asked;
  const params = perKind === null ? words : { ...words, perKind };
  const best =
    perKind === null ? '' : `QUALIFY row_number() OVER (PARTITION BY type ORDER BY ${order}) <= $perKind`;
  const most = perKind === null ? MAX_RESULTS : perKind * MAX_KINDS;
  const details = asked.among.flatMap(({ resource: { noun, table, search } }) =>
    table === undefined || search?.details === undefined
      ? []
      : [
          `WHEN '${noun}' THEN (SELECT details FROM (${selectObjects(table, { columns: [`${search.details} AS details`] })}) o
             WHERE o.id::VARCHAR = best.id)`,
        ],
  );
  return db.all(
    `WITH best AS (SELECT * FROM (${found}) ${best} ORDER BY ${order} LIMIT ${most})
     SELECT type, id, name, description, rank,
       ${details.length === 0 ? 'NULL' : `CASE type ${details.join(' ')} END`} AS details
     FROM best ORDER BY ${order}`,
    params,
  );
}

/** How many objects of each kind were found. */
export async function countFound(db: Statements, asked: Search): Promise<Map<string, number>> {
  const { found, params } = foundBy(asked);
  const rows =
    found === ''
      ? []
      : await db.all<{ type: string; count: number }>(
          `SELECT type, count(*) AS count FROM (${found}) GROUP BY type`,
          params,
        );
  return new Map(rows.map(({ type, count }) => [type, count]));
}

function foundBy({ projectId, userId, text, among }: Search): { found: string; params: Params } {
  const params: Record<string, Params[string]> = { projectId };
  const words = [
    ...new Set(
      text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ];
  words.forEach((word, n) => (params[`word${n}`] = word));
  if (words.length > 0) params['text'] = text.toLowerCase();
  const branches = among.flatMap(({ resource, byDefault, exceptions }, n) => {
    const { noun, table, search: by } = resource;
    if (table === undefined || by === undefined) return [];
    const source = selectObjects(table, {
      columns: [`${by.name ?? 'name'} AS name`, `${by.description ?? 'description'} AS description`],
      where: ['project_id = $projectId', table.isLive, by.where],
    });
    params['userId'] = userId;
    params[`seen${n}`] = exceptions.map(String);
    const isVisible = `(coalesce(created_by = $userId, false) OR list_contains($seen${n}::VARCHAR[], id::VARCHAR) <> ${byDefault})`;
    return [
      `SELECT '${noun}' AS type, id::VARCHAR AS id, name, description, ${rankOf(words.length)} AS rank FROM (${source})
       WHERE ${[isVisible, ...words.map((_, index) => holds(SAID, index))].join(' AND ')}`,
    ];
  });
  return { found: branches.join(' UNION ALL '), params };
}

const NAME = `lower(coalesce(name, ''))`;
const SAID = `${NAME} || ' ' || lower(description)`;

function holds(text: string, word: number): string {
  return `contains(${text}, $word${word})`;
}

/**
 * Ranks an equal name first, then a name that starts with the text, one that contains it, one that contains all
 * words, and last a description that contains them.
 */
function rankOf(words: number): string {
  if (words === 0) return 'NULL::DOUBLE';
  const allInName = Array.from({ length: words }, (_, word) => holds(NAME, word)).join(' AND ');
  return `CASE WHEN ${NAME} = $text THEN 1.0 WHEN starts_with(${NAME}, $text) THEN 0.8
    WHEN contains(${NAME}, $text) THEN 0.6 WHEN ${allInName} THEN 0.4 ELSE 0.2 END::DOUBLE`;
}
