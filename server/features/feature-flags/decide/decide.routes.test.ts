import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  findTestProject,
  servePublic,
  TEST_NOW,
  TEST_PROJECT,
} from '../../../../test/support/serve-public.ts';
import { createTokenBuckets, type TokenBuckets } from '../../../http/token-buckets.ts';
import { createRemoteConfigs } from '../../remote-config/index.ts';
import { decideRoutes } from './decide.routes.ts';
import { NO_FLAGS, type EvaluationOptions } from './evaluation.ts';
import type { EvaluateFlags } from './evaluation.ts';
import type { FlagsRequest } from './decide.contract.ts';

const NO_SETTINGS = {};
const NEW_ID = '0190f0c1-2222-7000-8000-000000000001';
const ORIGIN = 'http://shop.example';
const ASKED = { api_key: 'phc_shop', distinct_id: 'u1' };
const SEED_CONFIG = {
  config: { enable_collect_everything: true },
  toolbarParams: {},
  isAuthenticated: false,
};
const { besideFlags } = createRemoteConfigs(
  () => [],
  () => NO_SETTINGS,
);
const CONFIG = { ...SEED_CONFIG, ...besideFlags(TEST_PROJECT) };
const STAMP = { requestId: NEW_ID, evaluatedAt: TEST_NOW };

function serve(
  evaluateFlags: EvaluateFlags = () => NO_FLAGS,
  limiter: TokenBuckets | null = null,
): Promise<string> {
  return servePublic(
    decideRoutes({
      findProject: findTestProject,
      remoteConfig: besideFlags,
      newId: () => NEW_ID,
      maxBodyBytes: 100_000,
      limiter,
      evaluateFlags,
    }),
  );
}

/** An evaluator that records its inputs. */
function recorder(): { asked: FlagsRequest[]; askings: EvaluationOptions[]; evaluate: EvaluateFlags } {
  const asked: FlagsRequest[] = [];
  const askings: EvaluationOptions[] = [];
  return {
    asked,
    askings,
    evaluate: (_project, request, asking) => {
      asked.push(request);
      askings.push(asking);
      return NO_FLAGS;
    },
  };
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const raw =
    typeof body === 'string' || body instanceof Uint8Array ? new Blob([body]) : JSON.stringify(body);
  return fetch(url, {
    method: 'POST',
    body: raw,
    headers: { Origin: ORIGIN, ...headers },
    redirect: 'manual',
  });
}

describe('2.1/decide, 2.2/flags a project without flags', () => {
  test.each([
    ['/decide', { featureFlags: [] }],
    ['/decide/', { featureFlags: [] }],
    ['/decide/?v=1', { featureFlags: [] }],
    ['/decide/?v=2', { featureFlags: {} }],
    ['/decide?v=3', { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false }],
    ['/decide/?v=4', { flags: {}, errorsWhileComputingFlags: false }],
    ['/flags', { flags: {}, errorsWhileComputingFlags: false }],
    ['/flags/?v=2&config=true', { flags: {}, errorsWhileComputingFlags: false }],
  ])('%s returns the flags and the whole configuration', async (path, flags) => {
    const answer = await post((await serve()) + path, ASKED);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ ...CONFIG, ...flags, ...STAMP });
  });

  test.each([
    ['/flags/?v=2', { flags: {}, errorsWhileComputingFlags: false }],
    ['/flags?v=1', { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false }],
  ])('%s returns the flags only', async (path, flags) => {
    const answer = await post((await serve()) + path, ASKED);
    expect(await answer.json()).toEqual({ ...flags, ...STAMP });
  });
});

describe('8.2 request id', () => {
  test('a UUID of the client is returned, anything else is replaced', async () => {
    const url = `${await serve()}/flags/?v=2`;
    const own = '7d6a1f0e-3b52-4f4e-9c0a-1f6c2b3d4e5f';
    const echoed = await post(url, ASKED, { 'X-Request-Id': own });
    expect(await echoed.json()).toMatchObject({ requestId: own });
    const replaced = await post(url, ASKED, { 'X-Request-Id': 'mine' });
    expect(await replaced.json()).toMatchObject({ requestId: NEW_ID });
  });
});

