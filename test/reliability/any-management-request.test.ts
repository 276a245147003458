import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OpenApiDocument } from '../../server/features/api-reference/index.ts';
import { SEED } from '../support/chance.ts';
import { createKnownIds, type KnownIds } from '../support/known-ids.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp } from '../support/test-app.ts';
import { fillRequest, requestsOf, type Planned, type Sender } from './management-requests.ts';
import { contradictionsIn, fingerprintOf } from './management-store.ts';

/**
 * Each walk is an app of its own, and replays from its seed: `FUZZ_SEED=<seed> npx vitest -t 'walk 1 '`. The same seeds
 * find the same: more walks are worth their minutes with another seed.
 */
const WALKS = Number(process.env['FUZZ_WALKS'] ?? 8);
/** Each walk has groups of requests, sent one after another or concurrently. */
const GROUPS = Number(process.env['FUZZ_GROUPS'] ?? 250);
const GROUP_SIZE = 4;

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

interface Got {
  status: number;
  /** Whether the body is one JSON value. */
  isJson: boolean;
  text: string;
}

interface Walk {
  app: TestApp;
  document: OpenApiDocument;
  ids: KnownIds;
  keys: Readonly<Record<Sender, string | null>>;
  agent: Agent;
}

/** Operation, in one family -> how many requests of all walks it has answered with a success. */
const reached = new Map<string, number>();
/** Every operation that may succeed, in one family. */
const offered = new Set<string>();

describe('the management API', () => {
  test.each(Array.from({ length: WALKS }, (_, index) => ({ walk: index + 1, seed: SEED + index })))(
    `answers any request as documented, and keeps its rows consistent: walk $walk (FUZZ_SEED=$seed)`,
    async ({ seed }) => {
      let walk = await begin();
      const group = fc.array(requestsOf(walk.document), { minLength: GROUP_SIZE, maxLength: GROUP_SIZE });
      const property = fc.asyncProperty(group, fc.boolean(), async (requests, atOnce) => {
        if (!(await isAlive(walk))) {
          await end(walk);
          walk = await begin();
        }
        if (atOnce) await Promise.all(requests.map((planned) => ask(walk, planned)));
        else for (const [index, planned] of requests.entries()) await ask(walk, planned, index === 0);
      });
      await fc.assert(property, { seed, numRuns: GROUPS, endOnFailure: true });
      await end(walk);
    },
  );

  test('has at least four fifths of its operations reached by these walks', (context) => {
    context.skip(WALKS < 8, 'Fewer than eight walks do not reach most routes. Take more with: FUZZ_WALKS=8');
    const missed = [...offered].filter((operation) => !reached.has(operation));
    expect(missed.length, missed.join('\n')).toBeLessThan(offered.size / 5);
  });
});

/** A walk may delete its own key or its project, and continues in a new app then. */
async function isAlive({ app }: Walk): Promise<boolean> {
  return (await app.ask('/api/projects/1/')).status === 200;
}

async function end(walk: Walk): Promise<void> {
  const { store, errors } = walk.app;
  expect(await contradictionsIn(store.db)).toEqual([]);
  expect(await miscountedIn(walk)).toEqual([]);
  expect(errors).toEqual([]);
}

/**
 * Sends a request and throws when its answer is none that the API may give. `isWatched`: and when it is refused, and has
 * written all the same.
 */
async function ask(walk: Walk, planned: Planned, isWatched = false): Promise<void> {
  const { app } = walk;
  const sent = requestFor(walk, planned);
  const before = isWatched && isWrite(sent) ? await fingerprintOf(app.store.db) : null;
  const got = await send(walk, sent);
  const { method, path, headers, body } = sent;
  const told = `${method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 2_000)}\n-> ${got.status} ${got.text.slice(0, 500)}`;
  if (got.status >= 500) throw new Error(`A server error: ${told}\n${lastErrorOf(walk)}`);
  if (app.faults.length > 0) throw new Error(`${app.faults.join('\n')}\n${told}`);
  if (before !== null && got.status >= 400 && (await fingerprintOf(app.store.db)) !== before) {
    throw new Error(`Refused, and written all the same: ${told}`);
  }
  if (method === 'POST' && planned.template === '/api/burrow/demo/' && got.status < 300)
    await endDemo(walk, got);
  learn(walk, planned.template, got);
  const operation = `${method} ${planned.template.replace('/environments/', '/projects/')}`;
  if (got.status < 300) reached.set(operation, (reached.get(operation) ?? 0) + 1);
}

