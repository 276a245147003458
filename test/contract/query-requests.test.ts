import { expect, test } from 'vitest';
import { createKey, createProject } from '../support/owner-calls.ts';
import { answerTo, post, sendBySdk, SHOP, tally } from '../support/query-shop.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const COUNT = { kind: 'HogQLQuery', query: 'select count() from events' };
const BY_NAME = {
  kind: 'HogQLQuery',
  query: 'select event, count() from events group by event order by event',
};
const SIGNUPS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'signup' }],
  dateRange: { date_from: '2026-11-16', date_to: '2026-11-20' },
};

const TABLES = Array.from({ length: 24 }, (_, n) => `cross join events e${n}`).join(' ');
/** Runs until it is canceled. */
const SLOW = {
  kind: 'HogQLQuery',
  query: `select count() from events e ${TABLES} where e.event || e23.event != 'x'`,
};

async function openShop(): Promise<TestApp> {
  const app = await openTestApp();
  await sendBySdk(app);
  return app;
}

/** What the status of a query says when it is complete. */
async function whenComplete(app: TestApp, id: string) {
  for (;;) {
    const answer = await app.ask(`/api/projects/1/query/${id}/`);
    if (answer.status !== 202) return answer;
    expect(answer.json.query_status.complete).toBe(false);
  }
}

test('M9.9/scope query:read is enough to run, poll, cancel, check and upgrade queries; another scope is not', async () => {
  const app = await openShop();
  const key = await createKey(app, ['query:read']);
  const other = await createKey(app, ['insight:read']);
  const calls: [string, string, object | undefined, number[]][] = [
    ['POST', 'query/', { query: COUNT, client_query_id: 'k1' }, [200]],
    ['POST', 'query/HogQLQuery/', { query: COUNT }, [200]],
    ['POST', 'query/', { query: COUNT, refresh: 'force_async', client_query_id: 'k2' }, [202]],
    ['GET', 'query/k2/', undefined, [200, 202]],
    ['DELETE', 'query/nothing/', undefined, [404]],
    ['POST', 'query/check_auth_for_async/', {}, [200]],
    ['POST', 'query/upgrade/', { query: COUNT }, [200]],
  ];
  for (const [method, path, body, statuses] of calls) {
    const mine = await app.ask(`/api/projects/1/${path}`, { method, body, key });
    expect(statuses, `${method} ${path} ${mine.text}`).toContain(mine.status);
    const theirs = await app.ask(`/api/projects/1/${path}`, { method, body, key: other });
    expect([theirs.status, theirs.json.code, theirs.json.detail]).toEqual([
      403,
      'permission_denied',
      expect.stringContaining('query:read'),
    ]);
  }
});

test('M9.9/request unknown keys beside the query and in it are ignored, a name has 128 characters at most', async () => {
  const app = await openShop();
  const more = {
    name: 'n'.repeat(128),
    limit_context: 'posthog_ai',
    something: { new: 1 },
    tags: { scene: 'x' },
  };
  const query = { ...COUNT, modifiers: { personsOnEventsMode: 'x' }, version: 3, tags: { productKey: 'x' } };
  expect((await answerTo(app, query, more)).results).toEqual([[SHOP.length]]);
  const long = await post(app, 'query/', { query: COUNT, name: 'n'.repeat(129) });
  expect([long.status, long.json.attr]).toEqual([400, 'name']);
});

test('M9.9/refresh each value, and its use of a cached result', async () => {
  const app = await openShop();
  const ask = async (refresh: string) => await post(app, 'query/', { query: COUNT, refresh });
  expect((await ask('force_cache')).json).toMatchObject({ results: null, is_cached: false });
  expect((await ask('async')).status).toBe(202);
  const first = await ask('blocking');
  expect([first.status, first.json.results]).toEqual([200, [[SHOP.length]]]);
  for (const refresh of ['blocking', 'async', 'lazy_async', 'force_cache']) {
    const { status, json } = await ask(refresh);
    expect([refresh, status, json.is_cached, json.results]).toEqual([refresh, 200, true, [[SHOP.length]]]);
  }
  const fresh = await ask('force_blocking');
  expect([fresh.status, fresh.json.is_cached]).toEqual([200, false]);
  expect((await ask('force_async')).status).toBe(202);
  const word = await ask('sometimes');
  expect([word.status, word.json.attr]).toEqual([400, 'refresh']);
});

