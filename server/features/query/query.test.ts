import { describe, expect, test } from 'vitest';
import { iso } from '../../../test/support/app-events.ts';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const QUERY = '/api/projects/1/query/';

/** Three events of two persons on the first of November 2026. */
async function openWithEvents(app?: TestApp): Promise<TestApp> {
  const opened = app ?? (await openTestApp());
  await sendEvents(opened, [
    { event: 'signup', distinct_id: 'u1', timestamp: iso(0), properties: { plan: 'pro', seats: 3 } },
    { event: 'signup', distinct_id: 'u2', timestamp: iso(60), properties: { plan: 'free', seats: 1 } },
    { event: 'view', distinct_id: 'u1', timestamp: iso(120), properties: { plan: 'pro' } },
  ]);
  return opened;
}

const ask = (app: TestApp, query: unknown, more: object = {}) =>
  app.ask(QUERY, { method: 'POST', body: { query, ...more } });
const sql = (query: string, more: object = {}) => ({ kind: 'HogQLQuery', query, ...more });

describe('M9.9 POST query/', () => {
  test('returns rows, columns, types, and the normalized query of SQL', async () => {
    const app = await openWithEvents();
    const text = 'select event, count() from events group by event order by event';
    const { status, json } = await ask(app, sql(text));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      results: [
        ['signup', 2],
        ['view', 1],
      ],
      columns: ['event', 'count()'],
      types: [
        ['event', 'String'],
        ['count()', 'UInt64'],
      ],
      hasMore: false,
      limit: 100,
      offset: 0,
      query: text,
      error: null,
      query_status: null,
      is_cached: false,
      timezone: 'UTC',
    });
    expect(json.hogql).toMatch(
      /^SELECT event, count\(\) FROM events GROUP BY event ORDER BY event LIMIT 100$/,
    );
    expect(json.cache_key).toMatch(/^cache_[0-9a-f]{32}$/);
  });

  test('both families, a wrapper, and the path with the kind return the same', async () => {
    const app = await openWithEvents();
    const node = sql('select count() from events');
    const asked = [
      await ask(app, node),
      await app.ask('/api/environments/1/query/', { method: 'POST', body: { query: node } }),
      await ask(app, { kind: 'DataVisualizationNode', source: node }),
      await ask(app, { kind: 'DataTableNode', source: node }),
      await app.ask(`${QUERY}HogQLQuery/`, { method: 'POST', body: { query: { query: node.query } } }),
    ];
    expect(asked.map(({ json }) => json.results)).toEqual(Array.from({ length: 5 }, () => [[3]]));
  });

  test('returns 100 rows without LIMIT, and whether there are more', async () => {
    const app = await openTestApp();
    await sendEvents(
      app,
      Array.from({ length: 101 }, (_, n) => ({ event: `e${n}`, distinct_id: 'u1' })),
    );
    expect((await ask(app, sql('select event from events'))).json).toMatchObject({
      hasMore: true,
      limit: 100,
    });
    expect((await ask(app, sql('select event from events limit 101'))).json).toMatchObject({
      hasMore: false,
    });
    const page = (await ask(app, sql('select event from events order by event limit 2 offset 1'))).json;
    expect(page).toMatchObject({ hasMore: true, limit: 2, offset: 1, results: [['e1'], ['e10']] });
  });

  const refused: [string, unknown, RegExp][] = [
    ['no query', undefined, /A query must be an object with a `kind`/],
    ['a query that is a text', 'select 1', /A query must be an object with a `kind`/],
    ['a list', [], /A query must be an object with a `kind`/],
    ['no kind', { query: 'select 1' }, /A query must be an object with a `kind`/],
    [
      'an unknown kind',
      { kind: 'RevenueExampleEventsQuery' },
      /Unknown query kind 'RevenueExampleEventsQuery'.*HogQLQuery/,
    ],
    ['a kind that every object has', { kind: 'constructor' }, /Unknown query kind 'constructor'/],
    ['a wrapper around nothing', { kind: 'DataTableNode' }, /requires a query in `source`/],
    [
      'a wrapper in a wrapper',
      { kind: 'DataTableNode', source: { kind: 'InsightVizNode' } },
      /InsightVizNode/,
    ],
    ['a field of another type', { kind: 'HogQLQuery', query: 7 }, /'query': .*string/],
    ['a text that is no query', sql('selec 1'), /^Line 1, column 1: /],
    ['a table that is not there', sql('select 1\nfrom evnts'), /^Line 2, column 6: .*evnts/],
    ['a field that is not there', sql('select evnt from events'), /^Line 1, column 8: .*evnt/],
    ['a function that is not there', sql('select cuont() from events'), /^Line 1, column 8: .*cuont/],
    ['a name without a value', sql('select {x}'), /^Line 1, column 8: .*\{x\}/],
    ['two texts', sql('select 1; select 2'), /^Line 1, column \d+/],
    ['something other than SELECT', sql('drop table events'), /^Line 1, column 1: /],
  ];
  test('returns the error of a query, and its position', async () => {
    const app = await openWithEvents();
    for (const [name, query, detail] of refused) {
      const { status, json } = await ask(app, query);
      expect({ name, status, ...json }).toEqual({
        name,
        status: 400,
        type: 'validation_error',
        code: 'invalid_input',
        attr: null,
        detail: expect.stringMatching(detail),
      });
    }
  });

  test('values, variables and filters replace placeholders', async () => {
    const app = await openWithEvents();
    const made = await app.ask('/api/projects/1/insight_variables/', {
      method: 'POST',
      body: { name: 'Plan', type: 'String', default_value: 'pro' },
    });
    const { id, code_name: codeName } = made.json;
    const count = async (query: unknown, more?: object) => (await ask(app, query, more)).json.results;
    const byValue = (values: object) => sql('select count() from events where event in {names}', { values });
    expect(await count(byValue({ names: ['signup', 'none'] }))).toEqual([[2]]);
    expect(await count(byValue({ names: ['view'] }))).toEqual([[1]]);
    const text = `select count() from events where properties.plan = {variables.${codeName}}`;
    expect(await count(sql(text))).toEqual([[2]]);
    const variables = { [id]: { variableId: id, code_name: codeName, value: 'free' } };
    expect(await count(sql(text, { variables }))).toEqual([[1]]);
    const over = { variables_override: { [id]: { variableId: id, code_name: codeName, value: 'none' } } };
    expect(await count(sql(text, { variables }), over)).toEqual([[0]]);
    const filtered = (filters: object) => sql('select count() from events where {filters}', { filters });
    expect(await count(filtered({}))).toEqual([[3]]);
    const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'event' }];
    expect(await count(filtered({ properties }))).toEqual([[2]]);
    expect(await count(filtered({ dateRange: { date_from: '2026-11-02' } }))).toEqual([[0]]);
    const dates = { filters_override: { date_from: '2026-11-01', date_to: '2026-11-01', properties } };
    expect(await count(filtered({ dateRange: { date_from: '2026-11-02' } }), dates)).toEqual([[2]]);
    const bounds = 'select {filters.dateRange.from} < {filters.dateRange.to}';
    expect(await count(sql(bounds, { filters: { dateRange: { date_from: '-7d' } } }))).toEqual([[1]]);
  });

  test('{filters} filters events, sessions, groups and persons by their own columns, and an open date is no condition', async () => {
    const app = await openWithEvents();
    const rows = async (text: string, filters: object) => {
      const { status, json } = await ask(app, sql(text, { filters }));
      return status === 200 ? json.results : json.detail;
    };
    const future = { dateRange: { date_from: '2027-01-01' } };
    const all = { dateRange: { date_from: 'all' } };
    for (const table of ['events', 'sessions', 'groups', 'persons']) {
      const text = `select count() from ${table} where {filters}`;
      const [[whole]] = await rows(`select count() from ${table}`, {});
      expect(await rows(text, all), table).toEqual([[whole]]);
      expect(await rows(text, future), table).toEqual([[0]]);
    }
    const pages = [{ key: '$pageview_count', value: 1_000, operator: 'gt', type: 'session' }];
    expect(await rows('select count() from sessions where {filters}', { properties: pages })).toEqual([[0]]);
    // Each SELECT has the condition of its own table.
    const nested =
      'select count() from events where {filters} and person_id in (select id from persons where {filters})';
    expect(await rows(nested, all)).toEqual([[3]]);
    const open =
      'select count() from events where timestamp >= {filters.dateRange.from} and timestamp < {filters.dateRange.to}';
    expect(await rows(open, {})).toEqual([[3]]);
    expect(await rows('select count() from person_distinct_ids where {filters}', all)).toContain(
      '{filters} is only supported in a SELECT from events, sessions, groups, persons.',
    );
  });

  test('filters by a distinct ID and the first day of a person, and by whether a session is a bounce', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { event: '$pageview', distinct_id: 'u1', timestamp: iso(0), properties: { $session_id: 's1' } },
      { event: '$pageview', distinct_id: 'u2', timestamp: iso(0), properties: { $session_id: 's2' } },
      { event: '$pageview', distinct_id: 'u2', timestamp: iso(60), properties: { $session_id: 's2' } },
    ]);
    const count = async (table: string, filter: object) => {
      const filters = { properties: [filter] };
      const { json } = await ask(app, sql(`select count() from ${table} where {filters}`, { filters }));
      return json.results?.[0][0] ?? json.detail;
    };
    const isUser = { type: 'person', key: 'distinct_id', value: 'u2', operator: 'exact' };
    expect(await count('events', isUser)).toBe(2);
    expect(await count('events', { ...isUser, operator: 'is_not' })).toBe(1);
    expect(await count('persons', isUser)).toBe(1);
    const since = {
      type: 'person_metadata',
      key: 'created_at',
      value: '2026-10-01',
      operator: 'is_date_after',
    };
    expect(await count('events', since)).toBe(3);
    expect(await count('persons', { ...since, value: '2027-01-01' })).toBe(0);
    expect(await count('events', { ...since, key: 'id' })).toContain('support the column created_at');
    const isBounce = { type: 'session', key: '$is_bounce', operator: 'exact' };
    expect(await count('events', { ...isBounce, value: 'true' })).toBe(1);
    expect(await count('events', { ...isBounce, value: false })).toBe(2);
    const shown = await ask(app, sql('select $is_bounce from sessions order by session_id'));
    expect(shown.json.results).toEqual([[1], [0]]);
  });

  test('a placeholder without a value is refused, also one named like a member of Object.prototype', async () => {
    const app = await openWithEvents();
    const names = [
      'constructor',
      'filters.constructor',
      'filters.toString',
      'filters.dateRange',
      'filters.x.y',
    ];
    for (const name of [...names, 'variables.constructor', 'variables.__proto__', 'filters.__proto__']) {
      const { status, json } = await ask(app, sql(`select {${name}} from events`, { values: {} }));
      expect([status, json.detail], name).toEqual([
        400,
        expect.stringContaining(`value was provided for {${name}}`),
      ]);
    }
  });

  test('returns the query plan', async () => {
    const app = await openWithEvents();
    const { explain } = (await ask(app, sql('select count() from events', { explain: true }))).json;
    expect(explain.length).toBeGreaterThan(1);
  });

  test('needs the scope, and a project', async () => {
    const app = await openTestApp();
    expect((await app.ask(QUERY, { method: 'POST', key: null, body: {} })).status).toBe(401);
    expect((await app.ask('/api/projects/99/query/', { method: 'POST', body: {} })).status).toBe(404);
    expect((await app.ask(QUERY, { method: 'POST', body: 'query=1', headers: FORM })).status).toBe(415);
    expect((await app.ask(`${QUERY}check_auth_for_async/`, { method: 'POST' })).json).toEqual({ user: 'ok' });
    const query = { kind: 'HogQLQuery', query: 'select 1', unknown: [1] };
    expect((await app.ask(`${QUERY}upgrade/`, { method: 'POST', body: { query } })).json).toEqual({ query });
  });
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('results are cached', () => {
  const node = sql('select count() from events');

  test('until data of their project changes', async () => {
    const { store, count } = await openCountedStore();
    const app = await openWithEvents(await openTestApp({ store }));
    const other = await app.ask('/api/organizations/@current/projects/', {
      method: 'POST',
      body: { name: 'Other' },
    });
    const answer = async () => (await ask(app, node)).json;
    expect(await answer()).toMatchObject({ results: [[3]], is_cached: false });
    await sendEvents(app, [{}], other.json.api_token);
    expect(await count(async () => expect(await answer()).toMatchObject({ is_cached: true }))).toBe(0);
    await sendEvents(app, [{}]);
    expect(await answer()).toMatchObject({ results: [[4]], is_cached: false });
    expect((await ask(app, node, { refresh: 'force_blocking' })).json).toMatchObject({ is_cached: false });
    expect((await ask(app, node, { refresh: true })).json).toMatchObject({ is_cached: false });
    expect(await answer()).toMatchObject({ is_cached: true });
  });

  test('and returned with force_cache, without a computation', async () => {
    const app = await openWithEvents();
    const known = async () => (await ask(app, node, { refresh: 'force_cache' })).json;
    expect(await known()).toEqual({ results: null, is_cached: false, query_status: null });
    await ask(app, node);
    expect(await known()).toMatchObject({ results: [[3]], is_cached: true });
  });
});