/** Demo data is written after its answer, and what is written while another request is refused would be taken for that one's. */
async function endDemo({ app }: Walk, { text }: Got): Promise<void> {
  const { id } = JSON.parse(text) as { id: number };
  const { status } = await app.ask(`/api/burrow/demo/${id}/`, { method: 'DELETE', key: TEST_KEY });
  expect([204, 404]).toContain(status);
}

/** An app with a second member, a key that may only read dashboards, and some events to list. */
async function begin(): Promise<Walk> {
  const app = await openTestApp();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const post = async (path: string, body: object, key = TEST_KEY): Promise<Record<string, string>> =>
    (await app.ask(path, { method: 'POST', key, body })).json as Record<string, string>;
  const member = await post('/api/organizations/@current/members/', {
    email: 'lin@example.com',
    first_name: 'Lin',
  });
  const reader = await post('/api/personal_api_keys/', { label: 'reader', scopes: ['dashboard:read'] });
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch: EVENTS } });
  const document = (await app.ask('/openapi.json')).json as OpenApiDocument;
  const keys = {
    owner: TEST_KEY,
    member: member['personal_api_key']!,
    reader: reader['value']!,
    nobody: null,
    stranger: 'phx_unknown',
    token: TEST_TOKEN,
  };
  const walk = { app, agent, document, keys, ids: createKnownIds() };
  for (const path of [
    'persons',
    'event_definitions',
    'property_definitions',
    'events',
    'dashboard_templates',
  ]) {
    walk.ids.learn(path, (await app.ask(`/api/projects/1/${path}/`)).json);
  }
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { tags, responses }] of Object.entries(item)) {
      const succeeds = Object.keys(responses).some((status) => Number(status) < 300);
      if (succeeds && !tags.includes('public') && !path.startsWith('/api/environments/')) {
        offered.add(`${method.toUpperCase()} ${path}`);
      }
    }
  }
  walk.ids.learn('members', (await app.ask('/api/organizations/@current/members/')).json);
  for (const [path, body] of FIRST) {
    const answer = await app.ask(`/api/projects/1/${path}/`, { method: 'POST', body });
    expect(answer.status, path).toBe(201);
    walk.ids.learn(path.replaceAll(/\d+/g, '{id}'), answer.json);
  }
  return walk;
}

const QUERY = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }] },
};

/** The objects at the start of a walk, so that requests find some. */
const FIRST: readonly (readonly [path: string, body: object])[] = [
  ['dashboards', { name: 'Weekly', tags: ['ops'] }],
  ['dashboards', { name: 'Board', restriction_level: 37 }],
  ['insights', { name: 'Signups', query: QUERY, dashboards: [1] }],
  ['insights', { name: 'Paid', query: QUERY, dashboards: [1, 2] }],
  ['dashboards/1/tiles', { text: { body: 'Numbers of the week' } }],
  ['actions', { name: 'Signed up', steps: [{ event: 'signup' }] }],
  ['annotations', { content: 'Release', date_marker: '2026-11-19T00:00:00Z' }],
  ['insight_variables', { name: 'Plan', type: 'String' }],
  ['groups', { group_type_index: 0, group_key: 'globex' }],
  [
    'cohorts',
    {
      name: 'Free',
      filters: { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'free' }] } },
    },
  ],
  ['cohorts', { name: 'Testers', is_static: true, csv: 'ana' }],
  [
    'feature_flags',
    { key: 'checkout', filters: { groups: [{ properties: [{ key: 'id', type: 'cohort', value: 1 }] }] } },
  ],
  ['feature_flags', { key: 'search' }],
  ['early_access_feature', { name: 'New search', stage: 'beta', feature_flag_id: 2 }],
  [
    'surveys',
    { name: 'Likes', type: 'popover', questions: [{ type: 'open', question: 'What?' }], linked_flag_id: 1 },
  ],
];

