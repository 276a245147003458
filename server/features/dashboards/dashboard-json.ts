import type { AccessLevel, DashboardLevels } from '../access/index.ts';
import type { EmbeddedUser } from '../users/index.ts';
import type { DashboardJson, DashboardListItem } from './dashboards.contract.ts';
import type { SeenDashboard } from './dashboards.reads.ts';

type Json = Record<string, unknown>;

/** The creator of a dashboard and the access level of the caller. */
export interface DashboardSurroundings {
  readonly createdBy: EmbeddedUser | null;
  readonly levels: Pick<DashboardLevels, 'effectiveRestrictionLevel' | 'effectivePrivilegeLevel'>;
  /** null: an anonymous viewer of a shared page. */
  readonly userAccessLevel: AccessLevel | null;
}

/** What one request lays over a dashboard without keeping it. */
export interface Overrides {
  /** Over the filters, key by key. */
  readonly filters?: Readonly<Json> | undefined;
  /** In place of the variables. */
  readonly variables?: Readonly<Json> | undefined;
}

/** A dashboard as the list shows it (management contract 3.1). */
export function dashboardListItemOf(row: SeenDashboard, around: DashboardSurroundings): DashboardListItem {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    pinned: row.pinned,
    created_at: row.createdAt,
    created_by: around.createdBy,
    is_shared: row.isShared,
    deleted: row.deleted,
    creation_mode: row.creationMode,
    tags: JSON.parse(row.tags) as string[],
    restriction_level: row.restrictionLevel,
    effective_restriction_level: around.levels.effectiveRestrictionLevel,
    effective_privilege_level: around.levels.effectivePrivilegeLevel,
    user_access_level: around.userAccessLevel,
  };
}

/** A dashboard with its tiles (management contract 3.1). */
export function dashboardJsonOf(
  row: SeenDashboard,
  around: DashboardSurroundings,
  tiles: DashboardJson['tiles'],
  { filters = {}, variables }: Overrides = {},
): DashboardJson {
  return {
    ...dashboardListItemOf(row, around),
    use_template: row.useTemplate,
    use_dashboard: row.useDashboard,
    delete_insights: false,
    filters: { ...(JSON.parse(row.filters) as Json), ...filters },
    variables: variables ?? (JSON.parse(row.variables) as Json),
    tiles,
  };
}
