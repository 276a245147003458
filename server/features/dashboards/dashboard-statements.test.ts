import { expect, test } from 'vitest';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import {
  DASHBOARDS,
  dashboardAt,
  makeDashboard,
  makeInsight,
  patchDashboard,
  postDashboard,
  tilesOf,
} from '../../../test/support/dashboards.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

/** An app whose statements are counted, and dashboards with this number of tiles, half of them texts. */
async function openCounted() {
  const { store, count } = await openCountedStore();
  const app = await openTestApp({ store });
  const boardOf = async (size: number): Promise<number> => {
    const tiles: object[] = [];
    for (let n = 0; n < size; n++)
      tiles.push(n % 2 === 0 ? { insight: await makeInsight(app) } : { text: { body: `Text ${n}` } });
    return makeDashboard(app, tiles);
  };
  return { app, count, boardOf };
}

test('listing runs one statement and showing four, whatever the number of dashboards and tiles', async () => {
  const { app, count, boardOf } = await openCounted();
  const [small, large] = [await boardOf(1), await boardOf(20)];
  for (let n = 0; n < 20; n++) await postDashboard(app);
  expect(await count(() => app.ask(DASHBOARDS))).toBe(1);
  expect(await count(() => app.ask(`${DASHBOARDS}?limit=1&offset=1&search=week`))).toBe(1);
  expect(await count(() => app.ask(dashboardAt(small)))).toBe(4);
  expect(await count(() => app.ask(dashboardAt(large)))).toBe(4);
});

test('a change runs as many statements for twenty tiles as for two', async () => {
  const { app, count, boardOf } = await openCounted();
  const [small, large] = [await boardOf(2), await boardOf(20)];
  const idsOf = async (id: number) => (await tilesOf(app, id)).map((tile) => tile.id);
  const [few, many] = [await idsOf(small), await idsOf(large)];
  const alike = async (work: (id: number, tileIds: number[]) => Promise<unknown>) => {
    // A write before each, so that neither finds more of what was read before.
    await postDashboard(app);
    const ofFew = await count(() => work(small, few));
    await postDashboard(app);
    expect(await count(() => work(large, many))).toBe(ofFew);
  };
  const layouts = { sm: { x: 1, y: 1 } };
  await alike((id, ids) => patchDashboard(app, id, { tiles: ids.map((tile) => ({ id: tile, layouts })) }));
  await alike((id, ids) => patchDashboard(app, id, { tiles: ids.map(() => ({ text: { body: 'new' } })) }));
  await alike((id, ids) =>
    app.ask(dashboardAt(id, 'reorder_tiles/'), { method: 'POST', body: { tile_order: ids } }),
  );
  await alike((id) => postDashboard(app, { use_dashboard: id }));
  await alike((id) => postDashboard(app, { use_dashboard: id, duplicate_tiles: true }));
  await alike((id, ids) => patchDashboard(app, id, { duplicate_tiles: ids.map((tile) => ({ id: tile })) }));
  await alike((id) => patchDashboard(app, id, { deleted: true, delete_insights: true }));
  await alike((id) => patchDashboard(app, id, { deleted: false }));
});

test('a repeated read runs no statements until a write', async () => {
  const { app, count, boardOf } = await openCounted();
  const id = await boardOf(4);
  await app.ask(dashboardAt(id));
  expect(await count(() => app.ask(dashboardAt(id)))).toBe(0);
  await patchDashboard(app, id, { name: 'Renamed' });
  expect((await app.ask(dashboardAt(id))).json.name).toBe('Renamed');
});
