import { describe, expect, test } from 'vitest';
import { createFlag, FLAGS } from '../../../test/support/app-flags.ts';
import { addMember } from '../../../test/support/members.ts';
import { createProject, expectStatus } from '../../../test/support/owner-calls.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';
const patch = (app: TestApp, path: string) => app.ask(path, { method: 'PATCH', body: {} });
const rotate = async (app: TestApp, projectId = 1): Promise<string> =>
  expectStatus(200, await patch(app, `/api/projects/${projectId}/rotate_secret_token/`)).json
    .secret_api_token;
const statusOf = async (app: TestApp, key: string, path = '/flags/definitions') =>
  (await app.ask(path, { key })).status;

describe('9.2 a project secret key', () => {
  test('9.2 reads flag definitions and remote configuration of its project, under every path', async () => {
    const app = await openTestApp();
    await createFlag(app, 'settings', {
      is_remote_configuration: true,
      filters: { groups: [{}], payloads: { true: '1' } },
    });
    const key = await rotate(app);
    expect(key).toMatch(/^phs_[0-9A-Za-z]{40,}$/);
    for (const path of [
      '/flags/definitions',
      `/flags/definitions?token=${TEST_TOKEN}&send_cohorts`,
      '/api/feature_flag/local_evaluation/',
      '/api/projects/1/feature_flags/local_evaluation/',
      '/api/projects/@current/feature_flags/local_evaluation/',
      `/api/projects/@current/feature_flags/settings/remote_config?token=${TEST_TOKEN}`,
    ])
      expect([path, await statusOf(app, key, path)]).toEqual([path, 200]);
    const { flags } = (await app.ask('/flags/definitions', { key })).json;
    expect(flags.map((flag: any) => flag.key)).toEqual(['settings']);
  });

  test('M2.2 has no access to other paths', async () => {
    const app = await openTestApp();
    const key = await rotate(app);
    for (const path of [FLAGS, P, '/api/users/@me/', '/api/personal_api_keys/@current/']) {
      const { status, json } = await app.ask(path, { key });
      expect([path, status, json.code]).toEqual([path, 401, 'authentication_failed']);
    }
  });

  test('9.2, 9.4 cannot read another project, under any name', async () => {
    const app = await openTestApp();
    const second = await createProject(app);
    const { api_token: token } = (await app.ask(`/api/projects/${second}/`)).json;
    const key = await rotate(app);
    for (const [path, status] of [
      [`/flags/definitions?token=${token}`, 403],
      [`/api/projects/${second}/feature_flags/local_evaluation/`, 403],
      ['/flags/definitions?token=phc_other', 401],
      ['/api/projects/99/feature_flags/local_evaluation/', 404],
    ] as const)
      expect([path, await statusOf(app, key, path)]).toEqual([path, status]);
    const other = await rotate(app, second);
    const definitions = await app.ask('/flags/definitions', { key: other });
    expect([definitions.status, definitions.json.flags]).toEqual([200, []]);
    await app.ask(`/api/projects/${second}/`, { method: 'DELETE' });
    expect(await statusOf(app, other)).toBe(401);
  });

  test('9.4 an unknown one is refused', async () => {
    const app = await openTestApp();
    const { status, json, headers } = await app.ask('/flags/definitions', { key: 'phs_unknown' });
    expect([status, json.code, headers['www-authenticate']]).toEqual([
      401,
      'authentication_failed',
      'Bearer',
    ]);
  });
});

describe('the secret key of a project', () => {
  test('is shown once, and valid beside its successor until it is removed', async () => {
    const app = await openTestApp();
    expect((await app.ask(`${P}burrow/secret_token/`)).json).toEqual({
      secret_api_token: null,
      current: null,
      backup: null,
    });
    const first = await rotate(app);
    const second = await rotate(app);
    expect([await statusOf(app, first), await statusOf(app, second)]).toEqual([200, 200]);
    expect((await app.ask(`${P}burrow/secret_token/`)).json).toMatchObject({
      secret_api_token: null,
      current: { mask_value: `phs_...${second.slice(-4)}` },
      backup: { mask_value: `phs_...${first.slice(-4)}` },
    });
    const left = expectStatus(200, await patch(app, `${P}delete_secret_token_backup/`)).json;
    expect(left).toMatchObject({ secret_api_token: null, backup: null });
    expect([await statusOf(app, first), await statusOf(app, second)]).toEqual([401, 200]);
    const removed = await app.ask(`${P}burrow/secret_token/`, { method: 'DELETE' });
    expect([removed.status, await statusOf(app, second)]).toEqual([204, 401]);
  });

  test('stops working when two others were created after it', async () => {
    const app = await openTestApp();
    const [first, second, third] = [await rotate(app), await rotate(app), await rotate(app)];
    const statuses = [await statusOf(app, first), await statusOf(app, second), await statusOf(app, third)];
    expect(statuses).toEqual([401, 200, 200]);
  });

  test('M2.2 is stored only as a hash, not logged, and valid after a restart', async () => {
    const store = await openTestStore();
    const key = await rotate(await openTestApp({ store }));
    const rows = await store.db.all('SELECT * FROM project_secrets');
    const log = await store.db.all('SELECT * FROM activity_log');
    expect(rows).toHaveLength(1);
    expect(
      JSON.stringify([rows, log], (_, value: unknown) => (typeof value === 'bigint' ? 1 : value)),
    ).not.toContain(key.slice(4, 40));
    const again = await openTestApp({ store });
    expect(await statusOf(again, key)).toBe(200);
    const { results } = (await again.ask(`${P}activity_log/?scope=Project`)).json;
    expect(results[0].detail.changes).toEqual([
      { type: 'Project', action: 'changed', field: 'secret_api_token', before: null, after: null },
    ]);
  });

  test('is created and removed by admins only', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const answers = [
      await lin.ask(`${P}rotate_secret_token/`, { method: 'PATCH', body: {} }),
      await lin.ask(`${P}delete_secret_token_backup/`, { method: 'PATCH', body: {} }),
      await lin.ask(`${P}burrow/secret_token/`, { method: 'DELETE' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await lin.ask(`${P}burrow/secret_token/`)).status).toBe(200);
  });
});
