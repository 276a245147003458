import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp } from './test-app.ts';

const P = '/api/projects/1/';

/** What becomes of a request: it passes, or was answered by the proxy (false), or passes and its answer is lost. */
type OnPass = (req: IncomingMessage, res: ServerResponse) => boolean | 'lose';

/** Calls a server; tests that run it in a process of its own have no app. */
export type Caller = Pick<TestApp, 'ask'>;

/** A server of a process of its own, whose keys are those of a test app. */
export function callerOf(url: () => string): Caller {
  return {
    async ask(path, { method = 'GET', key = TEST_KEY, body } = {}) {
      const answer = await fetch(url() + path, {
        method,
        headers: {
          'Content-Type': 'application/json',
          ...(key !== null && { Authorization: `Bearer ${key}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: {},
        text,
        get json() {
          return JSON.parse(text);
        },
      };
    },
  };
}

/** A host in front of a server, which sees each request and may answer in its place. */
export async function openProxy(target: Pick<TestApp, 'port'>, onPass: OnPass = () => true) {
  const passed: string[] = [];
  const server = createServer((req, res) => {
    passed.push(`${req.method} ${req.url!.split('?')[0]}`);
    const what = onPass(req, res);
    if (what === false) return;
    const { port } = target;
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path: req.url,
        method: req.method,
        headers: { ...req.headers, host: `127.0.0.1:${port}` },
      },
      (answer) => {
        if (what === 'lose') return void answer.resume().on('end', () => res.destroy());
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      },
    );
    sent.on('error', () => res.destroy());
    req.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { passed, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function create(app: Caller, path: string, body: object): Promise<any> {
  const answer = await app.ask(`${P}${path}`, { method: 'POST', body });
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
  return answer.text === '' ? null : answer.json;
}

export async function send(app: Caller, batch: object[]): Promise<void> {
  const body = { api_key: TEST_TOKEN, batch, historical_migration: true };
  const answer = await app.ask('/batch/', { method: 'POST', key: null, body });
  expect(answer.status, answer.text).toBe(200);
}

const DAY = 86_400_000;
const T0 = Date.UTC(2026, 10, 1, 8);

/** A project with something of all that is copied; `many`: events besides. */
export async function fillProject(app: Caller, many = 0): Promise<void> {
  const at = (days: number, ms = 0) => new Date(T0 + days * DAY + ms).toISOString();
  const group = (type: string, key: string, set: object, days: number) => ({
    event: '$groupidentify',
    distinct_id: 'lin',
    timestamp: at(days),
    properties: { $group_type: type, $group_key: key, $group_set: set },
  });
  await send(app, [
    group('workspace', 'w1', { plan: 'pro', seats: 4 }, 0),
    group('company', 'acme', { name: 'Acme', size: 12 }, 0),
    group('company', 'zeta', { name: 'Zeta', size: 3, gone: true }, 0),
  ]);
  await send(app, [
    {
      event: '$pageview',
      distinct_id: 'anon-1',
      timestamp: at(1),
      properties: {
        $current_url: 'https://a.test/p?utm_source=x',
        utm_source: 'x',
        $geoip_country_code: 'FR',
        $ip: '81.2.69.142',
      },
    },
    {
      event: '$identify',
      distinct_id: 'lin',
      timestamp: at(1, 5),
      properties: { $anon_distinct_id: 'anon-1', $set: { email: 'lin@shop.test', plan: 'pro' } },
    },
    {
      event: 'paid',
      distinct_id: 'lin',
      timestamp: at(2),
      properties: { amount: 12.5, big: 1, $groups: { company: 'acme', workspace: 'w1' } },
    },
    {
      event: 'paid',
      distinct_id: 'mo',
      timestamp: at(2),
      properties: { amount: 3, $set: { plan: 'free', age: 52 }, $groups: { company: 'zeta' } },
    },
    {
      event: '$autocapture',
      distinct_id: 'mo',
      timestamp: at(3),
      properties: {
        $event_type: 'click',
        $elements_chain: 'button.buy:text="Buy"nth-child="2"nth-of-type="1"',
      },
    },
    { event: 'seen', distinct_id: 'ghost', timestamp: at(3), properties: { $process_person_profile: false } },
    { event: 'paid', distinct_id: 'sam', timestamp: at(4), properties: { amount: 7, $set: { plan: 'pro' } } },
    // Arrives after a later one: the order of times is another.
    { event: '$set', distinct_id: 'sam', timestamp: at(3), properties: { $set: { plan: 'team' } } },
  ]);
  for (let from = 0; from < many; from += 500)
    await send(
      app,
      Array.from({ length: Math.min(500, many - from) }, (_, index) => ({
        event: 'seen',
        distinct_id: `u${(from + index) % 40}`,
        timestamp: at(5, (from + index) * 1000),
        properties: { n: from + index, $set: { last: from + index } },
      })),
    );
  // What no event has set.
  const persons = (await app.ask(`${P}persons/?search=lin@shop.test`)).json.results;
  await create(app, `persons/${persons[0].uuid}/update_property/`, { key: 'vip', value: true });
  const mo = (await app.ask(`${P}persons/?distinct_id=mo`)).json.results[0];
  await create(app, `persons/${mo.uuid}/delete_property/`, { $unset: 'age' });
  await create(app, 'groups/delete_property/?group_type_index=1&group_key=zeta', { $unset: 'gone' });

  const action = await create(app, 'actions/', {
    name: 'Paid much',
    steps: [{ event: 'paid', properties: [{ key: 'amount', type: 'event', operator: 'gt', value: 5 }] }],
  });
  // So that IDs of both sides differ.
  const spare = await create(app, 'cohorts/', {
    name: 'Spare',
    filters: ruleOf({ type: 'person', key: 'plan', operator: 'exact', value: ['free'] }),
  });
  await app.ask(`${P}cohorts/${spare.id}/`, { method: 'PATCH', body: { deleted: true } });
  const pro = await create(app, 'cohorts/', {
    name: 'Pro',
    description: 'Pays',
    filters: ruleOf({ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }),
  });
  const did = await create(app, 'cohorts/', {
    name: 'Did',
    filters: ruleOf({
      type: 'behavioral',
      value: 'performed_event',
      key: String(action.id),
      event_type: 'actions',
      time_value: 30,
      time_interval: 'day',
    }),
  });
  const both = await create(app, 'cohorts/', {
    name: 'Both',
    filters: {
      properties: {
        type: 'AND',
        values: [
          { type: 'cohort', key: 'id', value: pro.id },
          { type: 'cohort', key: 'id', value: did.id },
        ],
      },
    },
  });
  const fixed = await create(app, 'cohorts/', {
    name: 'Fixed',
    is_static: true,
    _create_static_person_ids: [persons[0].uuid, mo.uuid],
  });
  const variable = await create(app, 'insight_variables/', {
    name: 'Plan',
    type: 'String',
    default_value: 'pro',
  });

  await create(app, 'feature_flags/', {
    key: 'base',
    name: 'Base',
    filters: {
      groups: [
        {
          properties: [{ type: 'cohort', key: 'id', value: pro.id, operator: 'in' }],
          rollout_percentage: 100,
        },
      ],
    },
    tags: ['a'],
    _should_create_usage_dashboard: false,
  });
  const base = (await app.ask(`${P}feature_flags/?search=base`)).json.results[0];
  await create(app, 'feature_flags/', {
    key: 'on-top',
    filters: {
      groups: [
        { properties: [{ type: 'flag', key: String(base.id), operator: 'flag_evaluates_to', value: true }] },
      ],
      payloads: { true: '{"a":1}' },
    },
    _should_create_usage_dashboard: false,
  });
  await create(app, 'feature_flags/', {
    key: 'for-fixed',
    filters: { groups: [{ properties: [{ type: 'cohort', key: 'id', value: fixed.id }] }] },
    _should_create_usage_dashboard: false,
  });
  await create(app, 'feature_flags/', {
    key: 'by-company',
    filters: {
      aggregation_group_type_index: 1,
      groups: [
        {
          properties: [{ type: 'group', key: 'size', operator: 'gt', value: 5, group_type_index: 1 }],
          rollout_percentage: 100,
        },
      ],
    },
    _should_create_usage_dashboard: false,
  });
  await create(app, 'feature_flags/', {
    key: 'split',
    filters: {
      groups: [{ properties: [], rollout_percentage: 70 }],
      multivariate: {
        variants: [
          { key: 'a', rollout_percentage: 50 },
          { key: 'b', rollout_percentage: 50 },
        ],
      },
    },
    _should_create_usage_dashboard: false,
  });

  const dashboard = await create(app, 'dashboards/', {
    name: 'Money',
    description: 'All of it',
    tags: ['t'],
    pinned: true,
    filters: { properties: [{ type: 'cohort', key: 'id', value: pro.id }] },
  });
  const trend = (series: object, more: object = {}) => ({
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      dateRange: { date_from: '2026-11-01', date_to: '2026-11-10' },
      series: [series],
      ...more,
    },
  });
  await create(app, 'insights/', {
    name: 'Paid much',
    saved: true,
    dashboards: [dashboard.id],
    query: trend({ kind: 'ActionsNode', id: action.id, name: 'Paid much' }),
  });
  await create(app, 'insights/', {
    name: 'By cohort',
    saved: true,
    dashboards: [dashboard.id],
    query: trend(
      { kind: 'EventsNode', event: 'paid', math: 'unique_group', math_group_type_index: 1 },
      { breakdownFilter: { breakdown_type: 'cohort', breakdown: [pro.id, both.id] } },
    ),
  });
  await create(app, 'insights/', {
    name: 'SQL',
    saved: false,
    dashboards: [dashboard.id],
    query: {
      kind: 'DataVisualizationNode',
      source: {
        kind: 'HogQLQuery',
        query: `select count() from events where person_id in cohort ${both.id} and matchesAction('Paid much') and person.properties.plan = {variables.plan}`,
        variables: { [variable.id]: { variableId: variable.id, code_name: 'plan', value: 'pro' } },
      },
    },
  });
  await create(app, 'insights/', {
    name: 'Alone',
    saved: true,
    favorited: true,
    tags: ['x'],
    query: trend({ kind: 'EventsNode', event: 'seen' }),
  });
  const shown = await app.ask(`${P}dashboards/${dashboard.id}/`, {
    method: 'PATCH',
    body: {
      tiles: [{ text: { body: 'Read this' }, color: 'blue', layouts: { sm: { x: 0, y: 20, w: 6, h: 2 } } }],
    },
  });
  expect(shown.status, shown.text).toBe(200);
  const tiles = shown.json.tiles.map(({ id }: { id: number }, index: number) => ({
    id,
    layouts: { sm: { x: 0, y: 10 - index, w: 6, h: 3 } },
  }));
  await app.ask(`${P}dashboards/${dashboard.id}/`, { method: 'PATCH', body: { tiles } });
}

const ruleOf = (leaf: object) => ({ properties: { type: 'OR', values: [{ type: 'AND', values: [leaf] }] } });

export async function rowsOf(app: Caller, sql: string): Promise<unknown[][]> {
  const body = { query: { kind: 'HogQLQuery', query: sql }, refresh: 'force_blocking' };
  const answer = await app.ask(`${P}query/`, { method: 'POST', body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.results;
}

const FLEETING = new Set([
  'id',
  'short_id',
  'created_at',
  'updated_at',
  'last_modified_at',
  'last_refresh',
  'dashboard_id',
  'dashboards',
  'dashboard_tiles',
  'cache_target_age',
  'next_allowed_client_refresh',
  'is_cached',
  'uuid',
  'query_status',
  'filters_hash',
  'hogql',
  'version',
]);

/** JSON of the API without what differs from server to server: IDs and times. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !FLEETING.has(name))
      .map(([name, one]) => [name, comparable(one)]),
  );
}

async function listOf(app: Caller, path: string): Promise<any[]> {
  const answer = await app.ask(`${P}${path}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.results;
}

/** All that two copies of a project have in common. */
export async function contentOf(app: Caller): Promise<Record<string, unknown>> {
  const persons = (await rowsOf(app, 'select toString(id), properties from persons limit 1000')).map(
    ([id, text]) => [id, sortedJson(text)] as const,
  );
  const owners = await rowsOf(
    app,
    'select distinct_id, toString(person_id) from person_distinct_ids order by 1 limit 5000',
  );
  const idsOf = (id: unknown) => owners.filter(([, owner]) => owner === id).map(([distinctId]) => distinctId);
  const flags: Record<string, unknown> = {};
  for (const distinctId of ['lin', 'anon-1', 'mo', 'sam', 'ghost', 'u1', 'other']) {
    const body = {
      api_key: TEST_TOKEN,
      distinct_id: distinctId,
      groups: { company: 'acme', workspace: 'w1' },
    };
    const answer = (await app.ask('/flags/?v=2', { method: 'POST', key: null, body })).json;
    flags[distinctId] = Object.fromEntries(
      Object.entries<any>(answer.flags).map(([key, { enabled, variant, metadata }]) => [
        key,
        [enabled, variant ?? null, metadata?.payload ?? null],
      ]),
    );
  }
  const insights = (await listOf(app, 'insights/?limit=100')).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const answers: unknown[] = [];
  for (const { id } of insights)
    answers.push((await app.ask(`${P}insights/${id}/?refresh=force_blocking`)).json);
  const dashboards = await listOf(app, 'dashboards/');
  const wholes: unknown[] = [];
  for (const { id } of dashboards)
    wholes.push((await app.ask(`${P}dashboards/${id}/?refresh=force_blocking`)).json);
  return {
    events: (
      await rowsOf(
        app,
        `select toString(uuid), event, distinct_id, toString(timestamp), properties, elements_chain from events where properties.$import_job_id is null order by 1 limit 5000`,
      )
    ).map(([uuid, event, distinctId, time, properties, chain]) => {
      const { $geoip_disable: _, ...rest } = JSON.parse(String(properties));
      return [uuid, event, distinctId, time, sortedJson(JSON.stringify(rest)), chain];
    }),
    persons: persons
      .map(([id, properties]) => [idsOf(id), properties])
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    groups: (await rowsOf(app, 'select index, key, properties from groups order by 1, 2 limit 1000')).map(
      ([index, key, text]) => [index, key, sortedJson(text)],
    ),
    flags,
    cohorts: (await listOf(app, 'cohorts/'))
      .map(({ name, description, count, is_static: isStatic }) => [name, description, count, isStatic])
      .toSorted(),
    results: answers.map((one: any) => [
      one.name,
      one.description,
      one.tags,
      one.favorited,
      one.saved,
      comparable(strip(one.result)),
    ]),
    dashboards: wholes.map((one: any) => comparable(strip(one))),
  };
}

/** Queries name definitions by IDs of their server; what they answer is compared instead. */
function strip(value: any): any {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name]) =>
          ![
            'query',
            'filters',
            'variables',
            'filter',
            'action',
            'breakdown_value',
            'persons_urls',
            'distinct_id',
            'persons',
          ].includes(name),
      )
      .map(([name, one]) => [name, strip(one)]),
  );
}

function sortedJson(text: unknown): string {
  const value = JSON.parse(String(text || '{}')) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

export const COPIES = `${P}burrow/copies/`;

/** A server with a project, and one without. */
export async function openTwo(many = 0) {
  const source = await openTestApp();
  const target = await openTestApp();
  // IDs of the other side begin elsewhere.
  for (let index = 0; index < 3; index++)
    await create(target, 'cohorts/', {
      name: `Before ${index}`,
      filters: ruleOf({ type: 'person', key: 'x', operator: 'exact', value: ['1'] }),
    }).then(({ id }) => target.ask(`${P}cohorts/${id}/`, { method: 'PATCH', body: { deleted: true } }));
  await fillProject(source, many);
  await source.ask('/api/burrow/outgoing/graduate/', { method: 'PUT', body: { is_on: true } });
  return { source, target };
}

export async function graduate(source: TestApp, host: string, more: object = {}): Promise<any> {
  const body = { host, host_api_key: TEST_KEY, project_key: TEST_TOKEN, ...more };
  const answer = await source.ask(COPIES, { method: 'POST', body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

export async function ended(app: TestApp, id: string): Promise<any> {
  let found: any;
  await expect
    .poll(
      async () => {
        found = (await app.ask(`${COPIES}${id}/`)).json;
        return found.state;
      },
      { timeout: 60_000, interval: 50 },
    )
    .not.toBe('running');
  return found;
}
