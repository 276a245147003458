import { storeInsight } from './insights.ts';
import type { TestApp, TestResponse } from './test-app.ts';

/** Dashboards over HTTP, as clients call them. */
export const DASHBOARDS = '/api/projects/1/dashboards/';

export const dashboardAt = (id: number, action = '') => `${DASHBOARDS}${id}/${action}`;

export function postDashboard(app: TestApp, body: unknown = {}): Promise<TestResponse> {
  return app.ask(DASHBOARDS, { method: 'POST', body });
}

export function patchDashboard(app: TestApp, id: number, body: unknown): Promise<TestResponse> {
  return app.ask(dashboardAt(id), { method: 'PATCH', body });
}

/** A dashboard with these tiles; returns its id. */
export async function makeDashboard(app: TestApp, tiles: readonly object[] = []): Promise<number> {
  const { id } = (await postDashboard(app, { name: 'Weekly' })).json;
  if (tiles.length > 0) await patchDashboard(app, id, { tiles });
  return id;
}

/** A tile of a dashboard as a test looks at it. */
export interface SeenTile {
  id: number;
  insight: { id: number; name: string | null; tags: string[] } | null;
  text: { id: number; body: string } | null;
  layouts: Record<string, unknown>;
  color: string | null;
  order: number;
}

export async function tilesOf(app: TestApp, id: number): Promise<SeenTile[]> {
  return (await app.ask(dashboardAt(id))).json.tiles;
}

/** Stores an insight of project 1, as `shortId` when one is given, and returns its id. */
export async function makeInsight(
  app: TestApp,
  { name = 'Signups', shortId }: { name?: string | null; shortId?: string } = {},
): Promise<number> {
  const id = await storeInsight(app, { name, tags: ['kpi'], saved: true });
  if (shortId !== undefined)
    await app.store.db.run('UPDATE insights SET short_id = $shortId WHERE id = $id', { id, shortId });
  return id;
}
