import { parseExactly } from '../../lib/exact-number.contract.ts';
import { jsonText } from '../../lib/json-text.ts';
import { queryOfFilters, readQuery } from '../query/index.ts';
import type { WriteInsightBody } from './insights.contract.ts';
import type { InsightRow } from './insight-row.ts';

/** What can be written of an insight. */
export type InsightContent = Pick<
  InsightRow,
  | 'name'
  | 'derivedName'
  | 'description'
  | 'filters'
  | 'query'
  | 'position'
  | 'tags'
  | 'favorited'
  | 'saved'
  | 'deleted'
>;

export const EMPTY_INSIGHT: InsightContent = {
  name: null,
  derivedName: null,
  description: '',
  filters: '{}',
  query: null,
  position: null,
  tags: '[]',
  favorited: false,
  saved: false,
  deleted: false,
};

/** What the body says, and the rest as it was. Throws parse_error for an invalid query. */
export function contentOf(old: InsightContent, body: WriteInsightBody): InsightContent {
  const { name, derived_name: derivedName, order } = body;
  return {
    name: name === undefined ? old.name : name,
    derivedName: derivedName === undefined ? old.derivedName : derivedName,
    description: body.description === undefined ? old.description : (body.description ?? ''),
    ...questionOf(old, body),
    position: order === undefined ? old.position : order,
    tags: body.tags === undefined ? old.tags : jsonText(body.tags),
    favorited: body.favorited ?? old.favorited,
    saved: body.saved ?? old.saved,
    deleted: body.deleted ?? old.deleted,
  };
}

/**
 * The question in both forms. A query goes before filters; filters alone are translated, once, when they are written
 * (management contract 9.9.2). A new query ends the old filters, unless they are sent again with it.
 */
function questionOf(old: InsightContent, body: WriteInsightBody): Pick<InsightContent, 'filters' | 'query'> {
  if (body.query === undefined && body.filters === undefined)
    return { filters: old.filters, query: old.query };
  const filters = body.filters ?? {};
  const hasFilters = Object.keys(filters).length > 0;
  if (body.query !== undefined && body.query !== null) {
    const sent = jsonText(body.query);
    // Clients send the whole insight back: what was stored once is no new query, whatever is refused by now.
    return { filters: jsonText(filters), query: sent === old.query ? sent : jsonText(readQuery(body.query)) };
  }
  if (hasFilters) {
    const sent = jsonText(filters);
    const isOld = body.query === undefined && sent === old.filters;
    return { filters: sent, query: isOld ? old.query : textOrNull(queryOfFilters(filters)) };
  }
  // Clients send empty filters with queries; these do not replace a query.
  const isQueryUnchanged = body.query === undefined && old.filters === '{}';
  return { filters: '{}', query: isQueryUnchanged ? old.query : null };
}

function textOrNull(query: object | null): string | null {
  return query === null ? null : jsonText(query);
}

/** Whether content or query differs: only then `last_modified` changes (management contract 9.6). */
export function isModified(before: InsightContent, after: InsightContent): boolean {
  const fields = ['name', 'description', 'filters', 'query'] as const;
  return fields.some((field) => before[field] !== after[field]);
}

/** Logged fields of an insight, by their API names. */
export function logFieldsOf(
  content: InsightContent,
  dashboards?: readonly number[],
): Record<string, unknown> {
  const { name, derivedName, description, filters, query, position, tags, favorited, saved, deleted } =
    content;
  return {
    name,
    derived_name: derivedName,
    description,
    filters: parseExactly(filters),
    query: query === null ? null : parseExactly(query),
    order: position,
    tags: JSON.parse(tags),
    favorited,
    saved,
    deleted,
    ...(dashboards === undefined ? {} : { dashboards: dashboards.toSorted((a, b) => a - b) }),
  };
}
