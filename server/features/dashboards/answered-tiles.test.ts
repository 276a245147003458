import { describe, expect, test } from 'vitest';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { dashboardAt, makeDashboard, patchDashboard } from '../../../test/support/dashboards.ts';
import { SIGNUPS, storeInsight, storeUnanswered } from '../../../test/support/insights.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const sql = (query: string, more: object = {}) => ({
  kind: 'DataVisualizationNode',
  source: { kind: 'HogQLQuery', query, ...more },
});

/** A dashboard with an insight for each of the queries; its id. */
async function boardOf(app: TestApp, queries: readonly object[]): Promise<number> {
  const insights = [];
  for (const query of queries) insights.push({ insight: await storeInsight(app, { query }) });
  return await makeDashboard(app, insights);
}

const tilesOf = async (app: TestApp, id: number, search = '') =>
  (await app.ask(`${dashboardAt(id)}${search}`)).json.tiles;
const countsOf = async (app: TestApp, id: number, search = '') =>
  (await tilesOf(app, id, search)).map(({ insight }: any) => insight.result[0].count ?? insight.result[0][0]);

describe('M3.4 tiles', () => {
  test('with the same query run one statement, also when all are refreshed', async () => {
    let sent: string[] = [];
    const { store } = await openCountedStore();
    const stream: typeof store.analytics.stream = (text, ...rest) => {
      sent.push(text);
      return store.analytics.stream(text, ...rest);
    };
    const app = await openTestApp({ store: { ...store, analytics: { ...store.analytics, stream } } });
    await sendEvents(app, [{ event: 'signup' }]);
    const id = await boardOf(
      app,
      Array.from({ length: 20 }, () => SIGNUPS),
    );
    const askedBy = async (search: string): Promise<number> => {
      sent = [];
      expect(await countsOf(app, id, search)).toEqual(Array.from({ length: 20 }, () => 1));
      return sent.length;
    };
    expect(await askedBy('')).toBe(1);
    expect(await askedBy('')).toBe(0);
    expect(await askedBy('?refresh=force_blocking')).toBe(1);
    expect(await askedBy('?refresh=force_cache')).toBe(0);
  });

  test('have their results, and a failed one has its error', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'signup' }]);
    const answered = await storeInsight(app, { query: SIGNUPS });
    const broken = await storeUnanswered(app);
    const number = await storeInsight(app, { query: sql('select 7') });
    const id = await makeDashboard(
      app,
      [answered, broken, number].map((insight) => ({ insight })),
    );
    await patchDashboard(app, id, { tiles: [{ text: { body: 'Hello' } }] });
    const [signups, failed, seven, text] = await tilesOf(app, id);
    expect(signups).toMatchObject({ is_cached: false, last_refresh: expect.stringContaining('2026-11-20') });
    expect(signups.insight).toMatchObject({ result: [{ count: 1 }], timezone: 'UTC' });
    expect(signups).not.toHaveProperty('error');
    expect(failed).toMatchObject({
      last_refresh: null,
      insight: { result: null },
      error: { type: 'QueryError', message: expect.stringMatching(/^Line 1, column \d+: .*nothing/) },
    });
    expect(seven.insight).toMatchObject({ result: [[7]], columns: ['7'], hogql: 'SELECT 7 LIMIT 100' });
    expect(text).toMatchObject({ insight: null, text: { body: 'Hello' } });
    expect((await tilesOf(app, id))[0]).toMatchObject({ is_cached: true, insight: { is_cached: true } });
  });

  test('use dates, properties and variables of the dashboard, and the overrides of one request', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { event: 'signup', properties: { plan: 'pro' }, timestamp: '2026-11-20T08:00:00Z' },
      { event: 'signup', properties: { plan: 'free' }, timestamp: '2026-11-18T08:00:00Z' },
    ]);
    const made = await app.ask('/api/projects/1/insight_variables/', {
      method: 'POST',
      body: { name: 'Plan', type: 'String', default_value: 'pro' },
    });
    const { id: variableId, code_name: codeName } = made.json;
    const variable = (value: string) => ({
      [variableId]: { variableId, code_name: codeName, value },
    });
    const text = `select count() from events where properties.plan = {variables.${codeName}} and {filters}`;
    const id = await boardOf(app, [SIGNUPS, sql(text, { variables: variable('pro') })]);
    expect(await countsOf(app, id)).toEqual([2, 1]);
    const search = (name: string, value: object) => `?${name}=${encodeURIComponent(JSON.stringify(value))}`;
    expect(await countsOf(app, id, search('filters_override', { date_from: '2026-11-20' }))).toEqual([1, 1]);
    expect(await countsOf(app, id, search('variables_override', variable('none')))).toEqual([2, 0]);
    const free = { key: 'plan', value: ['free'], operator: 'exact', type: 'event' };
    await patchDashboard(app, id, { filters: { properties: [free] }, variables: variable('free') });
    expect(await countsOf(app, id)).toEqual([1, 1]);
    expect(await countsOf(app, id, search('filters_override', { properties: [] }))).toEqual([2, 1]);
    const insight = (await tilesOf(app, id))[0].insight.id;
    const at = `/api/projects/1/insights/${insight}/`;
    expect((await app.ask(at)).json.result[0].count).toBe(2);
    expect((await app.ask(`${at}?from_dashboard=${id}`)).json.result[0].count).toBe(1);
  });

  test('have the results of their insights on that dashboard: with its variables, and filters of the tile', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { event: 'signup', properties: { plan: 'pro' } },
      { event: 'signup', properties: { plan: 'free' }, timestamp: '2026-11-18T08:00:00Z' },
      { event: 'signup', properties: { plan: 'free' }, timestamp: '2026-11-17T08:00:00Z' },
    ]);
    const made = await app.ask('/api/projects/1/insight_variables/', {
      method: 'POST',
      body: { name: 'Plan', type: 'String', default_value: 'pro' },
    });
    const { id: variableId, code_name: codeName } = made.json;
    const text = `select count() from events where properties.plan = {variables.${codeName}} and {filters}`;
    const id = await boardOf(app, [sql(text)]);
    // The variable was created again after it was stored on the dashboard.
    const variables = { old: { variableId: 'old', code_name: codeName, value: 'free' } };
    await patchDashboard(app, id, { variables });
    const [tile] = await tilesOf(app, id);
    const at = `/api/projects/1/insights/${tile.insight.id}/`;
    const seen = async () => (await app.ask(`${at}?from_dashboard=${id}`)).json.result;
    expect([tile.insight.result, await seen(), (await app.ask(at)).json.result]).toEqual([
      [[2]],
      [[2]],
      [[1]],
    ]);
    const tiles = [{ id: tile.id, filters_overrides: { date_from: '2026-11-18' } }];
    await patchDashboard(app, id, { tiles });
    expect([(await tilesOf(app, id))[0].insight.result, await seen()]).toEqual([[[1]], [[1]]]);
    expect(variableId).not.toBe('old');
  });

  test('with dates of its own a tile keeps them whole: no end of the dashboard is added to its start', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { event: 'signup', timestamp: '2026-11-18T08:00:00Z' },
      { event: 'signup', timestamp: '2026-11-16T08:00:00Z' },
    ]);
    const id = await boardOf(app, [SIGNUPS]);
    const [tile] = await tilesOf(app, id);
    await patchDashboard(app, id, {
      filters: { date_from: '2026-11-14', date_to: '2026-11-16' },
      tiles: [{ id: tile.id, filters_overrides: { date_from: '2026-11-17' } }],
    });
    const [{ insight }] = await tilesOf(app, id);
    expect(insight.query.source.dateRange).toEqual({ date_from: '2026-11-17' });
  });

  test('of a changed dashboard have cached results, and are computed when the request has refresh', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'signup' }]);
    const id = await boardOf(app, [SIGNUPS]);
    const write = async (search = '', at = dashboardAt(id), method = 'PATCH', body: object = { name: 'A' }) =>
      (await app.ask(`${at}${search}`, { method, body })).json.tiles[0].insight.result;
    expect(await write()).toBeNull();
    expect(await write('?refresh=force_cache')).toBeNull();
    const answer = [expect.objectContaining({ count: 1 })];
    expect(await write('?refresh=blocking')).toEqual(answer);
    expect(await write()).toEqual(answer);
    expect(await write('', '/api/projects/1/dashboards/', 'POST', { use_dashboard: id })).toEqual(answer);
    const [{ id: tile }] = await tilesOf(app, id);
    const order = { tile_order: [tile] };
    expect(await write('', dashboardAt(id, 'reorder_tiles/'), 'POST', order)).toEqual(answer);
    await sendEvents(app, [{ event: 'signup' }]);
    expect(await write()).toBeNull();
    expect((await app.ask(`${dashboardAt(id)}?refresh=soon`, { method: 'PATCH', body: {} })).status).toBe(
      400,
    );
  });

  test('are streamed with their results, after the dashboard itself', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'signup' }]);
    const id = await boardOf(app, [SIGNUPS, sql('select 7')]);
    const { text } = await app.ask(dashboardAt(id, 'stream_tiles/'));
    const told = text
      .trim()
      .split('\n\n')
      .map((line) => JSON.parse(line.slice('data: '.length)));
    expect(told.map(({ type }) => type)).toEqual(['metadata', 'tile', 'tile', 'complete']);
    expect(told[1].tile.insight.result).toMatchObject([{ count: 1 }]);
    expect(told[2].tile.insight.result).toEqual([[7]]);
  });

  test('are computed later with refresh=async, and referenced by query id', async () => {
    const app = await openTestApp();
    const id = await boardOf(app, [sql('select 7'), sql('select 8')]);
    await app.ask('/api/projects/1/query/', {
      method: 'POST',
      body: { query: { kind: 'HogQLQuery', query: 'select 7' } },
    });
    const [known, later] = await tilesOf(app, id, '?refresh=async');
    expect(known.insight).toMatchObject({ result: [[7]], query_status: null });
    expect(later.insight).toMatchObject({ result: null, query_status: { complete: false } });
    const status = `/api/projects/1/query/${later.insight.query_status.id}/`;
    let told = await app.ask(status);
    while (told.status === 202) told = await app.ask(status);
    expect(told.json.query_status.results.results).toEqual([[8]]);
  });

  test('have results on a public page, without email addresses in their queries', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ event: 'signup' }]);
    const id = await boardOf(app, [
      sql(`select count(), 'seen' from events where distinct_id != 'lin@local.test'`),
    ]);
    const link = await app.ask(dashboardAt(id, 'sharing/'), { method: 'PATCH', body: { enabled: true } });
    const shown = await app.ask(`/shared/${link.json.access_token}.json`, { key: null });
    expect(shown.json.dashboard.tiles[0].insight).toMatchObject({ result: [[1, 'seen']] });
    expect(shown.text).not.toContain('lin@local.test');
  });
});
