import { expect, test } from 'vitest';
import { dashboardsOf } from '../support/dashboard-client.ts';
import { addMember } from '../support/members.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const ACTIONS = ['access_controls', 'global_access_controls'] as const;

async function openDashboard() {
  const app = await openTestApp();
  const dashboard = await dashboardsOf(app).create({ name: 'Weekly' });
  return { app, dashboard, member: await addMember(app, 'lin@local.test') };
}

/** The envelope as that person sees it. */
async function envelope(app: TestApp, id: number, action: string, key = app.key): Promise<any> {
  const { status, json } = await dashboardsOf(app, { key }).ask('GET', `${id}/${action}/`);
  expect(status).toBe(200);
  return json;
}

function putRule(app: TestApp, path: string, body: object) {
  return app.ask(`/api/projects/1/${path}/`, { method: 'PUT', body });
}

test('M5.1/access_controls are the rules of the dashboard, and globally those of the project', async () => {
  const { app, dashboard, member } = await openDashboard();
  const { id } = dashboard;
  for (const action of ACTIONS) {
    const before = await envelope(app, id, action);
    expect(before).toMatchObject({ ...dashboard, access_controls: [] });
  }
  const own = await putRule(app, `dashboards/${id}/access_controls`, {
    access_level: 'viewer',
    organization_member: member.membershipId,
  });
  expect([own.status, own.json]).toEqual([
    200,
    {
      access_level: 'viewer',
      resource: 'dashboard',
      resource_id: String(id),
      organization_member: member.membershipId,
      role: null,
      created_by: null,
      created_at: '2026-11-20T09:30:00.000000Z',
      updated_at: '2026-11-20T09:30:00.000000Z',
    },
  ]);
  const wide = await putRule(app, 'resource_access_controls', {
    resource: 'dashboard',
    access_level: 'editor',
  });
  expect(wide.json).toMatchObject({ resource: 'dashboard', resource_id: null, organization_member: null });
  expect((await envelope(app, id, 'access_controls')).access_controls).toEqual([own.json]);
  expect((await envelope(app, id, 'global_access_controls')).access_controls).toEqual([wide.json]);
});

test('M5.1/available_access_levels are four, from the lowest', async () => {
  const { app, dashboard } = await openDashboard();
  for (const action of ACTIONS)
    expect((await envelope(app, dashboard.id, action)).available_access_levels).toEqual([
      'none',
      'viewer',
      'editor',
      'manager',
    ]);
});

async function expectAlways(field: string, level: string): Promise<void> {
  const { app, dashboard } = await openDashboard();
  for (const action of ACTIONS) expect((await envelope(app, dashboard.id, action))[field]).toBe(level);
}
test('M5.1/default_access_level is editor', () => expectAlways('default_access_level', 'editor'));
test('M5.1/minimum_access_level is none', () => expectAlways('minimum_access_level', 'none'));
test('M5.1/maximum_access_level is manager', () => expectAlways('maximum_access_level', 'manager'));

test('M5.1/user_access_level is that of the dashboard', async () => {
  const { app, dashboard, member } = await openDashboard();
  const { id } = dashboard;
  const expectLevel = async (key: string, level: string): Promise<void> => {
    for (const action of ACTIONS)
      expect((await envelope(app, id, action, key)).user_access_level).toBe(level);
    expect((await dashboardsOf(app, { key }).get(id)).user_access_level).toBe(level);
    const { results } = (await dashboardsOf(app, { key }).ask('GET', '')).json;
    expect(results[0].user_access_level).toBe(level);
  };
  await expectLevel(app.key, 'manager');
  await expectLevel(member.key, 'editor');
  const rule = { access_level: 'viewer', organization_member: member.membershipId };
  await putRule(app, `dashboards/${id}/access_controls`, rule);
  await expectLevel(member.key, 'viewer');
  await putRule(app, `dashboards/${id}/access_controls`, { ...rule, access_level: null });
  await expectLevel(member.key, 'editor');
});

test('M5.1/user_can_edit_access_levels is true for creator, admins and managers', async () => {
  const { app, dashboard, member } = await openDashboard();
  const admin = await addMember(app, 'ada@local.test', 8);
  const canEdit = async (id: number, key: string): Promise<boolean> =>
    (await envelope(app, id, 'access_controls', key)).user_can_edit_access_levels;
  expect(await canEdit(dashboard.id, app.key)).toBe(true);
  expect(await canEdit(dashboard.id, admin.key)).toBe(true);
  expect(await canEdit(dashboard.id, member.key)).toBe(false);
  const own = await dashboardsOf(app, { key: member.key }).create({});
  expect(await canEdit(own.id, member.key)).toBe(true);
  const rule = { access_level: 'manager', organization_member: member.membershipId };
  await putRule(app, `dashboards/${dashboard.id}/access_controls`, rule);
  expect(await canEdit(dashboard.id, member.key)).toBe(true);
  await putRule(app, `dashboards/${dashboard.id}/access_controls`, { ...rule, access_level: 'editor' });
  const project = { access_level: 'admin', organization_member: member.membershipId };
  expect((await putRule(app, 'access_controls', project)).status).toBe(200);
  expect(await canEdit(dashboard.id, member.key)).toBe(true);
});
