import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn, filtersOnFlag, FLAGS, patchFlag } from '../../../test/support/app-flags.ts';
import { addMember } from '../../../test/support/members.ts';
import { createKey, createProject } from '../../../test/support/owner-calls.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { flagDefinitions, type FlagDefinitionsJson } from './feature-flags.contract.ts';

const DEFINITIONS = `/flags/definitions?token=${TEST_TOKEN}&send_cohorts`;

async function definitionsOf(app: TestApp, path = DEFINITIONS): Promise<FlagDefinitionsJson> {
  return flagDefinitions.parse((await app.ask(path)).json);
}

describe('2.2/definitions, 9.1, M9.1/local_evaluation flag definitions', () => {
  test.each([
    `/flags/definitions?token=${TEST_TOKEN}&send_cohorts`,
    `/flags/definitions/?token=${TEST_TOKEN}&send_cohorts=`,
    '/flags/definitions',
    '/flags/definitions?token=',
    `/api/feature_flag/local_evaluation?token=${TEST_TOKEN}&send_cohorts=true`,
    `/api/feature_flag/local_evaluation/?token=${TEST_TOKEN}`,
    '/api/projects/1/feature_flags/local_evaluation/',
    '/api/projects/@current/feature_flags/local_evaluation/',
    `/api/environments/1/feature_flags/local_evaluation?token=${TEST_TOKEN}`,
  ])('9.1 %s returns all parts', async (path) => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'new-nav', {
      name: 'The navigation',
      tags: ['a'],
      evaluation_tags: ['a'],
    });
    const answer = await app.ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('private, must-revalidate');
    expect(flagDefinitions.parse(answer.json)).toEqual({
      flags: [
        {
          id,
          team_id: 1,
          name: 'The navigation',
          key: 'new-nav',
          filters: { groups: [{ properties: [], rollout_percentage: null }] },
          deleted: false,
          active: true,
          ensure_experience_continuity: false,
          has_encrypted_payloads: false,
          version: 1,
          evaluation_runtime: 'all',
          bucketing_identifier: null,
          evaluation_tags: ['a'],
          property_matching_version: 2,
        },
      ],
      group_type_mapping: {},
      cohorts: {},
      property_matching_version: 2,
    });
  });

  test('9.3 inactive flags are included, deleted ones and those of other projects are not', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'gone');
    await createFlag(app, 'off', { active: false });
    await patchFlag(app, id, { deleted: true });
    const second = await createProject(app);
    await app.ask(`/api/projects/${second}/feature_flags/`, { method: 'POST', body: { key: 'elsewhere' } });
    expect((await definitionsOf(app)).flags.map(({ key, active }) => [key, active])).toEqual([
      ['off', false],
    ]);
  });

  test('9.3 unchanged definitions are 304 without a body, changed ones are returned immediately', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    const ask = async (etag: string) => {
      const answer = await app.ask(DEFINITIONS, { headers: { 'If-None-Match': etag } });
      return { status: answer.status, text: answer.text, etag: answer.headers['etag'] };
    };
    const { etag } = await ask('"none"');
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(await ask(etag!)).toEqual({ status: 304, text: '', etag });
    expect(await ask(`"other", ${etag}`)).toMatchObject({ status: 304 });
    await patchFlag(app, id, { active: false });
    const changed = await ask(etag!);
    expect(changed.status).toBe(200);
    expect(changed.etag).not.toBe(etag);
    // A type of groups that appears is a change too.
    const body = {
      api_key: TEST_TOKEN,
      event: 'e',
      distinct_id: 'u',
      properties: { $groups: { company: 'c' } },
    };
    await app.ask('/capture/', { method: 'POST', key: null, body });
    expect((await ask(changed.etag!)).status).toBe(200);
    expect((await definitionsOf(app)).group_type_mapping).toEqual({ 0: 'company' });
  });

  test('9.3 flags that others depend on are named by key, in the order of evaluation', async () => {
    const app = await openTestApp();
    const first = await createFlag(app, 'first');
    const second = await createFlag(app, 'second', { filters: filtersOnFlag(first.id) });
    await createFlag(app, 'third', { filters: filtersOnFlag(second.id, 'b') });
    const { flags } = await definitionsOf(app);
    const properties = flags.map((flag: any) => flag.filters.groups[0].properties[0]);
    expect(properties).toEqual([
      undefined,
      { key: 'first', type: 'flag', operator: 'flag_evaluates_to', value: true, dependency_chain: ['first'] },
      {
        key: 'second',
        type: 'flag',
        operator: 'flag_evaluates_to',
        value: 'b',
        dependency_chain: ['first', 'second'],
      },
    ]);
    // The API itself keeps ids.
    const { results } = (await app.ask(FLAGS)).json;
    expect(results[0].filters.groups[0].properties[0].key).toBe(String(second.id));
  });

  test('9.3 the older form of a holdout is returned as SDKs read it', async () => {
    const app = await openTestApp();
    const holdout_groups = [{ properties: [], rollout_percentage: 10, variant: 'holdout-7' }];
    await createFlag(app, 'a', { filters: { ...filtersOn([]), holdout_groups } });
    expect((await definitionsOf(app)).flags[0]!.filters).toMatchObject({
      holdout: { id: 7, exclusion_percentage: 10 },
    });
  });
});

