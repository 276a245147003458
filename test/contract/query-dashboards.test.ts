import { expect, test } from 'vitest';
import { openCountedStore } from '../support/counted-store.ts';
import { expectStatus } from '../support/owner-calls.ts';
import { answerTo, post, sendBySdk, SHOP } from '../support/query-shop.ts';
import { sendEvents } from '../support/send-events.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const P = '/api/projects/1';
const signups = SHOP.filter(([event]) => event === 'signup');
const TREND = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'signup' }],
  dateRange: { date_from: '2026-11-16', date_to: '2026-11-20' },
};
const QUERY = { kind: 'InsightVizNode', source: TREND };

interface Made {
  app: TestApp;
  dashboard: string;
  insight: string;
}

/** A dashboard with one tile, not computed yet. */
async function openDashboard(app: TestApp, more: object = {}): Promise<Made> {
  await sendBySdk(app);
  const { id } = expectStatus(201, await post(app, 'dashboards/', { name: 'Growth', ...more })).json;
  const body = { name: 'Signups', query: QUERY, dashboards: [id], saved: true };
  const insight = expectStatus(201, await post(app, 'insights/', body)).json;
  return { app, dashboard: `${P}/dashboards/${id}/`, insight: `${P}/insights/${insight.id}/` };
}

async function tileOf({ app, dashboard }: Made, search = ''): Promise<any> {
  const answer = expectStatus(200, await app.ask(`${dashboard}${search}`));
  return answer.json.tiles[0].insight;
}

const countOf = (insight: any) => insight.result?.[0]?.count ?? null;

test('M3.4/refresh a tile is computed without a cached result, unless refresh is force_cache', async () => {
  const made = await openDashboard(await openTestApp());
  await sendEvents(made.app, [{ event: 'signup', distinct_id: 'eve' }]);
  expect(countOf(await tileOf(made, '?refresh=force_cache'))).toBe(null);
  expect(countOf(await tileOf(made))).toBe(signups.length + 1);
  expect(countOf(await tileOf(made, '?refresh=force_cache'))).toBe(signups.length + 1);
});

test('M3.4/refresh each documented value and a boolean is accepted, another is refused', async () => {
  const made = await openDashboard(await openTestApp());
  for (const word of ['blocking', 'force_blocking', 'true', 'false', 'force_cache'])
    expect([word, countOf(await tileOf(made, `?refresh=${word}`))]).toEqual([word, signups.length]);
  for (const word of ['async', 'lazy_async', 'force_async']) {
    const answer = await made.app.ask(`${made.dashboard}?refresh=${word}`);
    expect([word, answer.status]).toEqual([word, 200]);
  }
  const wrong = await made.app.ask(`${made.dashboard}?refresh=sometimes`);
  expect([wrong.status, wrong.json.attr]).toEqual([400, 'refresh']);
});

test('M3.4/refresh true means force_blocking: computed again', async () => {
  const made = await openDashboard(await openTestApp());
  await tileOf(made);
  expect((await tileOf(made)).is_cached).toBe(true);
  expect((await tileOf(made, '?refresh=true')).is_cached).toBe(false);
});

test('M3.4/filters_override is merged over the stored filters, not stored, and invalid JSON is refused', async () => {
  const made = await openDashboard(await openTestApp(), {
    filters: { date_from: '2026-11-16', date_to: '2026-11-16' },
  });
  const on = (from: string, to: string) => signups.filter(([, , at]) => at >= from && at < to).length;
  const override = encodeURIComponent(JSON.stringify({ date_to: '2026-11-17' }));
  expect(countOf(await tileOf(made))).toBe(on('2026-11-16', '2026-11-17'));
  expect(countOf(await tileOf(made, `?filters_override=${override}`))).toBe(on('2026-11-16', '2026-11-18'));
  expect(countOf(await tileOf(made))).toBe(on('2026-11-16', '2026-11-17'));
  const bad = await made.app.ask(`${made.dashboard}?filters_override=%7B`);
  expect([bad.status, bad.json.attr]).toEqual([400, 'filters_override']);
});

test('M3.4/variables_override replaces the stored values', async () => {
  const app = await openTestApp();
  await sendBySdk(app);
  const variable = (
    await post(app, 'insight_variables/', { name: 'Plan', type: 'String', default_value: 'pro' })
  ).json;
  const { id } = (await post(app, 'dashboards/', { name: 'SQL' })).json;
  const source = {
    kind: 'HogQLQuery',
    query: `select count() from events where properties.plan = {variables.${variable.code_name}}`,
    variables: { [variable.id]: { variableId: variable.id, code_name: variable.code_name } },
  };
  const query = { kind: 'DataVisualizationNode', source };
  expectStatus(201, await post(app, 'insights/', { name: 'Plans', query, dashboards: [id] }));
  const made = { app, dashboard: `${P}/dashboards/${id}/`, insight: '' };
  const plans = (plan: string) => SHOP.filter(([, , , p]) => p?.['plan'] === plan).length;
  expect((await tileOf(made)).result).toEqual([[plans('pro')]]);
  const over = { [variable.id]: { variableId: variable.id, code_name: variable.code_name, value: 'free' } };
  const search = `?variables_override=${encodeURIComponent(JSON.stringify(over))}`;
  expect((await tileOf(made, search)).result).toEqual([[plans('free')]]);
});

