import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { expectStatus, createKey } from '../support/owner-calls.ts';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

/** What a client decodes of an answer; a field of another type is an error there, and so it is here. */
async function call<S extends z.ZodType>(
  { ask }: TestApp,
  schema: S,
  path: string,
  {
    method = 'GET',
    body,
    headers = {},
    key = TEST_KEY,
  }: {
    method?: string;
    body?: object;
    headers?: Record<string, string>;
    key?: string;
  } = {},
): Promise<z.output<S>> {
  const answer = await ask(path, {
    method,
    body,
    key,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  if (answer.status > 201) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
  const parsed = schema.safeParse(answer.json);
  if (parsed.success) return parsed.data;
  throw new Error(`${method} ${path}: ${z.prettifyError(parsed.error)}`);
}

function page<S extends z.ZodType>(item: S) {
  return z.object({ results: z.array(item), next: z.string().nullable().optional() });
}

/** Sends events, so that there are definitions of events and properties. */
async function sendEvents({ ask }: TestApp): Promise<void> {
  const batch = [
    { event: 'signup', properties: { distinct_id: 'ada', plan: 'free', seats: 3 } },
    {
      event: '$groupidentify',
      properties: { distinct_id: 'ada', $group_type: 'company', $group_key: 'acme', $group_set: {} },
    },
  ];
  await ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
}

const organization = z.object({ id: z.uuid(), name: z.string() });
const project = z.object({ id: z.number(), name: z.string(), api_token: z.string(), organization: z.uuid() });
const user = z.object({ id: z.number(), uuid: z.uuid(), first_name: z.string(), email: z.string() });
const dashboard = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string().nullish(),
  pinned: z.boolean(),
  created_at: z.string(),
  created_by: user.nullish(),
  is_shared: z.boolean(),
  deleted: z.boolean(),
  tags: z.array(z.string()).nullish(),
});
const insight = z.object({
  id: z.number(),
  short_id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  query: z.record(z.string(), z.unknown()),
  filters: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  created_by: user.nullish(),
  favorited: z.boolean().nullish(),
  saved: z.boolean(),
  deleted: z.boolean(),
  dashboards: z.array(z.number()),
  dashboard_tiles: z.array(z.object({ id: z.number(), dashboard_id: z.number() })),
  tags: z.array(z.string()).nullish(),
});
const propertyDefinition = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  is_numerical: z.boolean().nullish(),
  updated_at: z.string().nullish(),
  // The first generation takes no object here.
  updated_by: z.string().nullish(),
  verified_by: z.string().nullish(),
  property_type: z.enum(['String', 'Numeric', 'Boolean', 'DateTime']).nullish(),
  tags: z.array(z.string()).nullish(),
});

const QUERY = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }] },
};

/** The calls that both generations make of dashboards and insights, with these headers. */
async function expectDashboardsWork(
  app: TestApp,
  base: string,
  headers: Record<string, string>,
): Promise<void> {
  const write = (method: string, body: object) => ({ method, body, headers });
  const made = await call(
    app,
    dashboard,
    `${base}/dashboards/`,
    write('POST', { name: 'Weekly', pinned: false }),
  );
  await call(app, dashboard, `${base}/dashboards/`, write('POST', { description: 'Nameless' }));
  const listed = await call(app, page(dashboard), `${base}/dashboards/?limit=10&offset=0&search=week`, {
    headers,
  });
  expect(listed.results.map(({ id }) => id)).toEqual([made.id]);
  const all = await call(app, page(dashboard), `${base}/dashboards/`, { headers });
  expect(all.results).toHaveLength(2);

  const body = { name: 'Signups', query: QUERY, saved: true, favorited: false, dashboards: [made.id] };
  const created = await call(app, insight, `${base}/insights/`, write('POST', body));
  expect(created).toMatchObject({ name: 'Signups', query: QUERY, saved: true, dashboards: [made.id] });
  const insights = await call(app, page(insight), `${base}/insights/?limit=10&offset=0&search=sign`, {
    headers,
  });
  expect(insights.results.map(({ id }) => id)).toEqual([created.id]);
  expect(await call(app, insight, `${base}/insights/${created.id}/`, { headers })).toMatchObject({
    id: created.id,
  });
  const renamed = write('PATCH', { name: 'New customers' });
  expect((await call(app, insight, `${base}/insights/${created.id}/`, renamed)).name).toBe('New customers');

  const tiles = z.object({ tiles: z.array(z.object({ id: z.number(), insight: insight.nullish() })) });
  const shown = await call(app, dashboard.and(tiles), `${base}/dashboards/${made.id}/`, { headers });
  expect(shown.tiles.map((tile) => tile.insight?.id)).toEqual([created.id]);
  const changed = write('PATCH', { name: 'Monthly', pinned: true, tags: ['team'] });
  expect(await call(app, dashboard, `${base}/dashboards/${made.id}/`, changed)).toMatchObject({
    name: 'Monthly',
    pinned: true,
    tags: ['team'],
  });

  const gone = write('PATCH', { deleted: true });
  expect((await call(app, insight, `${base}/insights/${created.id}/`, gone)).deleted).toBe(true);
  expect((await call(app, dashboard, `${base}/dashboards/${made.id}/`, gone)).deleted).toBe(true);
  for (const path of [`${base}/insights/${created.id}/`, `${base}/dashboards/${made.id}/`])
    expect((await app.ask(path, { headers })).status).toBe(404);
}

