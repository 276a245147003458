import type { OpenConsole } from './console.ts';

/** A dashboard as the tests of its screen read it. */
export interface StoredDashboard {
  id: number;
  name: string;
  filters: Record<string, unknown>;
  tiles: {
    id: number;
    color: string | null;
    layouts: { sm: { x: number; y: number; w: number; h: number } };
    text: { body: string } | null;
    insight: { id: number; name: string } | null;
  }[];
}

/** A question about what was bought. */
const query = (display: string) => ({
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'bought' }],
    dateRange: { date_from: '-7d' },
    trendsFilter: { display },
  },
});

/** Where a tile lies, in columns and rows. */
export const at = (x: number, y: number, w: number, h: number) => ({ sm: { x, y, w, h } });

/** Two texts beside each other, each half of the page. */
export const PAIR = [
  { text: { body: '# Left' }, layouts: at(0, 0, 6, 4) },
  { text: { body: '# Right' }, layouts: at(6, 0, 6, 4) },
];

/** Sells thrice, to two countries. */
export async function sendSales(view: OpenConsole): Promise<void> {
  await view.capture(
    ...['Norway', 'Norway', 'Chile'].map((country, person) => ({
      event: 'bought',
      distinct_id: `person-${person}@shop.example`,
      properties: { country },
    })),
  );
}

/** The dashboards of a console's project: created by the API, opened and checked on the screen. */
export function dashboardsIn(view: OpenConsole) {
  const { page } = view;
  const apiOf = (rest: string) => `/api/projects/${view.server.projectId}/${rest}`;
  const tile = (name: string | RegExp) => page.getByRole('group', { name });
  return {
    apiOf,
    tile,
    stored: (id: number) => view.ask<StoredDashboard>(apiOf(`dashboards/${id}/`)),
    /** What a tile says of its place. */
    placeOf: async (name: string) => (await tile(new RegExp(`^${name}: `)).getAttribute('aria-label'))!,
    async makeInsight(name: string, display = 'BoldNumber'): Promise<number> {
      const body = { name, saved: true, query: query(display) };
      return (await view.ask<{ id: number }>(apiOf('insights/'), { method: 'POST', body })).id;
    },
    async makeDashboard(name: string, tiles: readonly object[]): Promise<number> {
      const made = { method: 'POST', body: { name } };
      const { id } = await view.ask<StoredDashboard>(apiOf('dashboards/'), made);
      if (tiles.length > 0) await view.ask(apiOf(`dashboards/${id}/`), { method: 'PATCH', body: { tiles } });
      return id;
    },
    async openDashboard(id: number, rest = ''): Promise<void> {
      await page.goto(view.at(`/dashboards/${id}${rest}`));
      await page.getByRole('toolbar', { name: 'Dates, filters and variables' }).waitFor();
    },
  };
}
