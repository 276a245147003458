import type { Param, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import { LEGACY_KINDS } from '../query/index.ts';
import { INSIGHT, type InsightRow } from './insight-row.ts';
import type { ListInsightsQuery } from './insights.contract.ts';

/** Visible insights: all except `exceptions`, or (`byDefault` false) only them, and own ones. */
export interface InsightVisibility {
  readonly userId: number;
  readonly byDefault: boolean;
  readonly exceptions: readonly number[];
}

/** Filters of a list; absent: no filter. */
export interface InsightFilter {
  readonly shortId?: string | undefined;
  readonly createdBy?: readonly number[] | undefined;
  readonly madeBy?: number | undefined;
  readonly saved?: boolean | undefined;
  readonly favorited?: boolean | undefined;
  readonly search?: string | undefined;
  /** Unix milliseconds, both of the last change of content; from inclusive, to exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly type?: ListInsightsQuery['insight'];
  /** The insight is on all of them. */
  readonly dashboards?: readonly number[] | undefined;
  /** The key of a flag. */
  readonly featureFlag?: string | undefined;
}

/** A page of a list. */
export interface InsightListRequest {
  readonly filter: InsightFilter;
  /** Fields separated by commas, `-` for descending. */
  readonly order: string | undefined;
  readonly slice: Slice;
}

/** Live tiles of live dashboards. */
const PLACES = `SELECT insight_id FROM dashboard_tiles tile JOIN dashboards board ON board.id = tile.dashboard_id
  WHERE NOT tile.deleted AND NOT board.deleted AND tile.insight_id IS NOT NULL`;

const QUERY_KIND = `coalesce(json_extract_string(query, '$.source.kind'), json_extract_string(query, '$.kind'))`;

const KIND_OF: ReadonlyMap<string, string> = new Map([
  ...LEGACY_KINDS.map(({ name, kind }): [string, string] => [name, kind]),
  ['SQL', 'HogQLQuery'],
]);

/** Names of kinds by which the list can be filtered; JSON: any other query. */
export const INSIGHT_TYPES: readonly string[] = [...KIND_OF.keys(), 'JSON'];

/** Live insights of a project from `slice.offset` on, and how many there are in all; one statement. */
export function listInsights(
  db: Statements,
  projectId: number,
  visibility: InsightVisibility,
  { filter, order, slice }: InsightListRequest,
): Promise<{ rows: InsightRow[]; count: number }> {
  const { conditions, params } = conditionsOf(projectId, visibility, filter);
  const found = `SELECT ${INSIGHT} FROM insights WHERE ${conditions.join(' AND ')}`;
  return selectPage<InsightRow>(db, found, params, orderOf(order), slice);
}

/** The live insights that a user viewed last, latest first; one statement. */
export function listLastViewed(
  db: Statements,
  projectId: number,
  visibility: InsightVisibility,
): Promise<InsightRow[]> {
  const { conditions, params } = conditionsOf(projectId, visibility, {});
  return db.all<InsightRow>(
    `SELECT seen.* FROM (SELECT ${INSIGHT} FROM insights WHERE ${conditions.join(' AND ')}) seen
     JOIN insight_views ON insight_id = seen.id AND user_id = $userId
     ORDER BY viewed_at DESC, seen.id LIMIT 5`,
    params,
  );
}

function conditionsOf(
  projectId: number,
  { userId, byDefault, exceptions }: InsightVisibility,
  filter: InsightFilter,
): { conditions: string[]; params: Record<string, Param> } {
  const conditions = [
    'project_id = $projectId AND NOT deleted',
    '(created_by = $userId OR list_contains($exceptions::BIGINT[], id) <> $byDefault)',
  ];
  const params: Record<string, Param> = { projectId, userId, byDefault, exceptions };
  const add = (condition: string, values: Readonly<Record<string, Param | undefined>>): void => {
    if (Object.values(values).includes(undefined)) return;
    conditions.push(condition);
    Object.assign(params, values);
  };
  add('short_id = $shortId', { shortId: filter.shortId });
  add('list_contains($makers::BIGINT[], created_by)', { makers: filter.createdBy });
  add('created_by = $madeBy', { madeBy: filter.madeBy });
  add(`(saved OR id IN (${PLACES})) = $saved`, { saved: filter.saved });
  add('favorited = $favorited', { favorited: filter.favorited });
  const searches = SEARCHED.map((text) => `contains(lower(${text}), $words)`).join(' OR ');
  add(`(${searches})`, { words: filter.search?.trim().toLowerCase() || undefined });
  add('last_modified_at >= epoch_ms($from)', { from: filter.from });
  add('last_modified_at < epoch_ms($to)', { to: filter.to });
  add(
    `(contains(${QUESTION}, $flag) OR (contains(${QUESTION}, '"$feature_flag"') AND contains(${QUESTION}, $flagKey)))`,
    {
      flag: filter.featureFlag && JSON.stringify(`$feature/${filter.featureFlag}`),
      flagKey: filter.featureFlag && JSON.stringify(filter.featureFlag),
    },
  );
  if (filter.type !== undefined) conditions.push(typeCondition(filter.type));
  if (filter.dashboards !== undefined && filter.dashboards.length > 0) {
    const boards = [...new Set(filter.dashboards)];
    add(
      `id IN (${PLACES} AND list_contains($boards::BIGINT[], tile.dashboard_id) GROUP BY insight_id
         HAVING count(DISTINCT tile.dashboard_id) = ${boards.length})`,
      { boards },
    );
  }
  return { conditions, params };
}

const TAGS = `array_to_string(from_json(tags, '["VARCHAR"]'), chr(10))`;
const SEARCHED = [`coalesce(name, '')`, `coalesce(derived_name, '')`, 'description', TAGS];
/** A flag is looked at as a property of its own, or as the key of the events of its calls. */
const QUESTION = `concat(filters, coalesce(query, ''))`;

function typeCondition(type: NonNullable<InsightFilter['type']>): string {
  if (type !== 'JSON') return `${QUERY_KIND} = '${KIND_OF.get(type)}'`;
  const others = [...KIND_OF.values()].map((kind) => `'${kind}'`);
  return `query IS NOT NULL AND ${QUERY_KIND} NOT IN (${others.join(', ')})`;
}

const ORDERS: ReadonlyMap<string, string> = new Map([
  ['order', 'position'],
  ['id', 'id'],
  ['short_id', '"shortId"'],
  ['name', `lower(coalesce(nullif(name, ''), "derivedName", ''))`],
  ['created_at', '"createdAt"'],
  ['updated_at', '"updatedAt"'],
  ['last_modified_at', '"lastModifiedAt"'],
  ['created_by', '"createdBy"'],
  ['favorited', 'favorited'],
  ['saved', 'saved'],
]);

/** The id decides last, so that pages neither repeat nor leave out a row. */
function orderOf(ordering = ''): string {
  const columns = ordering.split(',').flatMap((field) => {
    const column = ORDERS.get(field.trim().replace(/^-/, ''));
    return column === undefined
      ? []
      : [`${column} ${field.trim().startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST`];
  });
  return [...(columns.length > 0 ? columns : ['position ASC NULLS LAST']), 'id'].join(', ');
}