const featureFlag = z.object({
  id: z.number(),
  key: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  filters: z.looseObject({ groups: z.array(z.record(z.string(), z.unknown())) }).nullish(),
  active: z.boolean(),
  tags: z.array(z.string()).optional(),
});

/** The calls that both generations make of feature flags, with these headers. */
async function expectFlagsWork(app: TestApp, base: string, headers: Record<string, string>): Promise<void> {
  const write = (method: string, body: object) => ({ method, body, headers });
  const flags = `${base}/feature_flags/`;
  const filters = {
    groups: [
      {
        properties: [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }],
        rollout_percentage: 100,
      },
    ],
  };
  const body = { key: 'new-nav', name: 'The new navigation', filters, active: true, tags: ['web'] };
  const made = await call(app, featureFlag, flags, write('POST', body));
  expect(made).toMatchObject(body);
  await call(app, featureFlag, flags, write('POST', { key: 'bare', active: false }));
  const { results } = await call(app, page(featureFlag), `${flags}?limit=100&offset=0`, { headers });
  // It looks flags up by their keys in the list.
  expect(results.find(({ key }) => key === 'new-nav')?.id).toBe(made.id);
  expect(await call(app, featureFlag, `${flags}${made.id}/`, { headers })).toEqual(made);
  const changed = write('PATCH', { active: false, name: 'Off for now' });
  expect(await call(app, featureFlag, `${flags}${made.id}/`, changed)).toMatchObject({
    key: 'new-nav',
    active: false,
    name: 'Off for now',
  });
  const taken = await app.ask(flags, write('POST', body));
  expect(z.object({ type: z.string(), code: z.literal('unique') }).safeParse(taken.json).success).toBe(true);
  const gone = await app.ask(`${flags}${made.id}/`, write('PATCH', { deleted: true }));
  expect(expectStatus(200, gone).json.deleted).toBe(true);
  const left = await call(app, page(featureFlag), flags, { headers });
  expect(left.results.map(({ key }) => key)).toEqual(['bare']);
}