describe('7.1, 7.2 reading a request', () => {
  const base64 = Buffer.from(JSON.stringify(ASKED)).toString('base64');
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  test.each([
    ['JSON', '', JSON.stringify(ASKED), { 'Content-Type': 'application/json' }],
    ['JSON as text/plain', '', JSON.stringify(ASKED), { 'Content-Type': 'text/plain' }],
    ['gzip with nothing that says so', '', gzipSync(JSON.stringify(ASKED)), { 'Content-Type': 'text/plain' }],
    ['gzip by header', '', gzipSync(JSON.stringify(ASKED)), { 'Content-Encoding': 'gzip' }],
    ['gzip-js by query', '&compression=gzip-js', gzipSync(JSON.stringify(ASKED)), {}],
    ['a base64 form', '', `data=${encodeURIComponent(base64)}`, form],
    ['a base64 form with a hint', '&compression=base64', `data=${encodeURIComponent(base64)}`, form],
    ['NaN and Infinity', '', '{"api_key":"phc_shop","distinct_id":"u1","person_properties":{"a":NaN}}', {}],
  ])('%s', async (_name, query, body, headers) => {
    const { asked, evaluate } = recorder();
    const answer = await post(
      `${await serve(evaluate)}/decide/?v=3${query}`,
      body,
      headers as Record<string, string>,
    );
    expect(answer.status).toBe(200);
    expect(asked).toMatchObject([{ distinctId: 'u1' }]);
  });

  test('all spellings of a field are equivalent', async () => {
    const { asked, evaluate } = recorder();
    const url = `${await serve(evaluate)}/flags/?v=2`;
    const plain = {
      api_key: 'phc_shop',
      distinct_id: 'u1',
      anon_distinct_id: 'a1',
      device_id: 'd1',
      flag_keys: ['x'],
      evaluation_environments: ['prod'],
    };
    const dollar = {
      $token: ' phc_shop ',
      $distinct_id: 'u1',
      $anon_distinct_id: 'a1',
      $device_id: 'd1',
      flag_keys_to_evaluate: ['x'],
      evaluation_contexts: ['prod'],
    };
    expect((await post(url, plain)).status).toBe(200);
    expect((await post(url, dollar)).status).toBe(200);
    expect(asked[0]).toEqual(asked[1]);
    expect(asked[0]).toEqual({
      distinctId: 'u1',
      anonDistinctId: 'a1',
      deviceId: 'd1',
      groups: {},
      personProperties: {},
      groupProperties: {},
      geoipDisable: false,
      disableFlags: false,
      flagKeys: ['x'],
      evaluationRuntime: null,
      evaluationContexts: ['prod'],
      timezone: null,
    });
  });

  test('the key may also be in the query', async () => {
    const url = `${await serve()}/flags/?v=2&token=phc_shop`;
    expect((await post(url, { distinct_id: 'u1' })).status).toBe(200);
  });

  test('null is the same as absent, and unknown keys are ignored', async () => {
    const { asked, evaluate } = recorder();
    const nulls = {
      ...ASKED,
      device_id: null,
      groups: null,
      person_properties: null,
      group_properties: { company: null },
      geoip_disable: null,
      disable_flags: null,
      flag_keys_to_evaluate: null,
      something_new: { deep: [1] },
    };
    expect((await post(`${await serve(evaluate)}/flags/?v=2`, nulls)).status).toBe(200);
    expect(asked).toMatchObject([
      { deviceId: null, groups: {}, personProperties: {}, groupProperties: { company: {} }, flagKeys: null },
    ]);
  });

  test('group keys and distinct ids that are numbers become text', async () => {
    const { asked, evaluate } = recorder();
    const body = {
      api_key: 'phc_shop',
      distinct_id: 42,
      groups: { company: 7, team: 'red', odd: {}, none: null },
    };
    expect((await post(`${await serve(evaluate)}/flags/?v=2`, body)).status).toBe(200);
    expect(asked).toMatchObject([{ distinctId: '42', groups: { company: '7', team: 'red' } }]);
  });

  test('an empty distinct id is evaluated', async () => {
    const { asked, evaluate } = recorder();
    const answer = await post(`${await serve(evaluate)}/decide/?v=3`, {
      api_key: 'phc_shop',
      distinct_id: '',
    });
    expect(answer.status).toBe(200);
    expect(asked).toMatchObject([{ distinctId: '' }]);
  });

  test('7.9 disable_flags skips the evaluation and returns no flags', async () => {
    const { asked, evaluate } = recorder();
    const answer = await post(`${await serve(evaluate)}/decide/?v=3`, { ...ASKED, disable_flags: true });
    expect(await answer.json()).toMatchObject({ featureFlags: {}, errorsWhileComputingFlags: false });
    expect(asked).toEqual([]);
  });
});

