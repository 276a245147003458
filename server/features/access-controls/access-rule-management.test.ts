import { describe, expect, test } from 'vitest';
import { openWithDashboard, putRule } from '../../../test/support/access-rules.ts';
import { removeMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

describe('M5.1/management the tool that manages a rule', () => {
  const manage = (app: TestApp, body: object, key = app.key) =>
    putRule(app, 'access_control_management/', body, key);

  test('is stored and returned, and null removes it', async () => {
    const { app, lin, id } = await openWithDashboard();
    for (const named of [
      { resource: 'dashboard', resource_id: String(id) },
      { resource: 'dashboard', resource_id: id, organization_member: lin.membershipId },
      { resource: 'dashboard' },
      { resource: 'project', resource_id: '1' },
    ]) {
      expect(await manage(app, { ...named, managed_by: 'terraform' })).toMatchObject({
        status: 200,
        json: { managed_by: 'terraform', managed_at: '2026-11-20T09:30:00.000000Z' },
      });
    }
    expect(await app.store.db.all('SELECT managed_by FROM access_control_management')).toHaveLength(4);
    const body = { resource: 'dashboard', resource_id: String(id), managed_by: null };
    expect((await manage(app, body)).json).toEqual({ managed_by: null, managed_at: null });
    expect(await app.store.db.all('SELECT managed_by FROM access_control_management')).toHaveLength(3);
  });

  test('is deleted with the member of the rule', async () => {
    const { app, lin, id } = await openWithDashboard();
    const body = { resource: 'dashboard', resource_id: id, organization_member: lin.membershipId };
    expect((await manage(app, { ...body, managed_by: 'terraform' })).status).toBe(200);
    await removeMember(app, lin);
    expect(await app.store.db.all('SELECT managed_by FROM access_control_management')).toEqual([]);
  });

  test('is not stored for a member who is being removed', async () => {
    const { app, lin, path } = await openWithDashboard();
    const rule = { access_level: 'viewer', organization_member: lin.membershipId };
    const kept = { resource: 'dashboard', organization_member: lin.membershipId, managed_by: 'terraform' };
    await Promise.all([removeMember(app, lin), putRule(app, path, rule), manage(app, kept)]);
    expect(await app.store.db.all('SELECT member_id FROM access_controls')).toEqual([]);
    expect(await app.store.db.all('SELECT member_id FROM access_control_management')).toEqual([]);
  });

  test.each<[object, number, string, string | null]>([
    [{ managed_by: 'terraform' }, 400, 'required', 'resource'],
    [{ resource: 'spaceship', managed_by: 'terraform' }, 400, 'invalid_choice', 'resource'],
    [{ resource: 'dashboard' }, 400, 'required', 'managed_by'],
    [{ resource: 'dashboard', managed_by: 5 }, 400, 'invalid_input', 'managed_by'],
    [{ resource: 'dashboard', resource_id: '99', managed_by: 'terraform' }, 404, 'not_found', null],
    [{ resource: 'webhook', resource_id: '1', managed_by: 'terraform' }, 404, 'not_found', null],
  ])('%j is refused: %i %s at %s', async (body, status, code, attr) => {
    const app = await openTestApp();
    expect(await manage(app, body)).toMatchObject({ status, json: { code, attr } });
  });

  test('is set only by users who may change the rule', async () => {
    const { app, lin, id } = await openWithDashboard();
    const { json: mine } = await app.ask('/api/projects/1/dashboards/', {
      method: 'POST',
      key: lin.key,
      body: { name: 'Mine' },
    });
    const statusOf = async (resourceId?: string) =>
      (
        await manage(
          app,
          { resource: 'dashboard', resource_id: resourceId, managed_by: 'terraform' },
          lin.key,
        )
      ).status;
    expect(await statusOf(String(mine.id))).toBe(200);
    expect(await statusOf(String(id))).toBe(403);
    expect(await statusOf()).toBe(403);
  });
});