describe('the first generation of the MCP server', () => {
  test('finds organization and project', async () => {
    const app = await openTestApp();
    const { results } = await call(app, page(organization), '/api/organizations/');
    const one = await call(app, organization, `/api/organizations/${results[0]!.id}/`);
    expect(one).toEqual(results[0]);
    const projects = await call(app, page(project), `/api/organizations/${one.id}/projects/`);
    expect(await call(app, project, `/api/projects/${projects.results[0]!.id}/`)).toEqual(
      projects.results[0],
    );
  });

  test('lists properties, with only known types', async () => {
    const app = await openTestApp();
    await sendEvents(app);
    const search = new URLSearchParams({
      event_names: '["signup"]',
      filter_by_event_names: 'true',
      exclude_core_properties: 'true',
      is_feature_flag: 'false',
      limit: '100',
    });
    const path = `/api/projects/1/property_definitions/?${search}`;
    const { results } = await call(app, page(propertyDefinition), path);
    expect(results.map(({ name, property_type }) => [name, property_type]).sort()).toEqual([
      ['plan', 'String'],
      ['seats', 'Numeric'],
    ]);
  });

  test('creates, finds, changes and deletes feature flags', async () => {
    await expectFlagsWork(await openTestApp(), '/api/projects/1', {});
  });

  test('creates, finds, changes and deletes dashboards and insights', async () => {
    await expectDashboardsWork(await openTestApp(), '/api/projects/1', {});
  });

  test('recognizes an invalid key by the status, and other errors by type and code', async () => {
    const { ask } = await openTestApp();
    expect((await ask('/api/users/@me/', { key: 'phx_wrong' })).status).toBe(401);
    const refused = await ask('/api/projects/1/insights/', { method: 'POST', body: { name: [] } });
    expect(
      z.object({ type: z.literal('validation_error'), code: z.string() }).parse(refused.json),
    ).toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('the current generation of the MCP server', () => {
  const HEADERS = {
    'X-PostHog-Client': 'mcp',
    'x-posthog-mcp-client-name': 'some-editor',
    'x-posthog-mcp-client-version': '1.0.0',
    'User-Agent': 'posthog/mcp-server',
  };

  test('reads the scopes of its key, without a slash', async () => {
    const app = await openTestApp();
    const key = await createKey(app, ['dashboard:read', 'user:read']);
    const schema = z.object({
      scopes: z.array(z.string()),
      scoped_teams: z.array(z.number()),
      scoped_organizations: z.array(z.string()),
    });
    expect(await call(app, schema, '/api/personal_api_keys/@current', { headers: HEADERS, key })).toEqual({
      scopes: ['dashboard:read', 'user:read'],
      scoped_teams: [],
      scoped_organizations: [],
    });
  });

  test('reads its user, project and organization', async () => {
    const app = await openTestApp();
    const team = z.object({
      id: z.number(),
      uuid: z.uuid(),
      organization: z.uuid(),
      project_id: z.number(),
      api_token: z.string(),
      name: z.string(),
      completed_snippet_onboarding: z.boolean(),
      has_completed_onboarding_for: z.unknown(),
      ingested_event: z.boolean(),
      is_demo: z.boolean(),
      timezone: z.string(),
      access_control: z.boolean(),
    });
    const schema = z.object({
      distinct_id: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      email: z.email(),
      organizations: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          slug: z.string(),
          logo_media_id: z.string().nullable(),
          membership_level: z.number(),
          members_can_use_personal_api_keys: z.boolean(),
          is_active: z.boolean().nullable(),
          is_not_active_reason: z.string().nullable(),
        }),
      ),
      team: team.nullable(),
      organization: z
        .object({
          id: z.uuid(),
          name: z.string(),
          available_product_features: z.array(z.object({ key: z.string(), name: z.string() })).nullish(),
        })
        .nullable(),
    });
    const me = await call(app, schema, '/api/users/@me/', { headers: HEADERS });
    expect(me.team).toMatchObject({ id: 1, api_token: TEST_TOKEN });
    expect(me.organization!.id).toBe(me.organizations[0]!.id);
  });

  test('lists events, finds one by its name, and the group types', async () => {
    const app = await openTestApp();
    await sendEvents(app);
    const definition = z.object({
      id: z.uuid(),
      name: z.string(),
      description: z.string().nullish(),
      tags: z.array(z.string()).optional(),
      last_seen_at: z.string().nullish(),
      verified: z.boolean().optional(),
      hidden: z.boolean().nullish(),
    });
    const base = '/api/projects/1';
    const { results } = await call(app, page(definition), `${base}/event_definitions/?limit=50&search=sign`, {
      headers: HEADERS,
    });
    expect(results.map(({ name }) => name)).toEqual(['signup']);
    const path = `${base}/event_definitions/by_name/?name=signup`;
    expect(await call(app, definition, path, { headers: HEADERS })).toEqual(results[0]);
    const missing = await app.ask(`${base}/event_definitions/by_name/?name=none`, { headers: HEADERS });
    expect(missing.status).toBe(404);
    const groupType = z.object({ group_type: z.string(), group_type_index: z.number() });
    const types = await call(app, z.array(groupType), `${base}/groups_types/`, { headers: HEADERS });
    expect(types).toEqual([{ group_type: 'company', group_type_index: 0 }]);
  });

  test('creates, finds, changes and deletes feature flags', async () => {
    await expectFlagsWork(await openTestApp(), '/api/environments/1', HEADERS);
  });

  test('creates, finds, changes and deletes dashboards and insights', async () => {
    await expectDashboardsWork(await openTestApp(), '/api/environments/1', HEADERS);
  });

  test('finds an insight by its short id, and everything by a search', async () => {
    const app = await openTestApp();
    const base = '/api/projects/1';
    const body = { name: 'Signups', query: QUERY, saved: true };
    const made = await call(app, insight, `${base}/insights/`, { method: 'POST', body, headers: HEADERS });
    const byShortId = `${base}/insights/?short_id=${made.short_id}`;
    const { results } = await call(app, page(insight), byShortId, { headers: HEADERS });
    expect(results.map(({ id }) => id)).toEqual([made.id]);
    await app.ask(`${base}/dashboards/`, { method: 'POST', body: { name: 'Signups and more' } });
    const found = z.object({
      results: z.array(
        z.object({
          type: z.string(),
          result_id: z.string(),
          extra_fields: z.record(z.string(), z.unknown()),
          rank: z.number().nullish(),
        }),
      ),
      counts: z.record(z.string(), z.number().nullable()),
    });
    const search = await call(app, found, `${base}/search/?q=signups&entities=insight&entities=dashboard`, {
      headers: HEADERS,
    });
    expect(search.results.map(({ type }) => type).sort()).toEqual(['dashboard', 'insight']);
    expect(search.results.find(({ type }) => type === 'insight')!.result_id).toBe(made.short_id);
  });

  test('reads detail and attr of refused requests, and Retry-After', async () => {
    const app = await openTestApp({ config: { rateLimits: true } });
    const body = { name: 'x'.repeat(401) };
    const refused = await app.ask('/api/projects/1/dashboards/', { method: 'POST', body, headers: HEADERS });
    expect(z.object({ detail: z.string(), attr: z.literal('name') }).safeParse(refused.json).success).toBe(
      true,
    );
    for (let n = 1; n < 480; n++) await app.ask('/api/projects/1/dashboards/', { headers: HEADERS });
    const throttled = await app.ask('/api/projects/1/dashboards/', { headers: HEADERS });
    expect(Number(expectStatus(429, throttled).headers['retry-after'])).toBeGreaterThan(0);
  });
});
