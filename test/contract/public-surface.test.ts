import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';

/** Every unauthenticated request: method, path, and whether it has a body. `<token>` is the project's. */
const DOORS = [
  'POST /capture/',
  'POST /batch/',
  'POST /e/',
  'POST /i/v0/e/',
  'POST /track/',
  'POST /engage/',
  'POST /i/v0/ai/batch/',
  'POST /i/v0/ai/',
  'POST /i/v1/analytics/events/',
  'POST /i/v1/ai/events/',
  'POST /i/v1/logs/?token=<token>',
  'POST /s/',
  'POST /decide/?v=1',
  'POST /decide/?v=2',
  'POST /decide/?v=3',
  'POST /decide/?v=4',
  'GET /decide/?v=3',
  'POST /flags/',
  'POST /flags/?v=1',
  'POST /flags/?v=2',
  'POST /flags/?v=2&config=true',
  'GET /flags/',
  'GET /flags/definitions/?token=<token>',
  'GET /api/feature_flag/local_evaluation/?token=<token>',
  'GET /api/feature_flag/?token=<token>',
  'GET /api/projects/@current/feature_flags/new-checkout/remote_config/?token=<token>',
  'GET /array/<token>/config/',
  'GET /array/<token>/config.js/',
  'GET /array/<token>/array.js/',
  'GET /static/array.js/',
  'GET /api/surveys/?token=<token>',
  'GET /api/early_access_features/?token=<token>',
  'GET /_liveness/',
  'GET /_readiness/',
] as const;

const SECRETS = {
  email: 'grace@shop.example',
  name: 'Grace Hopper',
  group: 'navy-yard',
  event: 'secret sale',
};
const ORIGIN = 'https://shop.example';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
  const batch = [
    {
      event: SECRETS.event,
      distinct_id: 'grace',
      properties: { $set: { email: SECRETS.email, name: SECRETS.name }, $groups: { company: SECRETS.group } },
    },
    {
      event: '$groupidentify',
      distinct_id: 'grace',
      properties: { $group_type: 'company', $group_key: SECRETS.group, $group_set: { owner: SECRETS.email } },
    },
  ];
  const answer = await ask('POST /batch/', { body: { api_key: server.projectApiKey, batch } });
  expect(answer.status).toBe(200);
});
afterAll(() => server?.stop());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Asking {
  body?: object;
  headers?: Record<string, string>;
  /** Without the slash at the end of the path. */
  withoutSlash?: boolean;
}

/** Sends by node:http, because fetch neither sets the Host header nor returns redirects unfollowed. */
function ask(door: string, { body, headers = {}, withoutSlash = false }: Asking = {}): Promise<Answer> {
  const [method, target] = door.replaceAll('<token>', server.projectApiKey).split(' ') as [string, string];
  const path = withoutSlash ? target.replace(/\/(?=\?|$)/, '') : target;
  return new Promise((resolve, reject) => {
    const req = request(server.url + path, { method, agent: false, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
    });
    req.on('error', reject);
    req.end(method === 'POST' ? JSON.stringify(body ?? bodyFor(path)) : undefined);
  });
}

function bodyFor(path: string): object {
  const who = { api_key: server.projectApiKey, distinct_id: 'grace', groups: { company: SECRETS.group } };
  return path.startsWith('/engage')
    ? { $token: server.projectApiKey, $distinct_id: 'x', $set: {} }
    : { ...who, event: 'x' };
}

describe.each(DOORS)('%s', (door) => {
  test('12/redirect returns the same with and without the slash, and never a redirect', async () => {
    const [with_, without] = await Promise.all([ask(door), ask(door, { withoutSlash: true })]);
    expect(without.status).toBe(with_.status);
    expect(with_.status).not.toBe(404);
    expect(Math.floor(with_.status / 100)).not.toBe(3);
  });

  test('accepts any host name: containers have another name for this computer', async () => {
    const headers = { Host: 'host.docker.internal:2877' };
    expect((await ask(door, { headers })).status).toBe((await ask(door)).status);
  });

  test('returns no data about persons, groups, events or other keys', async () => {
    for (const headers of [{}, { Origin: ORIGIN }, { Authorization: `Bearer ${server.projectApiKey}` }]) {
      const { text, headers: answered } = await ask(door, { headers });
      const told = text + JSON.stringify(answered);
      for (const secret of [...Object.values(SECRETS), server.personalApiKey])
        expect(told).not.toContain(secret);
      expect(told.replaceAll(server.projectApiKey, '')).not.toMatch(/"?ph[xs]_[A-Za-z0-9]{8,}/);
    }
  });

  test('allows the requesting page to read the response, also an error', async () => {
    if (door.includes('/_')) return;
    for (const asking of [{}, { body: { api_key: 'phc_unknown', event: 'x', distinct_id: 'y' } }]) {
      const { headers } = await ask(door, { ...asking, headers: { Origin: ORIGIN } });
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Retry-After, ETag',
      });
    }
  });
});

describe('an unknown key', () => {
  test.each([
    ['POST /capture/', 401, 'invalid_api_key'],
    ['POST /batch/', 401, 'invalid_api_key'],
    ['POST /decide/?v=3', 401, 'invalid_api_key'],
    ['POST /flags/?v=2', 401, 'invalid_api_key'],
    ['GET /api/surveys/?token=phc_unknown', 401, 'invalid_api_key'],
    ['GET /api/early_access_features/?token=phc_unknown', 401, 'invalid_api_key'],
    ['GET /array/phc_unknown/config', 404, 'not_found'],
    ['GET /array/phc_unknown/config.js', 404, 'not_found'],
    ['GET /array/phc_unknown/array.js', 404, 'not_found'],
  ])('%s is %s %s', async (door, status, code) => {
    const answer = await ask(door, { body: { api_key: 'phc_unknown', event: 'x', distinct_id: 'y' } });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ code, attr: null });
  });
});
