import type { Db } from '../../db/db.ts';
import { ApiError } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import type { DashboardJson, Dashboards } from '../dashboards/index.ts';
import { listAllVariables } from '../insight-variables/index.ts';
import type { InsightAnswers, InsightJson, Insights } from '../insights/index.ts';
import { FULL_GRANT, type Users } from '../users/index.ts';
import { publicJsonOf } from './public-json.ts';
import { settingsOf, type Share } from './sharing.reads.ts';
import type { ViewerFilters } from './sharing.contract.ts';
import { viewerView } from './viewer-filters.ts';

/** What a link shows to any visitor. */
export type Shown = { dashboard: DashboardJson; viewer?: ViewerFilters } | { insight: InsightJson };

export interface SharedReader {
  /**
   * What a link opens; null when that was deleted. `asked` is what the viewer lays over it, which counts only
   * where its owner lets viewers change filters. Throws invalid_input.
   */
  read(share: Share, signal: AbortSignal, asked?: string): Promise<Shown | null>;
  /** The insights that a link opens: the one it is for, or those of its dashboard. */
  insights(share: Share, signal: AbortSignal): Promise<InsightJson[]>;
}

export interface SharedReaderParts {
  access: Pick<Access, 'levelOf' | 'projectLevel'>;
  users: Pick<Users, 'findActor'>;
  db: Db;
  dashboards: Dashboards;
  insights: Insights;
  answers: InsightAnswers;
}

/** Reads what is behind a link, without anything about people (management contract 4.3). */
export function createSharedReader(parts: SharedReaderParts): SharedReader {
  const { db, dashboards, insights, answers, access, users } = parts;

  /** The user who turned the link on; null when that user has left the organization or the project. */
  function makerOf({ enabledBy, projectId }: Share): Actor | null {
    const maker = enabledBy === null ? null : users.findActor(enabledBy, FULL_GRANT);
    return maker !== null && access.projectLevel(maker, projectId) > 0 ? { ...maker, isLink: true } : null;
  }

  async function readDashboard(
    share: Share,
    maker: Actor,
    signal: AbortSignal,
    asked?: string,
  ): Promise<Shown | null> {
    const { projectId } = share;
    const id = share.dashboardId!;
    let offer: ViewerFilters | null = null;
    const lay = async (plain: DashboardJson) => {
      const view = viewerView(plain, await listAllVariables(db, projectId), asked!);
      offer = view.offer;
      return view.overrides;
    };
    try {
      const mayFilter = asked !== undefined && settingsOf(share).viewerFilters === true;
      const found = await dashboards.publicJson(
        { projectId, id, maker },
        signal,
        mayFilter ? lay : undefined,
      );
      const dashboard = publicJsonOf(found);
      const tiles = dashboard.tiles.map((tile) => ({ ...tile, insight: onlyOn(id, tile.insight) }));
      return { dashboard: { ...dashboard, tiles }, ...(offer === null ? {} : { viewer: offer }) };
    } catch (error) {
      if (error instanceof ApiError && error.errorName === 'not_found') return null;
      throw error;
    }
  }

  async function readInsight(
    { projectId, insightId }: Share,
    maker: Actor,
    signal: AbortSignal,
  ): Promise<Shown | null> {
    const [row] = await insights.listByIds(db, projectId, [insightId!]);
    if (row === undefined || access.levelOf(maker, projectId, 'insight', row) === 'none') return null;
    const shown = insights.jsonOf(row, { actor: null, placements: [] });
    const [insight] = await answers.fillAll(projectId, [shown], { actor: maker, signal });
    return { insight: publicJsonOf(insight!) };
  }

  const read: SharedReader['read'] = async (share, signal, asked) => {
    const maker = makerOf(share);
    if (maker === null) return null;
    return share.dashboardId === null
      ? readInsight(share, maker, signal)
      : readDashboard(share, maker, signal, asked);
  };

  return {
    read,
    async insights(share, signal) {
      const shown = await read(share, signal);
      if (shown === null) return [];
      if ('insight' in shown) return [shown.insight];
      return shown.dashboard.tiles.flatMap(({ insight }) =>
        insight === null ? [] : [insight as InsightJson],
      );
    },
  };
}

/** Removes the other dashboards of an insight, which were not shared. */
function onlyOn<I extends DashboardJson['tiles'][number]['insight']>(dashboardId: number, insight: I): I {
  if (insight === null) return insight;
  const { dashboards, dashboard_tiles: places } = insight as unknown as InsightJson;
  return {
    ...insight,
    dashboards: dashboards.filter((id) => id === dashboardId),
    dashboard_tiles: places.filter((place) => place.dashboard_id === dashboardId),
  };
}
