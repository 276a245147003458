import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { InsightPlacements, Insights } from '../insights/index.ts';
import type { Users } from '../users/index.ts';
import type { DashboardAccess } from './dashboard-access.ts';
import { dashboardJsonOf, type Overrides } from './dashboard-json.ts';
import type { DashboardJson, TileJson } from './dashboards.contract.ts';
import {
  findDashboard,
  listKnownVariables,
  listTiles,
  type SeenDashboard,
  type TileRow,
} from './dashboards.reads.ts';
import { latestVariables } from './latest-variables.ts';
import { tilesJsonOf } from './tile-json.ts';
import type { LayoutSize } from './tile-order.ts';
import { withoutEmails } from './without-emails.ts';

export interface ShowOptions extends Overrides {
  /** Whose layout decides the order of the tiles. Default sm. */
  layoutSize?: LayoutSize | undefined;
}

export interface DashboardReader {
  /** A dashboard with its tiles and insights: three statements, or four, whatever their number. */
  jsonOf(actor: Actor, found: DashboardAccess, options?: ShowOptions): Promise<DashboardJson>;
  /** As a page shows it to anybody who has its link: without e-mail addresses (management contract 4.3). Throws not_found. */
  publicJson(projectId: number, id: number): Promise<DashboardJson>;
}

export interface ReaderParts {
  db: Db;
  clock: Clock;
  users: Users;
  insights: Pick<Insights, 'listByIds' | 'jsonOf'>;
  placements: InsightPlacements;
}

type Json = Readonly<Record<string, unknown>>;

/** Nobody: no collaborator has this id. */
const NOBODY = 0;

export function createDashboardReader({
  db,
  clock,
  users,
  insights,
  placements,
}: ReaderParts): DashboardReader {
  async function tilesOf(
    projectId: number,
    rows: readonly TileRow[],
    actor: Actor | null,
    layoutSize: LayoutSize | undefined,
  ): Promise<TileJson[]> {
    const ids = rows.flatMap(({ insightId }) => (insightId === null ? [] : [insightId]));
    const [found, places] = await Promise.all([
      insights.listByIds(db, projectId, ids),
      placements.of(db, actor?.user.id ?? NOBODY, ids),
    ]);
    const shown = new Map(
      found.map((row) => [row.id, insights.jsonOf(row, { actor, placements: places.get(row.id) ?? [] })]),
    );
    return tilesJsonOf(rows, { projectId, users, layoutSize, insightOf: (id) => shown.get(id) ?? null });
  }

  /** Looks for the project's variables only when the dashboard has any. */
  async function variablesOf(row: SeenDashboard, override: Overrides['variables']): Promise<Json> {
    const variables = override ?? (JSON.parse(row.variables) as Json);
    if (Object.keys(variables).length === 0) return variables;
    return latestVariables(variables, await listKnownVariables(db, row.projectId));
  }

  return {
    async jsonOf(actor, { row, levels, userAccessLevel }, { layoutSize, filters, variables: override } = {}) {
      const [rows, variables] = await Promise.all([listTiles(db, row.id), variablesOf(row, override)]);
      const tiles = await tilesOf(row.projectId, rows, actor, layoutSize);
      const around = { createdBy: users.embedded(row.createdBy), levels, userAccessLevel };
      return dashboardJsonOf(row, around, tiles, { filters, variables });
    },
    async publicJson(projectId, id) {
      const row = await findDashboard(db, projectId, id, { userId: NOBODY, now: clock() });
      if (row === null || row.deleted) throw fail('not_found');
      const [rows, variables] = await Promise.all([listTiles(db, id), variablesOf(row, undefined)]);
      const tiles = await tilesOf(projectId, rows, null, undefined);
      const levels = { effectiveRestrictionLevel: 37, effectivePrivilegeLevel: 21 } as const;
      const around = { createdBy: users.embedded(row.createdBy), levels, userAccessLevel: null };
      return withoutEmails(dashboardJsonOf(row, around, tiles, { variables }));
    },
  };
}
