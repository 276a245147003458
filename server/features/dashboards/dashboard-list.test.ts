import { describe, expect, test } from 'vitest';
import {
  DASHBOARDS,
  makeDashboard,
  patchDashboard,
  postDashboard,
} from '../../../test/support/dashboards.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

const names = (page: { results: { name: string }[] }) => page.results.map(({ name }) => name);

test('previews have the tile layouts of each dashboard, without removed tiles and dashboards', async () => {
  const app = await openTestApp();
  const at = (x: number) => ({ sm: { x, y: 0, w: 6, h: 4 } });
  const tiles = [0, 6].map((x) => ({ text: { body: `At ${x}` }, layouts: at(x) }));
  const [first, deleted] = [await makeDashboard(app, tiles), await makeDashboard(app, tiles)];
  const { json: shown } = await app.ask(`${DASHBOARDS}${first}/`);
  await patchDashboard(app, first, { tiles: [{ id: shown.tiles[0].id, deleted: true }] });
  await patchDashboard(app, deleted, { deleted: true });
  const { json } = await app.ask('/api/projects/1/burrow/dashboard_previews/');
  expect(json).toEqual({ results: [{ id: first, layouts: [at(6).sm] }] });
});

describe('the list', () => {
  test('has pinned ones first, then by name, then by id, without their tiles', async () => {
    const app = await openTestApp();
    for (const body of [{ name: 'b' }, { name: 'a' }, { name: 'c', pinned: true }, { name: 'a' }])
      await postDashboard(app, body);
    const { json } = await app.ask(DASHBOARDS);
    expect(json.results.map(({ id }: { id: number }) => id)).toEqual([3, 2, 4, 1]);
    expect(Object.keys(json.results[0])).toEqual([
      'id',
      'name',
      'description',
      'pinned',
      'created_at',
      'created_by',
      'is_shared',
      'deleted',
      'creation_mode',
      'tags',
      'restriction_level',
      'effective_restriction_level',
      'effective_privilege_level',
      'user_access_level',
    ]);
    expect((await app.ask('/api/environments/1/dashboards/')).json).toEqual(json);
  });

  test('is paged by next, which is absolute and has the parameters of the request', async () => {
    const app = await openTestApp();
    for (const name of ['a', 'b', 'c']) await postDashboard(app, { name, tags: ['kpi'] });
    const first = (await app.ask(`${DASHBOARDS}?tags=kpi&limit=2`)).json;
    expect(first).toMatchObject({ count: 3, previous: null });
    expect(first.next).toBe(`${app.url}${DASHBOARDS}?tags=kpi&limit=2&offset=2`);
    const next = new URL(first.next);
    const second = (await app.ask(next.pathname + next.search)).json;
    expect(names(second)).toEqual(['c']);
    expect(second).toMatchObject({ next: null, previous: `${app.url}${DASHBOARDS}?tags=kpi&limit=2` });
    expect((await app.ask(`${DASHBOARDS}?offset=9`)).json).toMatchObject({ count: 3, results: [] });
  });

  test('is filtered by tags, search, pin, and creation mode', async () => {
    const app = await openTestApp();
    await postDashboard(app, { name: 'Sales', tags: ['kpi', 'eu'], pinned: true });
    await postDashboard(app, { name: 'Costs', description: 'Of sales too', tags: ['us'] });
    await postDashboard(app, { name: 'Generated Dashboard: flag' });
    await app.store.db.run(`UPDATE dashboards SET creation_mode = 'unlisted' WHERE name = 'Costs'`);
    await postDashboard(app, { name: 'Copy', use_dashboard: 1 });
    const ask = async (query: string) => names((await app.ask(`${DASHBOARDS}?${query}`)).json);
    expect(await ask('')).toEqual(['Sales', 'Copy', 'Generated Dashboard: flag']);
    expect(await ask('tags=us&tags=EU')).toEqual(['Sales']);
    expect(await ask('tags=')).toHaveLength(3);
    expect(await ask('search=sALES')).toEqual(['Sales']);
    expect(await ask('creation_mode=unlisted&search=sales')).toEqual(['Costs']);
    expect(await ask('creation_mode=duplicate')).toEqual(['Copy']);
    expect(await ask('exclude_generated=true')).toEqual(['Sales', 'Copy']);
    expect(await ask('pinned=false')).toEqual(['Copy', 'Generated Dashboard: flag']);
    expect((await app.ask(`${DASHBOARDS}?creation_mode=odd`)).json).toMatchObject({
      code: 'invalid_choice',
      attr: 'creation_mode',
    });
  });
});
