import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { PrivilegeLevel, RestrictionLevel } from '../access/index.ts';

/** A live tile of an insight on a live dashboard, with the data that decides who may edit it. */
export interface Placement {
  readonly tileId: number;
  readonly dashboardId: number;
  readonly restrictionLevel: RestrictionLevel;
  readonly dashboardCreatedBy: number | null;
  /** Privilege of the caller; null: no collaborator. */
  readonly collaboratorLevel: PrivilegeLevel | null;
}

/** How a dashboard shows an insight of its own. */
export interface DashboardView {
  readonly color: string | null;
  readonly layouts: Readonly<Record<string, unknown>>;
  /** The filters of the dashboard and of the tile, which the insight takes on. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Values of variables that replace those of its query. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What insights need of dashboards; dashboards import insights and not the reverse. */
export interface InsightPlacements {
  /** Live tiles of live dashboards by insight, in order of the tiles; one statement. */
  of(
    statements: Statements,
    userId: number,
    insightIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Placement[]>>;
  /**
   * Puts the insight on exactly these dashboards: adds tiles, and soft-deletes others. Throws invalid_input
   * (`dashboards`) for one that is not in the project, not_editable for one that the actor may not edit.
   */
  set(
    tx: Statements,
    actor: Actor,
    projectId: number,
    insightId: number,
    dashboardIds: readonly number[],
    now: number,
  ): Promise<void>;
  /** Null when the insight is not on it. */
  onDashboard(
    statements: Statements,
    projectId: number,
    insightId: number,
    dashboardId: number,
  ): Promise<DashboardView | null>;
}