describe('9.4 access to definitions', () => {
  test('12/definitions-error refused without a key, with an invalid one, or of another project', async () => {
    const app = await openTestApp();
    const second = await createProject(app);
    const keys = {
      events: await createKey(app, ['query:read']),
      elsewhere: await createKey(app, ['*'], { scoped_teams: [second] }),
    };
    const refusals: [path: string, key: string | null, status: number, code: string][] = [
      [DEFINITIONS, null, 401, 'not_authenticated'],
      [DEFINITIONS, 'phx_gone', 401, 'authentication_failed'],
      [DEFINITIONS, TEST_TOKEN, 401, 'authentication_failed'],
      ['/flags/definitions?token=phc_other', app.key, 401, 'authentication_failed'],
      ['/api/projects/99/feature_flags/local_evaluation/', keys.events, 404, 'not_found'],
      [DEFINITIONS, keys.elsewhere, 403, 'permission_denied'],
      [DEFINITIONS, keys.events, 403, 'permission_denied'],
    ];
    for (const [path, key, status, code] of refusals) {
      const answer = await app.ask(path, { key, headers: { 'If-None-Match': '*' } });
      expect([answer.status, answer.json]).toMatchObject([status, { code, attr: null }]);
    }
    expect((await app.ask(DEFINITIONS, { method: 'POST', body: {} })).status).toBe(405);
  });

  test('9.2 a key with feature_flag:read, or write, or everything', async () => {
    const app = await openTestApp();
    for (const scope of ['feature_flag:read', 'feature_flag:write', '*']) {
      const key = await createKey(app, [scope]);
      expect((await app.ask(DEFINITIONS, { key })).status).toBe(200);
    }
  });

  test('9.2 a member without access to the project is refused', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    expect((await lin.ask(DEFINITIONS)).status).toBe(200);
    const body = { access_level: 'none', organization_member: lin.membershipId };
    await app.ask('/api/projects/1/access_controls/', { method: 'PUT', body });
    const refused = await lin.ask(DEFINITIONS);
    expect([refused.status, refused.json.code]).toEqual([403, 'permission_denied']);
  });

  test("the console's cookie is not accepted here: pages of any origin may read this surface", async () => {
    const app = await openTestApp();
    const headers = { Cookie: `burrow_${app.port}=secret`, Origin: 'http://evil.example' };
    expect((await app.ask('/flags/definitions', { key: null, headers })).status).toBe(401);
  });
});

