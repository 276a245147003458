import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { recordActivities, type Change } from '../activity-log/index.ts';
import type { StoredTile } from './dashboards.store.ts';
import { dashboardResource } from './dashboards.resource.ts';

/** A log entry of a dashboard. */
export interface DashboardActivity {
  readonly dashboard: { readonly id: number; readonly projectId: number; readonly name: string };
  readonly activity: 'created' | 'updated' | 'deleted' | 'restored';
  readonly changes?: readonly Change[];
}

export interface DashboardLog {
  /** One entry for each dashboard that changed, in one statement. */
  record(tx: Statements, actor: Actor, ...activities: readonly DashboardActivity[]): Promise<void>;
}

export function createDashboardLog({ clock, newId }: { clock: Clock; newId: NewId }): DashboardLog {
  return {
    record: (tx, actor, ...activities) =>
      recordActivities(
        tx,
        activities.map(({ dashboard: { id, projectId, name }, activity, changes = [] }) => ({
          id: newId(),
          now: clock(),
          organizationId: actor.organizationId,
          projectId,
          userId: actor.user.id,
          activity,
          scope: dashboardResource.activity,
          itemId: String(id),
          name,
          changes,
        })),
      ),
  };
}

/** Logged fields of a tile, by their API names. */
type LoggedTile = StoredTile & { readonly body?: string | null };

/**
 * The change of the field `tiles`: those that differ, before and after. `before` lacks tiles that are new, `after` those
 * that went to another dashboard. Empty when nothing differs.
 */
export function tileChanges(before: readonly LoggedTile[], after: readonly LoggedTile[]): Change[] {
  const old = new Map(before.map((tile) => [tile.id, JSON.stringify(logFieldsOf(tile))]));
  const now = new Map(after.map((tile) => [tile.id, JSON.stringify(logFieldsOf(tile))]));
  const wasChanged = (id: number) => old.get(id) !== now.get(id);
  const left = before.filter(({ id }) => wasChanged(id)).map(logFieldsOf);
  const right = after.filter(({ id }) => wasChanged(id)).map(logFieldsOf);
  if (left.length === 0 && right.length === 0) return [];
  return [
    { type: dashboardResource.activity, action: 'changed', field: 'tiles', before: left, after: right },
  ];
}

function logFieldsOf(tile: LoggedTile): Record<string, unknown> {
  return {
    id: tile.id,
    insight: tile.insightId,
    text: tile.textId === null ? null : { id: tile.textId, body: tile.body ?? null },
    layouts: JSON.parse(tile.layouts) as unknown,
    color: tile.color,
    deleted: tile.deleted,
    show_description: tile.showDescription,
    filters_overrides: tile.filtersOverrides === null ? null : (JSON.parse(tile.filtersOverrides) as unknown),
    transparent_background: tile.transparentBackground,
  };
}
