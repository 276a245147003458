import type { Params, Statements } from '../../db/db.ts';
import type { ReadableResource } from '../access/index.ts';
import type { Entity } from './search.contract.ts';

/** An object that was found; what only its kind has is null for others. */
export interface FoundObject {
  type: Entity;
  id: string;
  name: string | null;
  description: string | null;
  rank: number | null;
  shortId: string | null;
  derivedName: string | null;
  /** JSON text. */
  query: string | null;
}

/** As many as PostHog's search answers with. */
const MAX_RESULTS = 25;
const NOBODY = 'NULL::INTEGER';

/** Where objects of a kind are: id, name, what else may hold a word, and who made them. */
const SOURCES: Partial<Record<Entity, string>> = {
  insight: `SELECT id::VARCHAR AS id, coalesce(nullif(name, ''), derived_name) AS name, description, created_by
    FROM insights WHERE project_id = $projectId AND NOT deleted`,
  dashboard: live('dashboards'),
  action: live('actions'),
  cohort: live('cohorts'),
  // Its name is what it is for, and it is called by its key.
  feature_flag: `SELECT id::VARCHAR AS id, key AS name, name AS description, created_by
    FROM feature_flags WHERE project_id = $projectId AND NOT deleted`,
  survey: kept('surveys'),
  early_access_feature: kept('early_access_features'),
  event_definition: defined('event_definitions'),
  property_definition: defined('property_definitions'),
};

/** What is deleted is gone. */
function kept(table: string): string {
  return `SELECT id::VARCHAR AS id, name, description, created_by
    FROM ${table} WHERE project_id = $projectId`;
}

/** What is deleted is marked so. */
function live(table: string): string {
  return `${kept(table)} AND NOT deleted`;
}

function defined(table: string): string {
  return `SELECT id::VARCHAR AS id, name, '' AS description, ${NOBODY} AS created_by
    FROM ${table} WHERE project_id = $projectId AND NOT hidden`;
}

export interface Search {
  projectId: number;
  userId: number;
  /** Words that must all be there; none: everything is found. */
  text: string;
  /** Kinds to look for, each with what of it may be seen. */
  among: readonly ReadableResource<Entity>[];
}

/** The best matches first; without words, by kind and name. */
export async function search(db: Statements, asked: Search): Promise<FoundObject[]> {
  const { found, params } = foundBy(asked);
  const order = asked.text === '' ? 'type, name NULLS FIRST, id' : 'rank DESC, length(name), name, type, id';
  if (found === '') return [];
  return db.all<FoundObject>(
    `WITH best AS (SELECT * FROM (${found}) ORDER BY ${order} LIMIT ${MAX_RESULTS})
     SELECT best.type, best.id, CASE WHEN i.id IS NULL THEN best.name ELSE i.name END AS name, best.description,
       best.rank, i.short_id AS "shortId", i.derived_name AS "derivedName", i.query
     FROM best LEFT JOIN insights i ON best.type = 'insight' AND i.id::VARCHAR = best.id
     ORDER BY ${order.replaceAll(/\b(type|name|rank|id)\b/g, 'best.$1')}`,
    params,
  );
}

/** How many objects of each kind were found. */
export async function countFound(db: Statements, asked: Search): Promise<Map<Entity, number>> {
  const { found, params } = foundBy(asked);
  const rows =
    found === ''
      ? []
      : await db.all<{ type: Entity; count: number }>(
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
    const source = SOURCES[resource];
    if (source === undefined) return [];
    params['userId'] = userId;
    params[`seen${n}`] = exceptions.map(String);
    const isVisible = `(coalesce(created_by = $userId, false) OR list_contains($seen${n}::VARCHAR[], id) <> ${byDefault})`;
    return [
      `SELECT '${resource}' AS type, id, name, description, ${rankOf(words.length)} AS rank FROM (${source})
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

/** It is named so; its name begins so; or holds it; or holds the words; or the words stand in its description. */
function rankOf(words: number): string {
  if (words === 0) return 'NULL::DOUBLE';
  const allInName = Array.from({ length: words }, (_, word) => holds(NAME, word)).join(' AND ');
  return `CASE WHEN ${NAME} = $text THEN 1.0 WHEN starts_with(${NAME}, $text) THEN 0.8
    WHEN contains(${NAME}, $text) THEN 0.6 WHEN ${allInName} THEN 0.4 ELSE 0.2 END::DOUBLE`;
}
