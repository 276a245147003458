import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { AccessLevel, PrivilegeLevel, RestrictionLevel } from '../access/index.ts';
import { overrideQuery, warningsOf, type QueryOverrides, type StoredQuery } from '../query/index.ts';
import type { EmbeddedUser } from '../users/index.ts';
import type { DashboardView, Placement } from './insight-placements.ts';
import type { BasicInsightJson, InsightAnswer, InsightJson } from './insights.contract.ts';
import type { InsightRow } from './insight-row.ts';

/** Related data of an insight: users, dashboards and the access level of the caller. */
export interface InsightSurroundings {
  readonly createdBy: EmbeddedUser | null;
  readonly lastModifiedBy: EmbeddedUser | null;
  readonly placements: readonly Placement[];
  readonly effectiveRestrictionLevel: RestrictionLevel;
  readonly effectivePrivilegeLevel: PrivilegeLevel;
  readonly userAccessLevel: AccessLevel | null;
  /** Overrides of its query by the dashboard on which it is viewed. */
  readonly overrides: QueryOverrides;
}

/** The result fields of an insight that is not computed. */
export const NO_ANSWER: InsightAnswer = {
  last_refresh: null,
  cache_target_age: null,
  next_allowed_client_refresh: null,
  result: null,
  hasMore: null,
  columns: null,
  timezone: null,
  is_cached: false,
  query_status: null,
  hogql: null,
  types: null,
  filters_hash: null,
};

/** An insight without its result (management contract 9.6, `basic=true`). */
export function basicInsightJson(row: InsightRow, around: InsightSurroundings): BasicInsightJson {
  const dashboards = around.placements.map(({ dashboardId }) => dashboardId);
  const query = queryOf(row, around.overrides);
  const warnings = query === null ? [] : warningsOf(query);
  return {
    id: row.id,
    short_id: row.shortId,
    name: row.name,
    derived_name: row.derivedName,
    filters: parseExactly(row.filters) as Record<string, unknown>,
    query,
    ...(warnings.length > 0 && { warnings }),
    order: row.position,
    deleted: row.deleted,
    dashboards: [...new Set(dashboards)],
    dashboard_tiles: around.placements.map((one) => ({
      id: one.tileId,
      dashboard_id: one.dashboardId,
      deleted: null,
    })),
    created_at: row.createdAt,
    created_by: around.createdBy,
    description: row.description,
    updated_at: row.updatedAt,
    tags: JSON.parse(row.tags) as string[],
    favorited: row.favorited,
    saved: row.saved,
    last_modified_at: row.lastModifiedAt,
    last_modified_by: around.lastModifiedBy,
    is_sample: row.isSample,
    effective_restriction_level: around.effectiveRestrictionLevel,
    effective_privilege_level: around.effectivePrivilegeLevel,
    user_access_level: around.userAccessLevel,
  };
}

function queryOf({ query }: InsightRow, overrides: QueryOverrides): StoredQuery | null {
  return query === null ? null : overrideQuery(parseExactly(query) as StoredQuery, overrides);
}

/** An insight; `view`: as shown on the requested dashboard. */
export function insightJson(
  row: InsightRow,
  around: InsightSurroundings,
  view: Pick<DashboardView, 'color' | 'layouts'> | null = null,
): InsightJson {
  return {
    ...basicInsightJson(row, around),
    ...NO_ANSWER,
    ...(view === null ? {} : { color: view.color, layouts: view.layouts }),
  };
}
