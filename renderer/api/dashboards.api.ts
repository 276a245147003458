import type { DashboardListItem, TileJson } from '../../server/features/dashboards/dashboards.contract.ts';
import { addressOf, api } from './client.ts';
import { requestMessages } from './http.ts';

type Fields = Readonly<Record<string, unknown>>;

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

/** How dashboards are named that Burrow and PostHog create for a feature flag. */
const GENERATED = 'Generated Dashboard';

/** Whether a dashboard was created for a feature flag, and not by a user. */
export const isGenerated = ({ name }: { name: string }): boolean => name.startsWith(GENERATED);

/** All dashboards of a project: pinned ones first, then by name, and generated ones last. */
export async function listDashboards(projectId: number, search?: string): Promise<DashboardListItem[]> {
  const found: DashboardListItem[] = [];
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const page = await api.get('P/dashboards/', { projectId, query: { limit: PAGE, offset, search } });
    found.push(...page.results);
    if (found.length >= page.count || page.results.length === 0) break;
  }
  return found.toSorted((a, b) => Number(isGenerated(a)) - Number(isGenerated(b)));
}

/** The tile layouts of each dashboard, by its ID. Lists are complete without them: a failed request has none. */
export async function listDashboardPreviews(projectId: number): Promise<ReadonlyMap<number, object[]>> {
  const { results } = await api
    .get('P/burrow/dashboard_previews/', { projectId })
    .catch(() => ({ results: [] }));
  return new Map(results.map(({ id, layouts }) => [id, layouts]));
}

/** The tiles of a dashboard with their answers, one by one as they are there. */
export function streamTiles(
  projectId: number,
  id: number,
  asked: { overrides: Overrides; refresh: Refresh; signal: AbortSignal },
  onTile: (tile: TileJson) => void,
): Promise<void> {
  const { filters, variables } = asked.overrides;
  const query = {
    refresh: asked.refresh,
    filters_override: filters && JSON.stringify(filters),
    variables_override: variables && JSON.stringify(variables),
  };
  return requestMessages<{ type: string; tile?: TileJson }>(
    addressOf('P/dashboards/:id/stream_tiles/', { projectId, id }),
    { query, signal: asked.signal },
    ({ tile }) => tile && onTile(tile),
  );
}
