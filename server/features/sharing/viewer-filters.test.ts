import { describe, expect, test } from 'vitest';
import { send } from '../../../test/support/app-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';
const PLAN = { key: 'plan', type: 'event', operator: 'exact', value: ['pro'] };
const EMAIL = { key: 'email', type: 'person', operator: 'is_set', value: 'is_set' };
const MAIL_VALUE = { key: 'contact', type: 'event', operator: 'is_not', value: ['lin@local.test'] };
const SQL_CONDITION = { key: '1 = 1', type: 'hogql' };
const COHORT = { key: 'id', type: 'cohort', value: 1 };
const CONDITIONS = [PLAN, EMAIL, MAIL_VALUE, SQL_CONDITION];

interface Opened {
  app: TestApp;
  id: number;
  token: string;
  /** The response for these filters without a session. */
  look(asked?: unknown, path?: string): ReturnType<TestApp['ask']>;
}

/** A shared dashboard with a number of sign-ups: 2 of plan pro, 1 of plan free. */
async function openShared(settings: object, conditions: readonly object[] = [PLAN]): Promise<Opened> {
  const app = await openTestApp();
  await send(
    app,
    ['pro', 'pro', 'free'].map((plan, index) => ({
      event: 'signup',
      distinct_id: `p${index}@local.test`,
      properties: { plan, email: `p${index}@local.test`, contact: `p${index}@local.test` },
    })),
  );
  const filters = { date_from: 'all', properties: conditions };
  const body = { name: 'Open', filters };
  const { id } = (await app.ask(`${P}dashboards/`, { method: 'POST', body })).json;
  const query = {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'signup' }],
      trendsFilter: { display: 'BoldNumber' },
    },
  };
  const insight = { name: 'Sign-ups', query, dashboards: [id] };
  await app.ask(`${P}insights/`, { method: 'POST', body: insight });
  const link = await app.ask(`${P}dashboards/${id}/sharing/`, {
    method: 'PATCH',
    body: { enabled: true, settings },
  });
  const token = link.json.access_token as string;
  return {
    app,
    id,
    token,
    look: (asked, path = `/shared/${token}.json`) => {
      const text = typeof asked === 'string' ? asked : JSON.stringify(asked);
      const rest = asked === undefined ? '' : `?filters=${encodeURIComponent(text)}`;
      return app.ask(path + rest, { key: null });
    },
  };
}

const countOf = ({
  json,
}: {
  json: { dashboard: { tiles: { insight: { result: { aggregated_value: number }[] } }[] } };
}) => json.dashboard.tiles[0]!.insight.result[0]!.aggregated_value;
const change = (value: unknown, operator = 'exact') => ({
  conditions: [{ at: 0, key: 'plan', operator, value }],
});

describe('where viewers may not change filters', () => {
  test('their filters are ignored, and the page offers none', async () => {
    for (const settings of [{}, { viewerFilters: false }]) {
      const { token, look } = await openShared(settings);
      const answer = await look({
        date_from: '-7d',
        conditions: [{ at: 0, key: 'plan', off: true }],
      });
      expect(countOf(answer)).toBe(2);
      expect(answer.json).not.toHaveProperty('viewer');
      expect(answer.json.dashboard.filters.date_from).toBe('all');
      const page = await look('nonsense', `/shared/${token}`);
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).not.toContain('connect-src');
    }
  });

  test('the URL cannot enable them', async () => {
    const { app, token } = await openShared({});
    const { json } = await app.ask(`/shared/${token}.json?viewerFilters=true&filters={"date_from":"-7d"}`, {
      key: null,
    });
    expect(json).not.toHaveProperty('viewer');
    expect(json).not.toHaveProperty('viewerFilters');
  });
});

