// @module-tag deep
import { beforeAll, describe, expect, test } from 'vitest';
import type { ManagementRoute } from '../../server/http/define-route.ts';
import { putRule } from '../support/access-rules.ts';
import { addMember, type TestMember } from '../support/members.ts';
import { shareTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

const P = '/api/projects/1/';
const open = shareTestApp();

let app: TestApp;
let member: TestMember;
let routes: ManagementRoute[];
/** The value of `:id` after a segment of a path. */
const ids: Record<string, string> = {};

/** Makes one object of each kind as the owner, so that a path with an id names something. */
async function createObjects(): Promise<void> {
  const make = async (segment: string, body: object) => {
    const answer = await app.ask(`${P}${segment}/`, { method: 'POST', body });
    if (answer.status !== 201) throw new Error(`${segment}: ${answer.text}`);
    ids[segment] = String(answer.json.id);
  };
  await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: {
      api_key: TEST_TOKEN,
      batch: [
        { event: 'opened', distinct_id: 'ada', properties: { plan: 'team', $set: { email: 'ada@x.test' } } },
        {
          event: '$groupidentify',
          distinct_id: 'ada',
          properties: { $group_type: 'company', $group_key: 'acme', $group_set: { size: 3 } },
        },
      ],
    },
  });
  await make('dashboards', { name: 'Weekly' });
  await make('insights', {
    name: 'Opened',
    dashboards: [Number(ids['dashboards'])],
    query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'opened' }] },
  });
  await make('actions', { name: 'Opens', steps: [{ event: 'opened' }] });
  await make('annotations', { content: 'Release', scope: 'project' });
  await make('cohorts', { name: 'List', is_static: true });
  await make('feature_flags', {
    key: 'first',
    filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
  });
  await make('early_access_feature', { name: 'Fast', stage: 'draft' });
  await make('surveys', { name: 'Why', type: 'popover', questions: [{ type: 'open', question: 'Why?' }] });
  await make('insight_variables', { name: 'Plan', type: 'String', default_value: 'team' });
  await make('dashboard_templates', {
    template_name: 'Start',
    dashboard_description: '',
    dashboard_filters: {},
    tags: [],
    tiles: [{ type: 'TEXT', body: 'Hi', layouts: {} }],
    variables: [],
  });
  const persons = await app.ask(`${P}persons/`);
  ids['persons'] = persons.json.results[0].id;
  const events = await app.ask(`${P}events/`);
  ids['events'] = events.json.results[0].id;
  for (const kind of ['event_definitions', 'property_definitions'])
    ids[kind] = (await app.ask(`${P}${kind}/`)).json.results[0].id;
  ids['dashboard'] = ids['dashboards']!;
  ids['collaborators'] = member.userUuid;
}

beforeAll(async () => {
  app = await open.forAll();
  member = await addMember(app, 'lin@local.test');
  routes = app.app.features.list
    .flatMap((feature) => feature.routes ?? [])
    .filter((route) => route.auth === 'key' && route.atOnce === undefined);
  await createObjects();
});

