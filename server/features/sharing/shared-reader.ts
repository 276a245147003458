import type { Db } from '../../db/db.ts';
import { ApiError } from '../../errors.ts';
import type { DashboardJson, Dashboards } from '../dashboards/index.ts';
import type { InsightJson, Insights } from '../insights/index.ts';
import { publicJsonOf } from './public-json.ts';
import type { Share } from './sharing.reads.ts';

/** What a link shows to anybody. */
export type Shown = { dashboard: DashboardJson } | { insight: InsightJson };

export interface SharedReader {
  /** What a link opens; null when that was deleted. */
  read(share: Share): Promise<Shown | null>;
  /** The insights that a link opens: the one it is for, or those of its dashboard. */
  insights(share: Share): Promise<InsightJson[]>;
}

export interface SharedReaderParts {
  db: Db;
  dashboards: Dashboards;
  insights: Insights;
}

/** Reads what is behind a link, without anything about people (management contract 4.3). */
export function createSharedReader({ db, dashboards, insights }: SharedReaderParts): SharedReader {
  async function readDashboard(projectId: number, id: number): Promise<Shown | null> {
    try {
      const dashboard = publicJsonOf(await dashboards.publicJson(projectId, id));
      const tiles = dashboard.tiles.map((tile) => ({ ...tile, insight: onlyOn(id, tile.insight) }));
      return { dashboard: { ...dashboard, tiles } };
    } catch (error) {
      if (error instanceof ApiError && error.errorName === 'not_found') return null;
      throw error;
    }
  }

  async function readInsight(projectId: number, id: number): Promise<Shown | null> {
    const [row] = await insights.listByIds(db, projectId, [id]);
    if (row === undefined) return null;
    return { insight: publicJsonOf(insights.jsonOf(row, { actor: null, placements: [] })) };
  }

  const read: SharedReader['read'] = ({ projectId, dashboardId, insightId }) =>
    dashboardId === null ? readInsight(projectId, insightId!) : readDashboard(projectId, dashboardId);

  return {
    read,
    async insights(share) {
      const shown = await read(share);
      if (shown === null) return [];
      if ('insight' in shown) return [shown.insight];
      return shown.dashboard.tiles.flatMap(({ insight }) =>
        insight === null ? [] : [insight as InsightJson],
      );
    },
  };
}

/** An insight without the other dashboards on which it stands, which were not shared. */
function onlyOn<I extends DashboardJson['tiles'][number]['insight']>(dashboardId: number, insight: I): I {
  if (insight === null) return insight;
  const { dashboards, dashboard_tiles: places } = insight as unknown as InsightJson;
  return {
    ...insight,
    dashboards: dashboards.filter((id) => id === dashboardId),
    dashboard_tiles: places.filter((place) => place.dashboard_id === dashboardId),
  };
}
