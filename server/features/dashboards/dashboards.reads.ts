import type { Param, Statements } from '../../db/db.ts';
import type { PrivilegeLevel } from '../access/index.ts';
import type { DashboardRow } from './dashboards.store.ts';

/** A dashboard with what others say of it: one row, whoever and whatever stands on it. */
export interface DashboardView extends DashboardRow {
  readonly isShared: boolean;
  /** Of the one who asks; null: no collaborator. */
  readonly collaboratorLevel: PrivilegeLevel | null;
}

/** Who asks, and when (Unix milliseconds): a link may have an end. */
export interface Asker {
  readonly userId: number;
  readonly now: number;
}

/** What a list asks for; null and empty: everything. */
export interface DashboardFilter {
  /** Any of them. */
  readonly tags: readonly string[];
  readonly creationMode: string | null;
  readonly excludeGenerated: boolean;
  /** Part of name or description. */
  readonly search: string | null;
  readonly pinned: boolean | null;
}

/** Which dashboards the one who asks may see, beyond its own. */
export interface Visibility {
  readonly byDefault: boolean;
  readonly exceptions: readonly number[];
}

/** Names that PostHog gives to dashboards which it makes for its own screens. */
const GENERATED = 'Generated Dashboard';

export const DASHBOARD = `id, project_id AS "projectId", name, description, pinned, filters, variables, tags,
  restriction_level AS "restrictionLevel", creation_mode AS "creationMode", use_template AS "useTemplate",
  use_dashboard AS "useDashboard", created_by AS "createdBy", created_at AS "createdAt", deleted`;

/** Needs $now and $userId; a link counts while it is on, has not ended, and links are on for this machine. */
const VIEW = `SELECT d.*, coalesce(d.id IN (
      SELECT dashboard_id FROM sharing_configurations
      WHERE dashboard_id IS NOT NULL AND enabled AND (expires_at IS NULL OR expires_at > epoch_ms($now))
        AND NOT EXISTS (FROM server_settings WHERE name = 'sharing_off' AND value <> 'false')
    ), false) AS "isShared", c.level AS "collaboratorLevel"
  FROM (SELECT ${DASHBOARD} FROM dashboards) d
  LEFT JOIN dashboard_collaborators c ON c.dashboard_id = d.id AND c.user_id = $userId`;

/** A dashboard of a project, also a deleted one, or null. */
export function findDashboard(
  statements: Statements,
  projectId: number,
  id: number,
  asker: Asker,
): Promise<DashboardView | null> {
  return statements.first<DashboardView>(`${VIEW} WHERE d."projectId" = $projectId AND d.id = $id`, {
    projectId,
    id,
    ...asker,
  });
}

/** A page of live dashboards, pinned ones first, then by name; and how many there are in all. Two statements. */
export async function listDashboards(
  statements: Statements,
  projectId: number,
  filter: DashboardFilter,
  visibility: Visibility,
  asker: Asker,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: DashboardView[]; count: number }> {
  const { where, params } = conditionOf(projectId, filter, visibility, asker.userId);
  const [rows, counted] = await Promise.all([
    statements.all<DashboardView>(
      `${VIEW} WHERE d.id IN (SELECT id FROM dashboards WHERE ${where}
         ORDER BY pinned DESC, name, id LIMIT ${limit} OFFSET ${offset})
       ORDER BY d.pinned DESC, d.name, d.id`,
      { ...params, ...asker },
    ),
    statements.first<{ count: number }>(`SELECT count(*) AS count FROM dashboards WHERE ${where}`, params),
  ]);
  return { rows, count: counted!.count };
}

function conditionOf(
  projectId: number,
  { tags, creationMode, excludeGenerated, search, pinned }: DashboardFilter,
  { byDefault, exceptions }: Visibility,
  userId: number,
): { where: string; params: Record<string, Param> } {
  const conditions = [
    'project_id = $projectId AND NOT deleted',
    '(created_by = $userId OR list_contains($exceptions::BIGINT[], id) <> $byDefault)',
  ];
  const params: Record<string, Param> = { projectId, userId, exceptions, byDefault };
  if (tags.length > 0) {
    conditions.push(`list_has_any(from_json(tags, '["VARCHAR"]'), $tags::VARCHAR[])`);
    params['tags'] = tags;
  }
  conditions.push(creationMode === null ? `creation_mode <> 'unlisted'` : 'creation_mode = $creationMode');
  if (creationMode !== null) params['creationMode'] = creationMode;
  if (excludeGenerated) conditions.push(`NOT starts_with(name, '${GENERATED}')`);
  if (search !== null) {
    conditions.push(
      '(contains(lower(name), lower($search)) OR contains(lower(description), lower($search)))',
    );
    params['search'] = search;
  }
  if (pinned !== null) {
    conditions.push('pinned = $pinned');
    params['pinned'] = pinned;
  }
  return { where: conditions.join(' AND '), params };
}