test('M9.6/result of an insight is the result of its query, with hogql, columns, types, timezone and is_cached', async () => {
  const { app, insight } = await openDashboard(await openTestApp());
  const first = (await app.ask(insight)).json;
  const asked = await answerTo(app, TREND);
  expect(first).toMatchObject({ result: asked.results, hasMore: false, timezone: 'UTC', hogql: asked.hogql });
  const again = (await app.ask(insight)).json;
  expect(again.is_cached).toBe(true);
  expect(new Date(again.last_refresh).getTime()).toBe(app.clock.now);
  const sql = {
    kind: 'HogQLQuery',
    query: 'select event, count() from events group by event order by event',
  };
  const { id } = (
    await post(app, 'insights/', { name: 'SQL', query: { kind: 'DataVisualizationNode', source: sql } })
  ).json;
  const table = (await app.ask(`${P}/insights/${id}/`)).json;
  const { results, columns, types } = await answerTo(app, sql);
  expect(table).toMatchObject({ result: results, columns, types });
});

test('M9.6/refresh of an insight: force_cache never computes, blocking computes, the list too', async () => {
  const { app, insight } = await openDashboard(await openTestApp());
  await sendEvents(app, [{ event: 'signup', distinct_id: 'eve' }]);
  expect((await app.ask(`${insight}?refresh=force_cache`)).json.result).toBe(null);
  expect(countOf((await app.ask(`${insight}?refresh=blocking`)).json)).toBe(signups.length + 1);
  expect(countOf((await app.ask(`${insight}?refresh=force_cache`)).json)).toBe(signups.length + 1);
  const { results } = (await app.ask(`${P}/insights/?refresh=blocking`)).json;
  expect(results.map(countOf)).toEqual([signups.length + 1]);
});

test('M9.6/query_status a failed insight has the error, and its dashboard shows the others', async () => {
  const made = await openDashboard(await openTestApp());
  const { app } = made;
  const { id } = (await app.ask(made.dashboard)).json;
  const values = [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }];
  const cohort = expectStatus(
    201,
    await post(app, 'cohorts/', { name: 'nothing', filters: { properties: { type: 'OR', values } } }),
  ).json;
  const text = "select count() from events where person_id in cohort 'nothing'";
  const source = { kind: 'HogQLQuery', query: text };
  const query = { kind: 'DataVisualizationNode', source };
  const broken = expectStatus(
    201,
    await post(app, 'insights/', { name: 'Broken', query, dashboards: [id] }),
  ).json;
  await app.ask(`${P}/cohorts/${cohort.id}/`, { method: 'PATCH', body: { deleted: true } });
  const answer = await app.ask(`${P}/insights/${broken.id}/`);
  expect([answer.status, answer.json.result]).toEqual([200, null]);
  expect(answer.json.query_status).toMatchObject({
    error: true,
    error_message: expect.stringContaining('nothing'),
  });
  const { tiles } = expectStatus(200, await app.ask(made.dashboard)).json;
  const byName = new Map<string, any>(tiles.map((tile: any) => [tile.insight.name, tile]));
  expect(countOf(byName.get('Signups').insight)).toBe(signups.length);
  expect(byName.get('Broken').error).toMatchObject({ message: expect.stringContaining('nothing') });
});

test('M9.6/from_dashboard applies the filters of that dashboard', async () => {
  const { app, dashboard, insight } = await openDashboard(await openTestApp(), {
    filters: { date_from: '2026-11-20' },
  });
  const { id } = (await app.ask(dashboard)).json;
  const found = (await app.ask(`${insight}?from_dashboard=${id}`)).json;
  expect(countOf(found)).toBe(signups.filter(([, , at]) => at >= '2026-11-20').length);
  expect(countOf((await app.ask(insight)).json)).toBe(signups.length);
});

test('M9.6/csv an insight as a file', async () => {
  const { app, insight } = await openDashboard(await openTestApp());
  const file = await app.ask(`${insight}?format=csv`);
  expect([file.status, file.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')]);
  expect(file.text.split('\n').length).toBeGreaterThan(1);
});

test('M3.4/refresh twenty tiles with the same query run as many statements as one', async () => {
  const { store, count } = await openCountedStore({ withStreams: true });
  const made = await openDashboard(await openTestApp({ store }));
  const { id } = (await made.app.ask(made.dashboard)).json;
  let sent = signups.length;
  /** Statements that a look takes when an event has come, beyond those of the next look, when all is known. */
  const forNews = async (tiles: number) => {
    // Its contents are read once after a write, for any number of tiles.
    await made.app.ask(made.dashboard);
    await sendEvents(made.app, [{ event: 'signup', distinct_id: 'eve' }]);
    sent++;
    const look = async () => {
      const { json } = expectStatus(200, await made.app.ask(made.dashboard));
      const counts = json.tiles.map(({ insight }: any) => countOf(insight));
      expect(counts).toEqual(Array.from({ length: tiles }, () => sent));
    };
    const first = await count(look);
    return first - (await count(look));
  };
  const one = await forNews(1);
  expect(one).toBeGreaterThan(0);
  for (let n = 0; n < 19; n++)
    expectStatus(
      201,
      await post(made.app, 'insights/', { name: `Copy ${n}`, query: QUERY, dashboards: [id] }),
    );
  expect(await forNews(20)).toBe(one);
});
