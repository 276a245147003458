import { describe, expect, test } from 'vitest';
import { findTestProject, servePublic, TEST_PROJECT } from '../../../test/support/serve-public.ts';
import type { Actor } from '../../http/define-route.ts';
import { flagDefinitionsSchema } from './feature-flags.contract.ts';
import { createFeatureFlags } from './index.ts';

const ACTOR: Actor = {
  user: { id: 1, uuid: 'u', email: 'owner@shop.example', firstName: '', distinctId: 'd' },
  organizationId: 'o',
  organizationLevel: 15,
  membershipId: 'm',
  scopes: ['feature_flag:read'],
  scopedProjects: [],
  scopedOrganizations: [],
  keyId: 'k',
  currentProjectId: 1,
};
const KEYS: Record<string, Actor> = {
  phx_reader: ACTOR,
  phx_writer: { ...ACTOR, scopes: ['feature_flag:write'] },
  phx_all: { ...ACTOR, scopes: ['*'] },
  phx_events: { ...ACTOR, scopes: ['query:read'] },
  phx_outside: { ...ACTOR, organizationLevel: 1, membershipId: 'outside' },
  phx_elsewhere: { ...ACTOR, scopedProjects: [2] },
};

function serve(): Promise<string> {
  return servePublic(
    createFeatureFlags({
      authenticate(credential) {
        const actor = credential.kind === 'key' ? KEYS[credential.key] : ACTOR;
        return actor === undefined ? null : { actor, isRenewed: false };
      },
      mayEnter: ({ membershipId }) => membershipId !== 'outside',
      projects: { find: (id) => (id === 1 ? TEST_PROJECT : null), findByToken: findTestProject },
    }).publicRoutes!,
  );
}

function get(url: string, key: string | null, headers: Record<string, string> = {}): Promise<Response> {
  const credential: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` };
  return fetch(url, { headers: { ...credential, ...headers }, redirect: 'manual' });
}

describe('2.2/definitions flag definitions', () => {
  test.each([
    '/flags/definitions?token=phc_shop&send_cohorts',
    '/flags/definitions/?token=phc_shop&send_cohorts=',
    '/flags/definitions',
    '/flags/definitions?token=',
    '/api/feature_flag/local_evaluation?token=phc_shop&send_cohorts=true',
    '/api/feature_flag/local_evaluation/?token=phc_shop',
    '/api/projects/1/feature_flags/local_evaluation/',
    '/api/projects/@current/feature_flags/local_evaluation/',
    '/api/environments/1/feature_flags/local_evaluation?token=phc_shop',
  ])('%s answers all three parts', async (path) => {
    const answer = await get((await serve()) + path, 'phx_reader');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, must-revalidate');
    const body: unknown = await answer.json();
    expect(flagDefinitionsSchema.strict().parse(body)).toEqual({
      flags: [],
      group_type_mapping: {},
      cohorts: {},
    });
  });

  test('unchanged definitions are 304 without a body', async () => {
    const url = `${await serve()}/flags/definitions?token=phc_shop&send_cohorts`;
    const etag = (await get(url, 'phx_reader')).headers.get('etag')!;
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const again = await get(url, 'phx_reader', { 'If-None-Match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await get(url, 'phx_reader', { 'If-None-Match': '"defs-1"' })).status).toBe(200);
  });

  test.each([
    ['no key', '/flags/definitions?token=phc_shop', null, 401, 'not_authenticated'],
    ['an unknown key', '/flags/definitions?token=phc_shop', 'phx_gone', 401, 'authentication_failed'],
    ['a project token', '/flags/definitions?token=phc_shop', 'phc_shop', 401, 'authentication_failed'],
    ['an unknown token', '/flags/definitions?token=phc_other', 'phx_all', 401, 'authentication_failed'],
    ['an unknown project', '/api/projects/9/feature_flags/local_evaluation/', 'phx_events', 404, 'not_found'],
    [
      'a key of another project',
      '/flags/definitions?token=phc_shop',
      'phx_elsewhere',
      403,
      'permission_denied',
    ],
    [
      'a member whom the project is closed to',
      '/flags/definitions?token=phc_shop',
      'phx_outside',
      403,
      'permission_denied',
    ],
    ['a key without the scope', '/flags/definitions?token=phc_shop', 'phx_events', 403, 'permission_denied'],
  ])('12/definitions-error %s is refused', async (_name, path, key, status, code) => {
    const answer = await get((await serve()) + path, key, { 'If-None-Match': '*' });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, attr: null });
  });

  test.each(['phx_writer', 'phx_all'])('%s may read', async (key) => {
    expect((await get(`${await serve()}/flags/definitions`, key)).status).toBe(200);
  });

  test("the console's cookie opens nothing here: pages of any origin may read this surface", async () => {
    const url = await serve();
    const cookie = `burrow_${new URL(url).port}=secret`;
    const answer = await get(`${url}/flags/definitions`, null, {
      Cookie: cookie,
      Origin: 'http://evil.example',
    });
    expect(answer.status).toBe(401);
  });

  test.each([
    ['phx_reader', 404, 'not_found'],
    [null, 401, 'not_authenticated'],
    ['phx_gone', 401, 'authentication_failed'],
    ['phx_events', 403, 'permission_denied'],
  ])(
    '2.2/remote-config-payload with the key %s of a flag that is not there: %s',
    async (key, status, code) => {
      const url = await serve();
      for (const path of [
        '/api/projects/@current/feature_flags/x/remote_config',
        '/api/projects/1/feature_flags/x/remote_config/',
      ]) {
        const answer = await get(`${url}${path}?token=phc_shop`, key);
        expect(answer.status).toBe(status);
        expect(await answer.json()).toMatchObject({ code, attr: null });
      }
    },
  );

  test('other methods are 405', async () => {
    const answer = await fetch(`${await serve()}/flags/definitions`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(405);
  });

  test('posthog-node 1 gets an empty page of flags', async () => {
    const answer = await get(`${await serve()}/api/feature_flag/?token=phc_shop`, 'phx_reader');
    expect(await answer.json()).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect((await get(`${await serve()}/api/feature_flag/?token=phc_shop`, null)).status).toBe(401);
  });
});
