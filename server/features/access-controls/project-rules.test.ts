import { describe, expect, test } from 'vitest';
import { openWithDashboard, putRule } from '../../../test/support/access-rules.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';

describe('M5.1/resource the rules of whole resources', () => {
  test('are shown and set for the project, as Terraform does', async () => {
    const { app, lin } = await openWithDashboard();
    const body = { resource: 'dashboard', access_level: 'viewer', organization_member: lin.membershipId };
    const made = await putRule(app, 'resource_access_controls/', body);
    expect(made).toMatchObject({
      status: 200,
      json: { ...body, resource_id: null, role: null, created_by: null },
    });
    expect((await app.ask(`${P}resource_access_controls/`)).json).toEqual({
      access_controls: [made.json],
      available_access_levels: ['none', 'viewer', 'editor', 'manager'],
      default_access_level: 'editor',
      minimum_access_level: 'none',
      maximum_access_level: 'manager',
      user_access_level: 'admin',
      user_can_edit_access_levels: true,
    });
    expect((await lin.ask(`${P}resource_access_controls/`)).json).toMatchObject({
      user_access_level: 'member',
      user_can_edit_access_levels: false,
    });
    expect((await putRule(app, 'resource_access_controls/', { ...body, access_level: null })).status).toBe(
      204,
    );
    expect((await app.ask(`${P}resource_access_controls/`)).json.access_controls).toEqual([]);
  });

  test.each<[object, number, string, string | null]>([
    [{ access_level: 'viewer' }, 400, 'required', 'resource'],
    [{ access_level: 'viewer', resource: 'spaceship' }, 400, 'invalid_choice', 'resource'],
    [{ resource: 'dashboard' }, 400, 'required', 'access_level'],
    [{ resource: 'dashboard', access_level: 'admin' }, 400, 'invalid_choice', 'access_level'],
    [{ resource: 'action', access_level: 'none' }, 400, 'invalid_choice', 'access_level'],
    [{ resource: 'activity_log', access_level: 'editor' }, 400, 'invalid_choice', 'access_level'],
    [{ resource: 'dashboard', access_level: 'viewer', resource_id: '1' }, 403, 'permission_denied', null],
  ])('%j is refused: %i %s at %s', async (body, status, code, attr) => {
    const app = await openTestApp();
    expect(await putRule(app, 'resource_access_controls/', body)).toMatchObject({
      status,
      json: { code, attr },
    });
  });

  test('are set by admins of the project only', async () => {
    const { app, lin } = await openWithDashboard();
    for (const body of [{ resource: 'dashboard', access_level: 'none' }, {}])
      expect((await putRule(app, 'resource_access_controls/', body, lin.key)).json.code).toBe(
        'permission_denied',
      );
  });
});

describe('M2.9/project-rules the rules of a project', () => {
  test('remove the access of a member to everything in it, and restore it', async () => {
    const { app, lin } = await openWithDashboard();
    const rule = { organization_member: lin.membershipId };
    const shut = await putRule(app, 'access_controls/', { ...rule, access_level: 'none' });
    expect(shut.json).toMatchObject({ resource: 'project', resource_id: '1', access_level: 'none' });
    for (const path of ['dashboards/', 'events/', 'access_controls/', ''])
      expect(await lin.ask(P + path)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    expect((await putRule(app, 'access_controls/', { ...rule, access_level: null })).status).toBe(204);
    expect((await lin.ask(`${P}dashboards/`)).status).toBe(200);
  });

  test('make a member project admin, who can then change rules', async () => {
    const { app, lin } = await openWithDashboard();
    const rule = { access_level: 'admin', organization_member: lin.membershipId };
    expect((await putRule(app, 'access_controls/', rule, lin.key)).status).toBe(403);
    await putRule(app, 'access_controls/', rule);
    const zoe = await addMember(app, 'zoe@local.test');
    const shut = { access_level: 'none', organization_member: zoe.membershipId };
    expect((await putRule(app, 'access_controls/', shut, lin.key)).status).toBe(200);
    expect((await zoe.ask(`${P}dashboards/`)).status).toBe(403);
    expect((await app.ask(`${P}access_controls/`)).json).toMatchObject({
      available_access_levels: ['none', 'member', 'admin'],
      default_access_level: 'member',
      maximum_access_level: 'admin',
      user_access_level: 'admin',
    });
    expect((await lin.ask(`${P}access_controls/`)).json.user_access_level).toBe('admin');
  });

  test('do not remove the access of admins of the organization', async () => {
    const app = await openTestApp();
    const ada = await addMember(app, 'ada@local.test', 8);
    await putRule(app, 'access_controls/', { access_level: 'none' });
    expect((await ada.ask(`${P}dashboards/`)).status).toBe(200);
    expect((await putRule(app, 'access_controls/', { access_level: 'viewer' })).json).toMatchObject({
      code: 'invalid_choice',
      attr: 'access_level',
    });
  });
});