describe('9.6, M9.1/remote_config the payload of a remote-config flag', () => {
  const read = (app: TestApp, name: string | number, key?: string | null) =>
    app.ask(
      `/api/projects/@current/feature_flags/${name}/remote_config?token=${TEST_TOKEN}`,
      key === undefined ? {} : { key },
    );

  test.each([
    ['an object', { x: 1 }, '"{\\"x\\":1}"'],
    ['JSON text', '{"x": 1}', '"{\\"x\\": 1}"'],
    ['a text', '"hello"', '"\\"hello\\""'],
    ['a list', [1, 2], '"[1,2]"'],
  ])('9.6 is JSON text in a JSON text: %s', async (_what, payload, text) => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'settings', {
      is_remote_configuration: true,
      filters: { ...filtersOn([]), payloads: { true: payload } },
    });
    for (const name of ['settings', id]) {
      const answer = await read(app, name);
      expect(answer.text).toBe(text);
      expect(JSON.parse(answer.json)).toEqual(typeof payload === 'string' ? JSON.parse(payload) : payload);
    }
  });

  test('is null when the flag has none', async () => {
    const app = await openTestApp();
    await createFlag(app, 'settings', { is_remote_configuration: true });
    expect((await read(app, 'settings')).text).toBe('null');
  });

  test('2.2/remote-config-payload of no flag, of a flag that is not a configuration, of a deleted one: an empty 404', async () => {
    const app = await openTestApp();
    await createFlag(app, 'plain');
    const { id } = await createFlag(app, 'gone', { is_remote_configuration: true });
    await patchFlag(app, id, { deleted: true });
    for (const name of ['none', 'plain', 'gone', id, 99])
      expect(await read(app, name)).toMatchObject({ status: 404, text: '' });
  });

  test('needs a key that may read flags', async () => {
    const app = await openTestApp();
    await createFlag(app, 'settings', { is_remote_configuration: true });
    const events = await createKey(app, ['query:read']);
    expect((await read(app, 'settings', null)).status).toBe(401);
    expect((await read(app, 'settings', TEST_TOKEN)).status).toBe(401);
    expect((await read(app, 'settings', events)).status).toBe(403);
  });

  test('that is secret is returned only here', async () => {
    const app = await openTestApp();
    const filters = { ...filtersOn([]), payloads: { true: '"s3cret"' } };
    const { id } = await createFlag(app, 'settings', {
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters,
    });
    expect((await read(app, 'settings')).text).toContain('s3cret');
    await patchFlag(app, id, { filters: { ...filters, payloads: { true: '"s3cret2"' } } });
    for (const path of [
      DEFINITIONS,
      `/api/feature_flag/?token=${TEST_TOKEN}`,
      '/api/projects/1/activity_log/',
    ])
      expect((await app.ask(path)).text).not.toContain('s3cret');
    const body = { token: TEST_TOKEN, distinct_id: 'u' };
    for (const path of ['/flags/?v=2', '/decide/?v=3', '/decide/?v=4'])
      expect((await app.ask(path, { method: 'POST', key: null, body })).text).not.toContain('s3cret');
    // What was shown without telling is written back without forgetting.
    const redacted = { ...filters, payloads: { true: '"********* (encrypted)"' } };
    await patchFlag(app, id, { filters: redacted });
    expect((await read(app, 'settings')).text).toContain('s3cret2');
  });
});

describe('9.1 posthog-node 1', () => {
  test('reads flags and evaluates them locally', async () => {
    const app = await openTestApp();
    const email = { key: 'email', type: 'person', operator: 'exact', value: 'a@shop.example' };
    await createFlag(app, 'simple', { filters: filtersOn([], 40) });
    await createFlag(app, 'for-some', { filters: filtersOn([email]) });
    await createFlag(app, 'for-nobody', { filters: filtersOn([], 0) });
    await createFlag(app, 'off', { active: false });
    const { json } = await app.ask(`/api/feature_flag/?token=${TEST_TOKEN}`);
    expect(json).toMatchObject({ count: 4, next: null, previous: null });
    const seen = json.results.map((flag: any) => [
      flag.key,
      flag.active,
      flag.is_simple_flag,
      flag.rolloutPercentage,
    ]);
    expect(seen).toEqual([
      ['simple', true, true, 40],
      ['for-some', true, false, 100],
      ['for-nobody', true, false, 0],
      ['off', false, true, 100],
    ]);
    expect((await app.ask(`/api/feature_flag/?token=${TEST_TOKEN}`, { key: null })).status).toBe(401);
  });
});
