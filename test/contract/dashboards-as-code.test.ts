import { expect, test } from 'vitest';
import { expectStatus } from '../support/owner-calls.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const PANELS = [
  {
    name: 'Page views',
    query: {
      kind: 'InsightVizNode',
      source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }], interval: 'day' },
    },
  },
  {
    name: 'Signups of the month',
    filters: {
      insight: 'TRENDS',
      events: [{ id: 'signup', name: 'signup', type: 'events', order: 0, math: 'dau' }],
      date_from: '-30d',
      display: 'ActionsLineGraph',
      interval: 'day',
    },
  },
];

/** What public scripts do: find or make the dashboard by its name, then each insight on it, then the layout. */
async function apply({ ask }: TestApp, name: string): Promise<{ id: number; insights: number[] }> {
  const base = '/api/projects/1';
  const headers = { 'Content-Type': 'application/json' };
  const send = async (method: string, path: string, body?: object) => {
    const answer = await ask(`${base}/${path}`, { method, body, headers });
    return expectStatus(method === 'POST' ? 201 : 200, answer).json;
  };
  const find = (list: any): any => list.results.find((one: { name: string }) => one.name === name);
  const wanted = { name, description: 'Kept in git', pinned: true, tags: ['generated'], is_shared: false };
  const existing = find(await send('GET', 'dashboards/?limit=100'));
  const dashboard = existing
    ? await send('PATCH', `dashboards/${existing.id}/`, wanted)
    : await send('POST', 'dashboards/', wanted);

  const insights: number[] = [];
  for (const panel of PANELS) {
    const there = dashboard.tiles.find(({ insight }: any) => insight?.name === panel.name)?.insight;
    const body = { ...panel, dashboards: [dashboard.id], saved: true };
    const insight = there
      ? await send('PATCH', `insights/${there.id}/`, panel)
      : await send('POST', 'insights/', body);
    insights.push(insight.id);
  }
  const tiles = insights.map((insight, n) => ({
    insight,
    color: n === 0 ? 'blue' : null,
    layouts: { sm: { x: n * 6, y: 0, w: 6, h: 5 } },
  }));
  await send('PATCH', `dashboards/${dashboard.id}/`, { tiles });
  return { id: dashboard.id, insights };
}

test('a script creates the dashboard, and a second run finds everything and makes no changes', async () => {
  const app = await openTestApp();
  const first = await apply(app, 'Growth');
  const path = `/api/projects/1/dashboards/${first.id}/`;
  const made = (await app.ask(path)).json;
  expect(made).toMatchObject({ name: 'Growth', pinned: true, tags: ['generated'], is_shared: false });
  expect(made.tiles.map(({ insight, color, layouts }: any) => [insight.id, color, layouts.sm.x])).toEqual([
    [first.insights[0], 'blue', 0],
    [first.insights[1], null, 6],
  ]);
  expect(made.tiles[1].insight.filters).toMatchObject(PANELS[1]!.filters!);
  expect(await apply(app, 'Growth')).toEqual(first);
  const again = (await app.ask(path)).json;
  expect(again.tiles.map(({ id }: any) => id)).toEqual(made.tiles.map(({ id }: any) => id));
  expect((await app.ask('/api/projects/1/dashboards/')).json.count).toBe(1);
  expect((await app.ask('/api/projects/1/insights/')).json.count).toBe(2);
});

test('is_shared is ignored, whatever its value', async () => {
  const { ask } = await openTestApp();
  const made = await ask('/api/projects/1/dashboards/', { method: 'POST', body: { is_shared: true } });
  expect(made).toMatchObject({ status: 201, json: { is_shared: false } });
});

test('a dashboard deleted by a PATCH is not found by its name', async () => {
  const app = await openTestApp();
  const { id } = await apply(app, 'Growth');
  const path = `/api/projects/1/dashboards/${id}/`;
  expect((await app.ask(path, { method: 'PATCH', body: { deleted: true } })).json.deleted).toBe(true);
  expect((await apply(app, 'Growth')).id).not.toBe(id);
});

test('a tile can be added below the dashboard', async () => {
  const app = await openTestApp();
  const { insights } = await apply(app, 'Growth');
  const { id } = (await app.ask('/api/projects/1/dashboards/', { method: 'POST', body: {} })).json;
  const body = { insight: insights[0], layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } } };
  const answer = await app.ask(`/api/projects/1/dashboards/${id}/tiles/`, { method: 'POST', body });
  expect(answer).toMatchObject({
    status: 201,
    json: { layouts: body.layouts, insight: { id: insights[0] } },
  });
  const { tiles } = (await app.ask(`/api/projects/1/dashboards/${id}/`)).json;
  expect(tiles.map((tile: any) => tile.id)).toEqual([answer.json.id]);
});