describe('12/flags-error, 7.6 refusals', () => {
  test.each([
    ['no key', { distinct_id: 'u1' }, 401, 'authentication_error', 'no_api_key'],
    ['an empty key', { api_key: '', distinct_id: 'u1' }, 401, 'authentication_error', 'no_api_key'],
    ['a blank key', { api_key: ' ', distinct_id: 'u1' }, 401, 'authentication_error', 'no_api_key'],
    ['no body', '', 401, 'authentication_error', 'no_api_key'],
    [
      'an unknown key',
      { api_key: 'phc_other', distinct_id: 'u1' },
      401,
      'authentication_error',
      'invalid_api_key',
    ],
    [
      'a key that is not a text',
      { api_key: 5, distinct_id: 'u1' },
      401,
      'authentication_error',
      'invalid_api_key',
    ],
    [
      'an unknown key without a distinct id',
      { api_key: 'phc_other' },
      401,
      'authentication_error',
      'invalid_api_key',
    ],
    ['nobody', { api_key: 'phc_shop' }, 400, 'validation_error', 'missing_distinct_id'],
    [
      'null for the distinct id',
      { ...ASKED, distinct_id: null },
      400,
      'validation_error',
      'missing_distinct_id',
    ],
    ['no JSON', 'hello', 400, 'validation_error', 'malformed_data'],
    ['broken JSON', '{"api_key":', 400, 'validation_error', 'malformed_data'],
    ['a list', [ASKED], 400, 'validation_error', 'malformed_data'],
    ['groups that are no object', { ...ASKED, groups: 'acme' }, 400, 'validation_error', 'malformed_data'],
    ['broken gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2]), 400, 'validation_error', 'malformed_data'],
    ['too many bytes', 'x'.repeat(100_001), 413, 'validation_error', 'payload_too_large'],
    [
      'a bomb',
      gzipSync(Buffer.alloc(21 * 1024 * 1024, ' '), { level: 9 }),
      413,
      'validation_error',
      'payload_too_large',
    ],
  ])('%s', async (_name, body, status, type, code) => {
    const url = await serve();
    for (const path of ['/decide/?v=3', '/flags/?v=2']) {
      const answer = await post(url + path, body);
      expect(answer.status).toBe(status);
      const error = (await answer.json()) as Record<string, unknown>;
      expect(error).toMatchObject({ type, code, attr: null });
      expect(Object.keys(error)).toEqual(['type', 'code', 'detail', 'attr']);
      // Without these headers a browser cannot tell a refusal from a dead server, and asks again.
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    }
  });

  test('no response repeats what was sent about a person', async () => {
    const url = await serve();
    const secret = {
      ...ASKED,
      person_properties: { email: 'lin@shop.example' },
      groups: { company: 'acme' },
    };
    for (const path of ['/decide/?v=1', '/decide/?v=3', '/decide/?v=4', '/flags/?v=2&config=true']) {
      expect(await (await post(url + path, secret)).text()).not.toMatch(/lin@|acme|u1/);
      expect(await (await post(url + path, { ...secret, groups: 'acme' })).text()).not.toMatch(
        /lin@|acme|u1/,
      );
    }
  });
});

describe('13/flags, 8.7 limits', () => {
  const buckets = { burst: 2, perSecond: 0.5 };

  test('a request over the limit is 429 with Retry-After, counted for /flags and /decide together', async () => {
    let now = TEST_NOW;
    const url = await serve(undefined, createTokenBuckets({ ...buckets, clock: () => now }));
    expect((await post(`${url}/flags/?v=2`, ASKED)).status).toBe(200);
    expect((await post(`${url}/decide/?v=3`, ASKED)).status).toBe(200);
    const refused = await post(`${url}/flags/?v=2`, ASKED);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(await refused.json()).toEqual({
      type: 'validation_error',
      code: 'rate_limit_exceeded',
      detail: expect.any(String) as string,
      attr: null,
    });
    now += 2_000;
    expect((await post(`${url}/flags/?v=2`, ASKED)).status).toBe(200);
  });

  test('a refused request does not count against any limit', async () => {
    const url = await serve(undefined, createTokenBuckets({ ...buckets, clock: () => TEST_NOW }));
    for (let n = 0; n < 3; n++) {
      expect((await post(`${url}/flags/?v=2`, { ...ASKED, api_key: 'phc_other' })).status).toBe(401);
    }
    expect((await post(`${url}/flags/?v=2`, ASKED)).status).toBe(200);
  });
});

describe('7.7 other methods', () => {
  test.each([
    ['/decide', { ...SEED_CONFIG, featureFlags: [] }],
    [
      '/decide/?v=3',
      { ...SEED_CONFIG, featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false },
    ],
    ['/flags/?v=2', { flags: {}, errorsWhileComputingFlags: false }],
    ['/flags', { ...SEED_CONFIG, flags: {}, errorsWhileComputingFlags: false }],
  ])('GET %s is a document without flags and without a project', async (path, document) => {
    const url = (await serve()) + path;
    const got = await fetch(url);
    expect(got.status).toBe(200);
    const body = (await got.json()) as Record<string, unknown>;
    expect(body).toMatchObject(document);
    expect(body).not.toHaveProperty('token');
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('a preflight allows the page, its headers and a private network', async () => {
    const url = await serve();
    for (const path of ['/decide/?v=3', '/flags/?v=2']) {
      const answer = await fetch(url + path, {
        method: 'OPTIONS',
        headers: {
          Origin: ORIGIN,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-posthog-session-id',
          'Access-Control-Request-Private-Network': 'true',
        },
      });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        allow: 'GET, HEAD, POST, OPTIONS',
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
        'access-control-allow-headers': 'content-type,x-posthog-session-id',
        'access-control-allow-private-network': 'true',
        'access-control-max-age': '86400',
      });
    }
  });

  test('PUT is 405 with the allowed methods', async () => {
    const answer = await fetch(`${await serve()}/flags/`, { method: 'PUT', headers: { Origin: ORIGIN } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});
