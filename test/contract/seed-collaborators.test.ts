import { describe, expect, test } from 'vitest';
import { COLLABORATOR, expectOnlyFields, SHARING, USER } from './seed-fields.ts';
import { FAMILIES, openScript, openSecondMember, type Script } from '../support/seed-script.ts';

/** A dashboard that only collaborators may edit, and a second person. */
async function openRestricted(script: Script) {
  const member = await openSecondMember(script);
  const dashboard = await script.createDashboard({
    name: 'Closed',
    restriction_level: 37,
  });
  const path = `${script.P}/dashboards/${dashboard.id}`;
  const rename = async (name: string) =>
    (
      await script.app.ask(`${path}/`, {
        method: 'PATCH',
        key: member.key,
        body: { name },
      })
    ).status;
  return { member, dashboard, path, rename };
}

describe.each(FAMILIES)('the specification of collaborators and sharing below /api/%s', (family) => {
  test('6, 7, 8 a second user can edit a dashboard from being added until being removed', async () => {
    const script = await openScript(family);
    const { member, dashboard, path, rename } = await openRestricted(script);
    expect(await rename('Too early')).toBe(403);

    const body = { level: 37, user_uuid: member.userUuid };
    const added = await script.ask('dashboard:write', 'POST', `${path}/collaborators/`, body);
    expect(added.status).toBe(201);
    expectOnlyFields(added.json, COLLABORATOR);
    expectOnlyFields(added.json.user, USER);
    expect(added.json).toMatchObject({
      dashboard_id: dashboard.id,
      level: 37,
      user_uuid: member.userUuid,
    });
    expect(added.json.user).toMatchObject({ id: member.userId, uuid: member.userUuid, email: member.email });
    expect(await rename('By a collaborator')).toBe(200);
    const asked = await script.app.ask(`${path}/`, { key: member.key });
    expect(asked.json).toMatchObject({
      name: 'By a collaborator',
      effective_privilege_level: 37,
    });

    const listed = await script.ask('dashboard:read', 'GET', `${path}/collaborators`);
    expect(listed.status).toBe(200);
    expect(listed.json).toEqual([added.json]);

    const one = `${path}/collaborators/${member.userUuid}/`;
    const removed = await script.ask('dashboard:write', 'DELETE', one);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await script.ask('dashboard:read', 'GET', `${path}/collaborators/`)).json).toEqual([]);
    expect(await rename('Too late')).toBe(403);
    expect((await script.getDashboard(dashboard.id)).name).toBe('By a collaborator');
  });

  test('7, 8 with their own key a collaborator adds a third person, and removes themselves', async () => {
    const script = await openScript(family);
    const { member, path, rename } = await openRestricted(script);
    const third = await script.app.ask('/api/organizations/@current/members/', {
      method: 'POST',
      body: { email: 'mia@local.test' },
    });
    const add = (key: string, user_uuid: string) =>
      script.app.ask(`${path}/collaborators/`, {
        method: 'POST',
        key,
        body: { level: 37, user_uuid },
      });
    expect((await add(member.key, third.json.user.uuid)).status).toBe(403);
    expect((await add(script.keys['dashboard:write'], member.userUuid)).status).toBe(201);
    expect((await add(member.key, third.json.user.uuid)).status).toBe(201);
    const own = `${path}/collaborators/${member.userUuid}/`;
    expect((await script.app.ask(own, { method: 'DELETE', key: member.key })).status).toBe(204);
    expect(await rename('Too late')).toBe(403);
    const { json } = await script.app.ask(`${path}/collaborators/`, {
      key: member.key,
    });
    expect(json.map(({ user }: { user: { email: string } }) => user.email)).toEqual(['mia@local.test']);
  });

  test('9 the sharing configuration has every field of the table, and ignores read-only fields', async () => {
    const { ask, P, createDashboard } = await openScript(family);
    const { id } = await createDashboard();
    const first = await ask('sharing_configuration:read', 'GET', `${P}/dashboards/${id}/sharing/`);
    expect(first.status).toBe(200);
    expectOnlyFields(first.json, SHARING);
    expect(first.json.enabled).toBe(false);
    expect(first.json.access_token.length).toBeGreaterThan(20);
    const again = await ask('sharing_configuration:read', 'GET', `${P}/dashboards/${id}/sharing`);
    expect(again.json).toEqual(first.json);
  });
});