test('M9.9/async async: true returns 202 with an id, which returns the result later', async () => {
  const app = await openShop();
  const begun = await post(app, 'query/', { query: BY_NAME, async: true });
  expect([begun.status, begun.json.query_status.complete]).toEqual([202, false]);
  const { status, json } = await whenComplete(app, begun.json.query_status.id);
  const counts = Object.entries(tally(SHOP.map(([event]) => event))).toSorted();
  expect([status, json.query_status.results.results]).toEqual([200, counts]);
});

test('M9.9/filters_override dates and properties apply in addition to those of the query, and are not stored', async () => {
  const app = await openShop();
  const pro = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'event' }];
  const sums = async (more: object) =>
    (await answerTo(app, SIGNUPS, more)).results.map(({ data }: any) => data).flat();
  const byDay = (keep: (properties: any) => boolean, days: readonly string[]) =>
    days.map((day) => SHOP.filter(([e, , at, p]) => e === 'signup' && at.startsWith(day) && keep(p)).length);
  const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
  expect(await sums({})).toEqual(byDay(() => true, week));
  expect(await sums({ filters_override: { properties: pro } })).toEqual(byDay((p) => p.plan === 'pro', week));
  const dates = { date_from: '2026-11-17', date_to: '2026-11-18' };
  expect(await sums({ filters_override: dates })).toEqual(byDay(() => true, week.slice(1, 3)));
  expect(await sums({})).toEqual(byDay(() => true, week));
});

test('M9.9/variables_override the value of the request overrides the one of the query', async () => {
  const app = await openShop();
  const made = await post(app, 'insight_variables/', { name: 'Plan', type: 'String', default_value: 'pro' });
  const { id, code_name: codeName } = made.json;
  const query = {
    kind: 'HogQLQuery',
    query: `select count() from events where properties.plan = {variables.${codeName}}`,
    variables: { [id]: { variableId: id, code_name: codeName } },
  };
  const plans = (plan: string) => SHOP.filter(([, , , p]) => p?.['plan'] === plan).length;
  expect((await answerTo(app, query)).results).toEqual([[plans('pro')]]);
  const over = { [id]: { variableId: id, code_name: codeName, value: 'free' } };
  expect((await answerTo(app, query, { variables_override: over })).results).toEqual([[plans('free')]]);
});

test('M9.9/kind missing or unknown is 400, and the detail lists the kinds', async () => {
  const app = await openTestApp();
  for (const query of [
    {},
    { query: 'select 1' },
    { kind: 'SessionsTimelineQuery' },
    { kind: null },
    { kind: 7 },
  ]) {
    const { status, json } = await post(app, 'query/', { query });
    expect([status, json.type, json.code, json.attr]).toEqual([
      400,
      'validation_error',
      'invalid_input',
      null,
    ]);
  }
  const { detail } = (await post(app, 'query/', { query: { kind: 'RevenueExampleEventsQuery' } })).json;
  for (const kind of [
    'HogQLQuery',
    'EventsQuery',
    'ActorsQuery',
    'TrendsQuery',
    'FunnelsQuery',
    'RetentionQuery',
  ])
    expect(detail).toContain(kind);
  for (const kind of [
    'StickinessQuery',
    'LifecycleQuery',
    'PathsQuery',
    'HogQLMetadata',
    'DatabaseSchemaQuery',
  ])
    expect(detail).toContain(kind);
});

test('M9.9/wrappers DataVisualizationNode, DataTableNode and InsightVizNode return the result of their source', async () => {
  const app = await openShop();
  const plain = await answerTo(app, BY_NAME);
  for (const kind of ['DataVisualizationNode', 'DataTableNode'])
    expect((await answerTo(app, { kind, source: BY_NAME, display: 'ActionsBar' })).results).toEqual(
      plain.results,
    );
  const trend = await answerTo(app, SIGNUPS);
  expect((await answerTo(app, { kind: 'InsightVizNode', source: SIGNUPS })).results).toEqual(trend.results);
  expect((await answerTo(app, { kind: 'DataTableNode', source: SIGNUPS })).results).toEqual(trend.results);
});

test('M9.9/errors a text that is not a query, and an object without a schema, are validation errors without attr', async () => {
  const app = await openTestApp();
  const wrong: object[] = [
    { kind: 'HogQLQuery' },
    { kind: 'HogQLQuery', query: 'select from where' },
    { kind: 'HogQLQuery', query: 'select nothing from events' },
    { kind: 'EventsQuery' },
    { kind: 'EventsQuery', select: ['nothing()'] },
    { kind: 'TrendsQuery' },
    { kind: 'TrendsQuery', series: [] },
    { kind: 'TrendsQuery', series: SIGNUPS.series, interval: 'fortnight' },
    { kind: 'FunnelsQuery', series: SIGNUPS.series },
    { kind: 'RetentionQuery' },
    { kind: 'LifecycleQuery', series: [...SIGNUPS.series, ...SIGNUPS.series] },
    { kind: 'ActorsQuery', source: { kind: 'Nothing' } },
  ];
  for (const query of wrong) {
    const { status, json } = await post(app, 'query/', { query });
    expect({ query, status, ...json }).toEqual({
      query,
      status: 400,
      type: 'validation_error',
      code: 'invalid_input',
      attr: null,
      detail: expect.stringMatching(/\w/),
    });
  }
});