function isWrite({ method }: Sent): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** What the server logged of its last failure. */
function lastErrorOf({ app }: Walk): string {
  const { err, ...rest } = (app.errors.at(-1)?.fields ?? {}) as { err?: Error };
  return `${JSON.stringify(rest)} ${err?.stack ?? ''}`;
}

const EVENTS = ['signup', '$pageview', 'paid'].flatMap((event, index) =>
  ['ana', 'ben'].map((id) => ({
    event,
    distinct_id: id,
    timestamp: new Date(Date.UTC(2026, 10, 19, index)).toISOString(),
    properties: { plan: 'free', $set: { email: `${id}@example.com` }, $groups: { company: 'acme' } },
  })),
);

function requestFor({ ids, keys }: Walk, planned: Planned): Sent {
  const { headers, ...request } = fillRequest(planned, ids);
  const key = keys[planned.sender];
  return { ...request, headers: { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), ...headers } };
}

/** Sends it over a kept connection; a stream is left as soon as it begins. Rejects when no answer comes. */
function send({ app, agent }: Walk, { method, path, headers, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const req = request(
      {
        port: app.port,
        host: '127.0.0.1',
        method,
        path,
        agent,
        headers: { ...headers, ...length },
        timeout: PATIENCE_MS,
      },
      (res) => {
        const status = res.statusCode ?? 0;
        if (res.headers['content-type'] === 'text/event-stream') {
          res.destroy();
          return resolve({ status, isJson: false, text: '' });
        }
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (piece: string) => (text += piece));
        const isJson = /^application\/json\b/.test(res.headers['content-type'] ?? '');
        res.on('end', () => resolve({ status, isJson, text }));
        res.on('error', reject);
      },
    );
    req.on('timeout', () => req.destroy(new Error(`No answer within ${PATIENCE_MS} ms: ${method} ${path}`)));
    req.on('error', reject);
    req.end(body ?? undefined);
  });
}

function learn({ ids }: Walk, template: string, { status, isJson, text }: Got): void {
  if (status >= 300 || !isJson || text === '') return;
  ids.learn(template, JSON.parse(text));
}

/** Lists whose `count` is not the number of objects on their pages, or that show one twice. */
async function miscountedIn({ app, document }: Walk): Promise<string[]> {
  const lists = Object.entries(document.paths).filter(
    ([path, { get }]) =>
      path.startsWith('/api/projects/{project_id}/') &&
      path.split('{').length === 2 &&
      get?.parameters.some(({ name }) => name === 'offset') &&
      get.parameters.every(({ required, in: place }) => place === 'path' || !required),
  );
  const wrong: string[] = [];
  for (const [path] of lists) {
    const ids: unknown[] = [];
    let count = 0;
    let next: string | null = `${path.replace('{project_id}', '1')}?limit=7`;
    while (next !== null) {
      const { status, json } = await app.ask(next);
      if (status !== 200) break;
      const page = json as { count?: number; next: string | null; results: { id?: unknown }[] };
      count = page.count ?? ids.length + page.results.length;
      ids.push(...page.results.map((item) => item.id ?? JSON.stringify(item)));
      next = page.next === null ? null : page.next.slice(app.url.length);
    }
    if (ids.length !== count) wrong.push(`${path}: counts ${count}, and shows ${ids.length}`);
    if (new Set(ids).size !== ids.length) wrong.push(`${path}: shows one twice`);
  }
  return wrong;
}
