import type { Statements } from '../../db/db.ts';
import type { RestrictionLevel } from '../access/index.ts';

export type CreationMode = 'default' | 'template' | 'duplicate' | 'unlisted';

export interface DashboardRow {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly description: string;
  readonly pinned: boolean;
  /** JSON text of an object, as `variables`. */
  readonly filters: string;
  readonly variables: string;
  /** JSON text of a list of texts. */
  readonly tags: string;
  readonly restrictionLevel: RestrictionLevel;
  readonly creationMode: CreationMode;
  readonly useTemplate: string;
  readonly useDashboard: number | null;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly deleted: boolean;
}

/** What a row is made of; its id and its time are given by the store. */
export type NewDashboard = Omit<DashboardRow, 'id' | 'createdAt'>;

/** Stores a dashboard and returns its id; `now` in Unix milliseconds. */
export async function insertDashboard(tx: Statements, dashboard: NewDashboard, now: number): Promise<number> {
  const row = await tx.first<{ id: number }>(
    `INSERT INTO dashboards (project_id, name, description, pinned, filters, variables, tags, restriction_level,
       creation_mode, use_template, use_dashboard, created_by, created_at, updated_at, deleted)
     VALUES ($projectId, $name, $description, $pinned, $filters, $variables, $tags, $restrictionLevel,
       $creationMode, $useTemplate, $useDashboard, $createdBy, epoch_ms($now), epoch_ms($now), $deleted)
     RETURNING id`,
    { ...dashboard, now },
  );
  return row!.id;
}

/** What a PATCH may change. */
export type DashboardContent = Pick<
  DashboardRow,
  'name' | 'description' | 'pinned' | 'filters' | 'variables' | 'tags' | 'restrictionLevel' | 'deleted'
>;

/** `now` in Unix milliseconds. */
export function updateDashboard(
  tx: Statements,
  id: number,
  content: DashboardContent,
  now: number,
): Promise<void> {
  const { name, description, pinned, filters, variables, tags, restrictionLevel, deleted } = content;
  return tx.run(
    `UPDATE dashboards SET name = $name, description = $description, pinned = $pinned, filters = $filters,
       variables = $variables, tags = $tags, restriction_level = $restrictionLevel, deleted = $deleted,
       updated_at = epoch_ms($now)
     WHERE id = $id`,
    { id, name, description, pinned, filters, variables, tags, restrictionLevel, deleted, now },
  );
}