/** The path of a request: each parameter is the object of its segment. */
function pathOf({ path }: ManagementRoute): string {
  const parts = path.replace(/^P\//, P).split('/');
  return parts
    .map((part, at) => {
      if (part === ':project_id') return '1';
      if (part === ':organization_id') return '@current';
      return part.startsWith(':') ? (ids[parts[at - 1]!] ?? '1') : part;
    })
    .join('/');
}

const nameOf = ({ method, path }: ManagementRoute) => `${method} ${path}`;

const ask = (route: ManagementRoute, key: string) =>
  app.ask(pathOf(route), { method: route.method, key, ...(route.method === 'GET' ? {} : { body: {} }) });

/** What a rule about a resource holds for: the routes of the project that name the resource in their scopes. */
function routesOf(resource: string): ManagementRoute[] {
  return routes.filter(
    ({ path, scope, andScope = [] }) =>
      path.startsWith('P/') && [scope[0], ...andScope].some((one) => one?.startsWith(`${resource}:`)),
  );
}

function resourcesOfRoutes(): string[] {
  const named = routes
    .filter(({ path }) => path.startsWith('P/'))
    .flatMap(({ scope, andScope = [] }) => [scope[0], ...andScope])
    .flatMap((scope) => scope?.split(':', 1) ?? []);
  return [...new Set(named)].filter((resource) => resource !== 'project' && resource !== '*');
}

const isWrite = (route: ManagementRoute, resource: string) =>
  [route.scope[0], ...(route.andScope ?? [])].includes(`${resource}:write`);

describe('A-10 a rule for a whole resource applies to every route of the resource', () => {
  test('A-10 with none a member gets 403 from every route of the resource, with or without an id', async () => {
    const reached: string[] = [];
    for (const resource of resourcesOfRoutes()) {
      // The level of an action is at least viewer.
      const level = resource === 'action' ? 'viewer' : 'none';
      const rule = { resource, organization_member: member.membershipId };
      const put = await putRule(app, 'resource_access_controls/', { ...rule, access_level: level });
      expect(put.status, `${resource}: ${put.text}`).toBe(200);
      for (const route of routesOf(resource)) {
        if (level === 'viewer' && !isWrite(route, resource)) continue;
        const { status, text } = await ask(route, member.key);
        if (status !== 403 || !text.includes('access level'))
          reached.push(`${resource} ${level}: ${nameOf(route)} answered ${status} ${text.slice(0, 120)}`);
      }
      await putRule(app, 'resource_access_controls/', { ...rule, access_level: null });
    }
    expect(reached).toEqual([]);
  });

  test('A-10 with viewer a member reads the resource, and every route that writes it answers 403', async () => {
    const wrong: string[] = [];
    for (const resource of resourcesOfRoutes()) {
      const rule = { resource, organization_member: member.membershipId };
      await putRule(app, 'resource_access_controls/', { ...rule, access_level: 'viewer' });
      for (const route of routesOf(resource)) {
        const writes = isWrite(route, resource);
        if (!writes && (route.method !== 'GET' || route.streams !== undefined)) continue;
        const { status, text } = await ask(route, member.key);
        const isRefused = status === 403 && text.includes('access level');
        if (isRefused !== writes) wrong.push(`${resource}: ${nameOf(route)} answered ${status} ${text}`);
      }
      await putRule(app, 'resource_access_controls/', { ...rule, access_level: null });
    }
    expect(wrong).toEqual([]);
  });

  test('A-10 a route without a resource has a reason', () => {
    const silent = routes.filter(
      ({ scope }) =>
        (scope[0] === undefined || scope[0] === '*') && !('noResource' in scope && scope.noResource),
    );
    expect(silent.map(nameOf)).toEqual([]);
  });

  test('A-10 local evaluation and the old list of flags are refused with feature_flag: none', async () => {
    const rule = { resource: 'feature_flag', organization_member: member.membershipId };
    await putRule(app, 'resource_access_controls/', { ...rule, access_level: 'none' });
    for (const path of [
      '/flags/definitions',
      `${P}feature_flags/local_evaluation`,
      '/api/feature_flag/local_evaluation',
      '/api/feature_flag',
      `${P}feature_flags/first/remote_config`,
    ])
      expect((await member.ask(path)).status, path).toBe(403);
    await putRule(app, 'resource_access_controls/', { ...rule, access_level: null });
    expect((await member.ask('/flags/definitions')).status).toBe(200);
  });

  test('A-10 an early access feature creates no flag for a member with feature_flag: viewer', async () => {
    const rule = { resource: 'feature_flag', organization_member: member.membershipId };
    await putRule(app, 'resource_access_controls/', { ...rule, access_level: 'viewer' });
    const made = await member.ask(`${P}early_access_feature/`, {
      method: 'POST',
      body: { name: 'Sneaky', stage: 'beta' },
    });
    expect(made.status).toBe(403);
    const changed = await member.ask(`${P}early_access_feature/${ids['early_access_feature']}/`, {
      method: 'PATCH',
      body: { stage: 'beta' },
    });
    expect(changed.status).toBe(403);
    await putRule(app, 'resource_access_controls/', { ...rule, access_level: null });
  });
});

describe('A-10 a key is accepted by exactly the routes whose reference names its scope', () => {
  test('A-10 every scope of the reference on every route', async () => {
    const reference = (await app.ask('/openapi.json', { key: null })).json;
    const wrong: string[] = [];
    const unlisted = app.app.features.list
      .filter((feature) => feature.unlisted !== undefined)
      .flatMap((feature) => feature.routes ?? []);
    const scopes = [...new Set(routes.flatMap(({ scope, andScope = [] }) => [...scope, ...andScope]))].filter(
      (scope) => scope !== '*',
    );
    const { keys } = app.app.features;
    const granted = (has: string, needed: string) =>
      needed === has || needed === has.replace(/:write$/, ':read');
    for (const scope of scopes) {
      const key = keys.createRunKey(() => 1, { label: scope, scopes: [scope] });
      for (const route of routes) {
        const documented = route.path
          .replace(/^P\//, '/api/projects/:project_id/')
          .replaceAll(/:([a-z_]+)/g, '{$1}');
        const operation = unlisted.includes(route)
          ? { 'x-required-scopes': route.scope }
          : reference.paths[documented]?.[route.method.toLowerCase()];
        if (operation === undefined) {
          wrong.push(`${nameOf(route)} is not in the reference`);
          continue;
        }
        const anyOf: string[] = operation['x-required-scopes'];
        const allOf: string[] = operation['x-also-required-scopes'] ?? [];
        const reaches =
          (anyOf.length === 0 || anyOf.some((needed) => granted(scope, needed))) &&
          allOf.every((needed) => granted(scope, needed));
        // What is reached must not change what the next requests find.
        if (reaches && (route.method !== 'GET' || route.streams !== undefined)) continue;
        const { status, text } = await ask(route, key);
        const isRefused = status === 403 && text.includes('missing required scope');
        if (isRefused === reaches) wrong.push(`${scope}: ${nameOf(route)} answered ${status}`);
      }
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('A-10 a key with all but one of the required scopes is refused, and the reference lists that one', async () => {
    const { keys } = app.app.features;
    for (const route of routes.filter(({ andScope }) => andScope !== undefined))
      for (const missing of route.andScope!) {
        const scopes = [...route.scope, ...route.andScope!].filter((scope) => scope !== missing);
        const key = keys.createRunKey(() => 1, { label: missing, scopes });
        const { status, text } = await ask(route, key);
        expect([status, nameOf(route)]).toEqual([403, nameOf(route)]);
        expect(text).toContain(missing);
      }
  });
});
