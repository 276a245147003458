import type {
  DashboardTemplateJson,
  TemplateBody,
} from '../../server/features/dashboard-templates/dashboard-templates.contract.ts';
import type {
  DashboardJson,
  DashboardListItem,
  TileJson,
} from '../../server/features/dashboards/dashboards.contract.ts';
import type { InsightVariableJson } from '../../server/features/insight-variables/insight-variables.contract.ts';
import { request, requestMessages } from './http.ts';

/** A dashboard as the list shows it. */
export type DashboardItem = DashboardListItem;
/** A dashboard with its tiles, in the order of their places. */
export type Dashboard = DashboardJson;
/** A tile; its insight has its result when the request includes results. */
export type DashboardTile = TileJson;
export type DashboardTemplate = DashboardTemplateJson;
/** A template as a file: what `createFromJson` takes. */
export type TemplateFile = Pick<
  TemplateBody,
  | 'template_name'
  | 'dashboard_description'
  | 'dashboard_filters'
  | 'dashboard_variables'
  | 'tiles'
  | 'tags'
  | 'variables'
>;
/** A value of SQL that is chosen on dashboards. */
export type InsightVariable = InsightVariableJson;

type Fields = Readonly<Record<string, unknown>>;

/** What may be written of a dashboard. */
export interface DashboardChange {
  name?: string;
  description?: string;
  pinned?: boolean;
  tags?: string[];
  deleted?: boolean;
  filters?: Fields;
  variables?: Fields;
  tiles?: readonly Fields[];
  /** Tiles that are copied inside of the dashboard, with their insights. */
  duplicate_tiles?: readonly TileCopy[];
}

/** A stored tile that is copied, and how the copy looks. */
export interface TileCopy {
  id: number;
  layouts: Fields;
  color: string | null;
  show_description: boolean;
}

/** A new dashboard: empty, or a copy; with `duplicate_tiles` the insights are copied too. */
export interface NewDashboard extends Pick<
  DashboardChange,
  'name' | 'description' | 'filters' | 'variables' | 'tags'
> {
  use_dashboard?: number;
  duplicate_tiles?: boolean;
}

/** What is laid over a dashboard without being kept. */
export interface Overrides {
  filters?: Fields | undefined;
  variables?: Fields | undefined;
}

/** Cached results, computed where there are none, or all results computed again. */
export type Refresh = 'blocking' | 'force_blocking';

/** More dashboards than this no list shows. */
const MOST = 1000;
const PAGE = 100;

const dashboardsOf = (projectId: number, rest = ''): string =>
  `/api/projects/${projectId}/dashboards/${rest}`;

/** All dashboards of a project, pinned ones first, then by name. */
export async function listDashboards(projectId: number, search?: string): Promise<DashboardItem[]> {
  const found: DashboardItem[] = [];
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const page = await request<{ count: number; results: DashboardItem[] }>(dashboardsOf(projectId), {
      query: { limit: PAGE, offset, search },
    });
    found.push(...page.results);
    if (found.length >= page.count || page.results.length === 0) break;
  }
  return found;
}

/** A dashboard with its tiles, and those of their answers that are known already. */
export function getDashboard(projectId: number, id: number): Promise<Dashboard> {
  return request(dashboardsOf(projectId, `${id}/`), { query: { refresh: 'force_cache' } });
}

/** The tiles of a dashboard with their answers, one by one as they are there. */
export function streamTiles(
  projectId: number,
  id: number,
  asked: { overrides: Overrides; refresh: Refresh; signal: AbortSignal },
  onTile: (tile: DashboardTile) => void,
): Promise<void> {
  const { filters, variables } = asked.overrides;
  const query = {
    refresh: asked.refresh,
    filters_override: filters && JSON.stringify(filters),
    variables_override: variables && JSON.stringify(variables),
  };
  return requestMessages<{ type: string; tile?: DashboardTile }>(
    dashboardsOf(projectId, `${id}/stream_tiles/`),
    { query, signal: asked.signal },
    ({ tile }) => tile && onTile(tile),
  );
}

/** Makes a dashboard. */
export function createDashboard(projectId: number, dashboard: NewDashboard): Promise<Dashboard> {
  return request(dashboardsOf(projectId), { method: 'POST', body: dashboard });
}

/** Makes a dashboard from a template, or from a file that a dashboard with tiles was saved as. */
export function createFromJson(projectId: number, template: unknown): Promise<Dashboard> {
  return request(dashboardsOf(projectId, 'create_from_template_json/'), {
    method: 'POST',
    body: { template },
    wantsRepresentation: true,
  });
}

/** Changes a dashboard and its tiles together; returns no results. */
export function changeDashboard(projectId: number, id: number, change: DashboardChange): Promise<Dashboard> {
  return request(dashboardsOf(projectId, `${id}/`), { method: 'PATCH', body: change });
}

/** Moves a tile to another dashboard. */
export function moveTile(projectId: number, from: number, tileId: number, to: number): Promise<void> {
  return request(dashboardsOf(projectId, `${from}/move_tile/`), {
    method: 'PATCH',
    body: { tile: { id: tileId }, toDashboard: to },
  });
}

/** Adds the content of a tile to another dashboard; returns that dashboard. */
export function copyTile(projectId: number, from: number, tileId: number, to: number): Promise<Dashboard> {
  return request(dashboardsOf(projectId, `${to}/copy_tile/`), {
    method: 'POST',
    body: { fromDashboardId: from, tileId },
  });
}

/** The templates from which a dashboard can be created. */
export async function listTemplates(projectId: number): Promise<DashboardTemplate[]> {
  const path = `/api/projects/${projectId}/dashboard_templates/`;
  const { results } = await request<{ results: DashboardTemplate[] }>(path, { query: { limit: PAGE } });
  return results;
}

/** The variables of a project. */
export async function listVariables(projectId: number): Promise<InsightVariable[]> {
  const path = `/api/projects/${projectId}/insight_variables/`;
  const { results } = await request<{ results: InsightVariable[] }>(path, { query: { limit: PAGE } });
  return results;
}
