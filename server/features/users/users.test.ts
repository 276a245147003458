import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { currentUser } from './users.contract.ts';

const ME = '/api/users/@me/';
const MEMBERS = '/api/organizations/@current/members/';

function patch(app: TestApp, body: object, key?: string) {
  return app.ask(ME, { method: 'PATCH', body, ...(key === undefined ? {} : { key }) });
}

async function addMember(app: TestApp): Promise<{ id: string; key: string }> {
  const { json } = await app.ask(MEMBERS, { method: 'POST', body: { email: 'lin@local.test' } });
  return { id: json.id, key: json.personal_api_key };
}

/** Closes a project to a member. */
async function close(app: TestApp, projectId: number, memberId: string): Promise<void> {
  const { access } = app.app.features;
  const rule = { projectId, resource: 'project', resourceId: String(projectId), memberId, roleId: null };
  await app.store.db.transaction((tx) => access.setRule(tx, rule, 'none'));
  await access.load();
}

describe('M8.1 GET /api/users/@me/', () => {
  test('shows every key of the contract', async () => {
    const app = await openTestApp();
    const { json } = await app.ask(ME);
    expect(currentUser.parse(json)).toEqual(json);
    const keys =
      'id uuid distinct_id first_name last_name email is_email_verified hedgehog_config role_at_organization ' +
      'date_joined pending_email notification_settings anonymize_data allow_impersonation toolbar_mode has_password ' +
      'is_staff is_impersonated is_impersonated_until sensitive_session_expires_at events_column_config ' +
      'is_2fa_enabled has_social_auth has_seen_product_intro_for scene_personalisation theme_mode organizations ' +
      'team organization';
    expect(Object.keys(json).toSorted()).toEqual(keys.split(' ').toSorted());
    expect(json).toMatchObject({
      first_name: 'Owner',
      is_email_verified: true,
      organizations: [{ name: 'Local', slug: 'local', membership_level: 15 }],
      team: { id: 1, api_token: TEST_TOKEN },
      organization: { name: 'Local', projects: [{ id: 1, name: 'Default' }], teams: [{ id: 1 }] },
    });
    expect(json.organization.available_product_features).toContainEqual({
      key: 'access_control',
      name: 'Access control',
    });
  });

  test('is allowed for keys that are restricted to a project or organization', async () => {
    const app = await openTestApp();
    const { organization } = (await app.ask('/api/projects/1/')).json;
    for (const limits of [{ scoped_teams: [1] }, { scoped_organizations: [organization] }]) {
      const body = { label: 'a', scopes: ['user:read'], ...limits };
      const { value: key } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json;
      expect((await app.ask(ME, { key })).status).toBe(200);
      expect((await patch(app, { first_name: 'x' }, key)).status).toBe(403);
    }
  });

  test('shows and returns only its own project for a key restricted to it', async () => {
    const app = await openTestApp();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: { name: 'Shop' } });
    const body = { label: 'a', scopes: ['user:write'], scoped_teams: [2] };
    const { value: key } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json;
    const { team, organization } = (await app.ask(ME, { key })).json;
    expect([team.id, organization.teams.length, organization.projects]).toMatchObject([2, 1, [{ id: 2 }]]);
    expect(await patch(app, { set_current_team: 1 }, key)).toMatchObject({
      status: 400,
      json: { code: 'does_not_exist', attr: 'set_current_team' },
    });
  });

  test('does not show a member a project without access, and @current is another one', async () => {
    const app = await openTestApp();
    const lin = await addMember(app);
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: { name: 'Shop' } });
    await close(app, 1, lin.id);
    const me = (await app.ask(ME, { key: lin.key })).json;
    expect(me.team.id).toBe(2);
    expect(me.organization.teams.map(({ id }: { id: number }) => id)).toEqual([2]);
    expect((await app.ask('/api/projects/@current/', { key: lin.key })).json.id).toBe(2);
    await close(app, 2, lin.id);
    expect((await app.ask(ME, { key: lin.key })).json.team).toBe(null);
    expect((await app.ask('/api/projects/@current/', { key: lin.key })).status).toBe(404);
    expect((await app.ask('/api/projects/', { key: lin.key })).json.count).toBe(0);
  });
});