describe('M9.9 asynchronous queries', () => {
  async function answerOf(app: TestApp, id: string) {
    for (;;) {
      const answer = await app.ask(`${QUERY}${id}/`);
      if (answer.status !== 202) return answer;
    }
  }

  test('are returned by their id, and cached ones immediately', async () => {
    const app = await openWithEvents();
    const node = sql('select count() from events');
    const begun = await ask(app, node, { refresh: 'async', client_query_id: 'mine' });
    expect(begun.status).toBe(202);
    expect(begun.json.query_status).toMatchObject({ id: 'mine', team_id: 1, complete: false, error: false });
    const { status, json } = await answerOf(app, 'mine');
    expect(status).toBe(200);
    expect(json.query_status).toMatchObject({ complete: true, error: false, results: { results: [[3]] } });
    const again = await ask(app, node, { refresh: 'lazy_async' });
    expect([again.status, again.json.results]).toEqual([200, [[3]]]);
    expect((await ask(app, node, { refresh: 'force_async' })).status).toBe(202);
    app.clock.now += 700_000;
    expect((await app.ask(`${QUERY}mine/`)).status).toBe(404);
    expect((await app.ask('/api/projects/1/query/none/')).status).toBe(404);
  });

  test('fail with a message', async () => {
    const app = await openWithEvents();
    const begun = await ask(app, sql('select toInt(event) / 0 from nothing'), { async: true });
    expect(begun.status).toBe(400);
    expect(begun.json.detail).toContain('nothing');
  });

  test('are canceled by their id, also while a request waits', async () => {
    const app = await openWithEvents();
    const others = Array.from({ length: 24 }, (_, n) => `cross join events e${n}`).join(' ');
    const slow = sql(`select count() from events e ${others} where e.event || e0.event || e23.event != 'x'`);
    const waiting = ask(app, slow, { client_query_id: 'slow' });
    for (;;) {
      const gone = await app.ask(`${QUERY}slow/`, { method: 'DELETE' });
      if (gone.status === 200) break;
    }
    expect((await waiting).json).toMatchObject({ code: 'query_was_cancelled' });
    expect((await app.ask(`${QUERY}slow/`, { method: 'DELETE' })).status).toBe(404);
    await ask(app, slow, { client_query_id: 'slow', refresh: 'async' });
    expect((await app.ask(`${QUERY}slow/`, { method: 'DELETE' })).json).toHaveProperty('message');
    const ended = await answerOf(app, 'slow');
    expect(ended.status).toBe(400);
    expect(ended.json.query_status).toMatchObject({ complete: true, error: true });
  });
});