describe('where viewers may change filters', () => {
  test('dates and the values of the dashboard’s own conditions change for the viewer only, and are not stored', async () => {
    const { app, id, look } = await openShared({ viewerFilters: true });
    const plain = await look();
    expect(countOf(plain)).toBe(2);
    expect(plain.json.viewer).toEqual({
      asked: {},
      conditions: [{ at: 0, ...PLAN, off: false }],
      variables: [],
    });
    const free = await look({ date_from: '2001-01-01', ...change(['free']) });
    expect(countOf(free)).toBe(1);
    expect(free.json.dashboard.filters).toMatchObject({
      date_from: '2001-01-01',
      properties: [{ ...PLAN, value: ['free'] }],
    });
    expect(free.json.viewer.conditions[0]).toMatchObject({ value: ['free'] });
    expect(countOf(await look(change(['pro', 'free'])))).toBe(3);
    expect(countOf(await look({ conditions: [{ at: 0, key: 'plan', off: true }] }))).toBe(3);
    expect(countOf(await look({ conditions: [{ at: 0, key: 'plan', operator: 'is_not_set' }] }))).toBe(0);
    expect(countOf(await look({ date_from: '2001-01-01', date_to: '2001-02-01' }))).toBe(0);
    expect(countOf(await look())).toBe(2);
    const { json } = await app.ask(`${P}dashboards/${id}/`);
    expect(json.filters).toEqual({ date_from: 'all', properties: [PLAN] });
  });

  test('conditions on email addresses, cohorts and SQL cannot be changed, and still apply', async () => {
    const { look } = await openShared({ viewerFilters: true }, [...CONDITIONS, COHORT]);
    const { json } = await look({ date_from: '-30d' });
    expect(json.viewer.conditions.map(({ key }: { key: string }) => key)).toEqual(['plan']);
    for (const [at, { key }] of [...CONDITIONS, COHORT].entries()) {
      if (at === 0) continue;
      const off = await look({ conditions: [{ at, key, off: true }] });
      expect([off.status, off.json.attr]).toEqual([400, 'filters']);
    }
    const kept = (await look(change(['free']))).json.dashboard.filters.properties as object[];
    expect(kept).toHaveLength(5);
    expect(kept[3]).toEqual(SQL_CONDITION);
    expect(JSON.stringify(kept)).not.toContain('lin@local.test');
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['a list', []],
    ['a text that is too long', JSON.stringify({ x: 'y'.repeat(9_000) })],
    ['a query', { query: { kind: 'HogQLQuery', query: 'select * from persons' } }],
    ['a breakdown', { breakdown_filter: { breakdown: 'email' } }],
    ['properties', { properties: [{ key: 'true', type: 'hogql' }] }],
    ['another property', { conditions: [{ at: 0, key: 'email', operator: 'is_set' }] }],
    ['another place', { conditions: [{ at: 1, key: 'plan', operator: 'is_set' }] }],
    ['another type', { conditions: [{ at: 0, key: 'plan', type: 'hogql', operator: 'is_set' }] }],
    ['letters of a text', change('p', 'icontains')],
    ['a pattern', change('^p', 'regex')],
    ['an order of texts', change('p', 'gt')],
    ['an e-mail address', change(['p0@local.test'])],
    ['an encoded e-mail address', change(['p0%40local.test'])],
    ['an object', change({ a: 1 })],
    ['no value', { conditions: [{ at: 0, key: 'plan', operator: 'exact' }] }],
    ['too many values', change(Array.from({ length: 21 }, String))],
    ['a long value', change(['x'.repeat(201)])],
    ['a date that is SQL', { date_from: "now()'; select 1" }],
    ['an unused variable', { variables: { constructor: 1 } }],
  ])('%s is refused, and the page shows the unchanged dashboard', async (_what, asked) => {
    const { token, look } = await openShared({ viewerFilters: true });
    const { status, json } = await look(asked);
    expect([status, json.code, json.attr]).toEqual([400, 'invalid_input', 'filters']);
    const page = await look(asked, `/shared/${token}`);
    expect([page.status, page.text.includes('"date_from":"all"')]).toEqual([200, true]);
  });

  test('SQL variables accept values of their list, and no free text', async () => {
    const { app, id, look } = await openShared({ viewerFilters: true });
    const make = async (body: object) =>
      (await app.ask(`${P}insight_variables/`, { method: 'POST', body })).json as {
        id: string;
        code_name: string;
      };
    const list = { name: 'Plan', type: 'List', default_value: 'pro', values: ['pro', 'free'] };
    const plan = await make(list);
    const text = await make({ name: 'Text', type: 'String', default_value: '%' });
    const other = await make({ name: 'Other', type: 'Number', default_value: 1 });
    const asks = ({ id: variableId, code_name }: typeof plan) => [variableId, { variableId, code_name }];
    const query = {
      kind: 'DataTableNode',
      source: {
        kind: 'HogQLQuery',
        query:
          'select count() from events where properties.plan = {variables.plan} and properties.email like {variables.text}',
        variables: Object.fromEntries([asks(plan), asks(text)]),
      },
    };
    await app.ask(`${P}insights/`, { method: 'POST', body: { name: 'SQL', query, dashboards: [id] } });
    const sql = async (asked: object) => {
      const { json } = await look({ conditions: [{ at: 0, key: 'plan', off: true }], ...asked });
      return json.dashboard.tiles.at(-1).insight.result;
    };
    expect((await look()).json.viewer.variables).toEqual([
      { id: plan.id, name: 'Plan', type: 'List', value: 'pro', values: ['pro', 'free'] },
    ]);
    expect(await sql({})).toEqual([[2]]);
    expect(await sql({ variables: { [plan.id]: 'free' } })).toEqual([[1]]);
    for (const variables of [{ [plan.id]: 'gold' }, { [text.id]: 'p0%' }, { [other.id]: 2 }])
      expect((await look({ variables })).status).toBe(400);
  });

  test('the token has no further access: the management API ignores viewer filters', async () => {
    const { app, token, look } = await openShared({ viewerFilters: true });
    const asked = encodeURIComponent(JSON.stringify({ conditions: [{ at: 0, key: 'plan', off: true }] }));
    const rest = `sharing_access_token=${token}&filters=${asked}`;
    const list = await app.ask(`${P}insights/?${rest}`, { key: null });
    expect(list.json.results[0].result[0].aggregated_value).toBe(2);
    for (const path of [`${P}events/?${rest}`, `${P}persons/?${rest}`, `${P}query/?${rest}`])
      expect((await app.ask(path, { key: null })).status).toBeGreaterThanOrEqual(400);
    const page = await look(undefined, `/shared/${token}`);
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('filtered requests of a link are rate limited, while the page itself is not', async () => {
    const { token, look } = await openShared({ viewerFilters: true });
    const statuses = new Set<number>();
    for (let day = 0; day < 70; day += 1) statuses.add((await look({ date_from: `-${day % 3}d` })).status);
    expect([...statuses]).toEqual([200, 429]);
    expect((await look({ date_from: '-1d' }, `/shared/${token}`)).status).toBe(200);
    expect((await look()).status).toBe(200);
  });
});