describe('M8.1 PATCH /api/users/@me/', () => {
  test('changes names and settings, and keeps omitted ones', async () => {
    const app = await openTestApp();
    const body = {
      first_name: ' Ada ',
      last_name: 'Lovelace',
      theme_mode: 'dark',
      role_at_organization: 'engineering',
      hedgehog_config: { color: 'green' },
      notification_settings: { all_weekly_digest_disabled: true },
    };
    const changed = await patch(app, { ...body, email: 'x@y.z', is_staff: true, unknown: 1 });
    expect(changed).toMatchObject({ status: 200, json: { ...body, first_name: 'Ada', is_staff: false } });
    expect(changed.json.email).toBe('owner@burrow.localhost');
    const next = { theme_mode: null, notification_settings: { plugin_disabled: false } };
    expect((await patch(app, next)).json).toMatchObject({
      last_name: 'Lovelace',
      theme_mode: null,
      role_at_organization: 'engineering',
      notification_settings: { all_weekly_digest_disabled: true, plugin_disabled: false },
    });
    expect((await app.ask(ME)).json).toEqual((await patch(app, {})).json);
    expect((await patch(app, { last_name: '', hedgehog_config: null })).json).toMatchObject({
      last_name: '',
      hedgehog_config: null,
    });
    const again = await openTestApp({ store: app.store });
    expect((await again.ask(ME)).json.first_name).toBe('Ada');
  });

  test('logs changes, and no entry without a change', async () => {
    const app = await openTestApp();
    await patch(app, { first_name: 'Ada' });
    await patch(app, { first_name: 'Ada', set_current_team: 1 });
    const log = await app.store.db.all<{ detail: string }>(
      "SELECT detail FROM activity_log WHERE scope = 'User'",
    );
    expect(log.map(({ detail }) => JSON.parse(detail))).toEqual([
      {
        name: 'owner@burrow.localhost',
        short_id: null,
        changes: [{ type: 'User', action: 'changed', field: 'first_name', before: 'Owner', after: 'Ada' }],
      },
    ]);
  });

  test('set_current_team sets the project of @current', async () => {
    const app = await openTestApp();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: { name: 'Shop' } });
    expect((await patch(app, { set_current_team: '2' })).json.team.id).toBe(2);
    expect((await app.ask('/api/projects/@current/')).json.id).toBe(2);
    await app.ask('/api/projects/2/', { method: 'DELETE' });
    expect((await app.ask('/api/projects/@current/')).json.id).toBe(1);
  });

  test.each([
    [{ first_name: 'x'.repeat(151) }, 'max_length', 'first_name'],
    [{ last_name: null }, 'null', 'last_name'],
    [{ theme_mode: 'pink' }, 'invalid_choice', 'theme_mode'],
    [{ role_at_organization: 'king' }, 'invalid_choice', 'role_at_organization'],
    [{ notification_settings: [] }, 'not_a_dict', 'notification_settings'],
    [{ hedgehog_config: 'x' }, 'not_a_dict', 'hedgehog_config'],
    [{ set_current_team: 2 }, 'does_not_exist', 'set_current_team'],
    [{ set_current_team: 'x' }, 'invalid_input', 'set_current_team'],
    [
      { set_current_organization: '0190f0c1-0000-7000-8000-000000000001' },
      'does_not_exist',
      'set_current_organization',
    ],
    [{ set_current_organization: 'x' }, 'invalid_input', 'set_current_organization'],
  ])('%j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    expect(await patch(app, { first_name: 'Changed', ...body })).toMatchObject({
      status: 400,
      json: { code, attr },
    });
    expect((await app.ask(ME)).json.first_name).toBe('Owner');
  });

  test('requires the scope to write users', async () => {
    const app = await openTestApp();
    const body = { label: 'reader', scopes: ['user:read'] };
    const { value: key } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json;
    expect((await patch(app, {}, key)).json.detail).toContain("missing required scope 'user:write'");
  });
});