test('M9.9/get a failed result is 400 with its status, an unknown one is 404', async () => {
  const app = await openShop();
  await post(app, 'query/', { query: SLOW, refresh: 'async', client_query_id: 'bad' });
  expect((await app.ask('/api/projects/1/query/bad/', { method: 'DELETE' })).status).toBe(200);
  const { status, json } = await whenComplete(app, 'bad');
  expect([status, json]).toMatchObject([400, { query_status: { complete: true, error: true } }]);
  expect(json.query_status.error_message).toMatch(/cancel/);
  expect((await app.ask('/api/projects/1/query/nobody/')).status).toBe(404);
});

test('M9.9/get a query of another project is a 404', async () => {
  const app = await openShop();
  const second = await createProject(app);
  await post(app, 'query/', { query: COUNT, refresh: 'force_async', client_query_id: 'mine' });
  expect((await app.ask(`/api/projects/${second}/query/mine/`)).status).toBe(404);
  expect((await app.ask(`/api/projects/${second}/query/mine/`, { method: 'DELETE' })).status).toBe(404);
  expect((await whenComplete(app, 'mine')).status).toBe(200);
});

test('M9.9/delete cancels: 200 and a message, and the waiting request gets an error', async () => {
  const app = await openShop();
  const waiting = post(app, 'query/', { query: SLOW, client_query_id: 'slow' });
  let gone = await app.ask('/api/projects/1/query/slow/', { method: 'DELETE' });
  while (gone.status === 404) gone = await app.ask('/api/projects/1/query/slow/', { method: 'DELETE' });
  expect([gone.status, gone.json]).toEqual([200, { message: expect.stringMatching(/cancel/) }]);
  expect((await waiting).status).toBeGreaterThanOrEqual(400);
});

test('M9.9/check_auth_for_async returns ok', async () => {
  const app = await openTestApp();
  expect((await post(app, 'query/check_auth_for_async/', {})).json).toEqual({ user: 'ok' });
});

test('M9.9/upgrade returns the query', async () => {
  const app = await openTestApp();
  expect((await post(app, 'query/upgrade/', { query: SIGNUPS })).json).toEqual({ query: SIGNUPS });
});

test('M9.9/by-kind the newest form names the kind in the path', async () => {
  const app = await openShop();
  const { kind: _, ...rest } = SIGNUPS;
  const named = await post(app, 'query/TrendsQuery/', { query: rest });
  expect(named.json.results).toEqual((await answerTo(app, SIGNUPS)).results);
  expect((await post(app, 'query/TrendsQuery/', { query: COUNT })).status).toBe(400);
});

test('M9.9/cached-fields a cached result has its time and the time zone of its days', async () => {
  const app = await openShop();
  const first = await answerTo(app, SIGNUPS);
  const again = await answerTo(app, SIGNUPS);
  expect(first).toMatchObject({ is_cached: false, timezone: 'UTC' });
  expect(again).toMatchObject({
    is_cached: true,
    cache_key: first.cache_key,
    last_refresh: first.last_refresh,
  });
  expect(new Date(first.last_refresh).getTime()).toBe(app.clock.now);
  for (const field of ['next_allowed_client_refresh', 'cache_target_age', 'calculation_trigger'])
    expect(again).toHaveProperty(field);
});

test('M9.9/QueryStatus has its fifteen fields', async () => {
  const app = await openShop();
  const { json } = await post(app, 'query/', { query: COUNT, refresh: 'async', client_query_id: 'mine' });
  expect(Object.keys(json.query_status).toSorted()).toEqual(
    [
      'id',
      'team_id',
      'complete',
      'error',
      'error_message',
      'results',
      'query_async',
      'start_time',
      'end_time',
      'expiration_time',
      'task_id',
      'dashboard_id',
      'insight_id',
      'query_progress',
      'labels',
    ].toSorted(),
  );
  const done = (await whenComplete(app, 'mine')).json.query_status;
  expect(done).toMatchObject({ id: 'mine', team_id: 1, complete: true, error: false, error_message: null });
  expect(done).toMatchObject({ query_async: true, results: { results: [[SHOP.length]] } });
});
