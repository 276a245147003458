import { expect, test } from 'vitest';
import { dashboardsOf } from '../support/dashboard-client.ts';
import { addMember, removeMember, type TestMember } from '../support/members.ts';
import { createKey } from '../support/owner-calls.ts';
import { refusal, refusalOf } from '../support/refusals.ts';
import { openTestApp, type TestApp, type TestResponse } from '../support/test-app.ts';

const NOBODY = '0190f0c1-0000-7000-8000-0000000000ff';

/** A restricted dashboard of the owner, and a plain member. */
async function openRestricted() {
  const app = await openTestApp();
  const member = await addMember(app, 'lin@local.test');
  const dashboards = dashboardsOf(app);
  const { id } = await dashboards.create({ name: 'Closed', restriction_level: 37 });
  const add = (body: unknown, key?: string): Promise<TestResponse> =>
    dashboardsOf(app, key === undefined ? {} : { key }).ask('POST', `${id}/collaborators/`, body);
  const list = async (): Promise<any[]> => (await dashboards.ask('GET', `${id}/collaborators/`)).json;
  return { app, member, dashboards, id, add, list };
}

const granting = ({ userUuid }: TestMember, level: unknown = 37) => ({ level, user_uuid: userUuid });

test('M4.1/unknown-dashboard an unknown dashboard is a 404, whatever the body is', async () => {
  const { dashboards } = await openRestricted();
  for (const [method, path] of [
    ['GET', '999/collaborators/'],
    ['POST', '999/collaborators/'],
    ['DELETE', `999/collaborators/${NOBODY}/`],
  ] as const) {
    const answer = await dashboards.ask(method, path, method === 'POST' ? { level: 'x' } : undefined);
    expect(refusalOf(answer), method).toEqual(refusal('E-404'));
    if (method !== 'DELETE') expect(answer.json.detail).toBe('Dashboard not found.');
  }
});

test('M4.1/cannot-edit a user without edit access cannot add or remove collaborators, whatever the body is', async () => {
  const { app, member, id, add, list } = await openRestricted();
  for (const body of [granting(member), {}, { level: 'x' }])
    expect(refusalOf(await add(body, member.key))).toEqual(refusal('E-EDIT'));
  const path = `${id}/collaborators/${member.userUuid}/`;
  const removed = await dashboardsOf(app, { key: member.key }).ask('DELETE', path);
  expect(refusalOf(removed)).toEqual(refusal('E-EDIT'));
  expect(await list()).toEqual([]);
});

test('M4.1/level is required, and one of the levels', async () => {
  const { member, add } = await openRestricted();
  const { user_uuid } = granting(member);
  expect(refusalOf(await add({ user_uuid }))).toEqual(refusal('E-REQ', 'level'));
  expect(refusalOf(await add({}))).toEqual(refusal('E-REQ', 'level'));
  for (const level of [0, 22, '38', 'edit', [], true])
    expect(refusalOf(await add({ level, user_uuid })), String(level)).toEqual(refusal('E-CHOICE', 'level'));
  expect((await add({ level: '37', user_uuid })).json.level).toBe(37);
});

test('M4.1/user-uuid is required, and a UUID', async () => {
  const { add } = await openRestricted();
  expect(refusalOf(await add({ level: 37 }))).toEqual(refusal('E-REQ', 'user_uuid'));
  for (const user_uuid of ['lin', 2, {}, `${NOBODY}0`])
    expect(refusalOf(await add({ level: 37, user_uuid })), String(user_uuid)).toEqual(
      refusal('E-TYPE', 'user_uuid'),
    );
});

test('M4.1/lowest-restriction an unrestricted dashboard accepts no collaborators, and removes none', async () => {
  const { member, dashboards, id, add, list } = await openRestricted();
  await add(granting(member));
  await dashboards.patch(id, { restriction_level: 21 });
  expect(refusalOf(await add(granting(member)))).toEqual(refusal('E-TYPE', null));
  const removed = await dashboards.ask('DELETE', `${id}/collaborators/${member.userUuid}/`);
  expect(refusalOf(removed)).toEqual(refusal('E-TYPE', null));
  // They act again once the dashboard is restricted again.
  await dashboards.patch(id, { restriction_level: 37 });
  expect(await list()).toHaveLength(1);
});

test('M4.1/level-21 view access is open to all members, and cannot be granted', async () => {
  const { member, add, list } = await openRestricted();
  expect(refusalOf(await add(granting(member, 21)))).toEqual(refusal('E-TYPE', null));
  expect(await list()).toEqual([]);
});

test('M4.1/no-active-user an unknown or removed user is refused', async () => {
  const { app, member, add, list } = await openRestricted();
  expect(refusalOf(await add({ level: 37, user_uuid: NOBODY }))).toEqual(refusal('E-TYPE', null));
  await add(granting(member));
  expect(await list()).toHaveLength(1);
  await removeMember(app, member);
  expect(await list()).toEqual([]);
  expect(refusalOf(await add(granting(member)))).toEqual(refusal('E-TYPE', null));
});

test('M4.1/no-active-user a user who is removed during the request is not stored', async () => {
  const { app, member, add } = await openRestricted();
  await Promise.all([removeMember(app, member), add(granting(member))]);
  expect(await app.store.db.all('SELECT user_id FROM dashboard_collaborators')).toEqual([]);
});

test('M4.1/no-project-access a user without access to the project is refused', async () => {
  const { app, member, add, list } = await openRestricted();
  await closeProject(app, member);
  expect(refusalOf(await add(granting(member)))).toEqual(refusal('E-TYPE', null));
  expect(await list()).toEqual([]);
});

async function closeProject(app: TestApp, { membershipId }: TestMember): Promise<void> {
  const body = { access_level: 'none', resource: 'project', organization_member: membershipId };
  const { status } = await app.ask('/api/projects/1/access_controls/', { method: 'PUT', body });
  expect(status).toBe(200);
}

test('M4.1/inherent-rights a user with edit access is refused, as creator or as admin', async () => {
  const { app, add, list } = await openRestricted();
  const admin = await addMember(app, 'ada@local.test', 8);
  const me = (await app.ask('/api/users/@me/')).json.uuid;
  for (const user_uuid of [admin.userUuid, me])
    expect(refusalOf(await add({ level: 37, user_uuid }))).toEqual(refusal('E-TYPE', null));
  expect(await list()).toEqual([]);
  const member = await addMember(app, 'mia@local.test');
  const own = await dashboardsOf(app, { key: member.key }).create({ restriction_level: 37 });
  const creator = await dashboardsOf(app).ask('POST', `${own.id}/collaborators/`, granting(member));
  expect(refusalOf(creator)).toEqual(refusal('E-TYPE', null));
});

test('M4.1/already a user cannot be added twice', async () => {
  const { member, add, list } = await openRestricted();
  const [first, second] = await Promise.all([add(granting(member)), add(granting(member))]);
  expect([first.status, second.status].sort()).toEqual([201, 400]);
  expect(refusalOf(first.status === 400 ? first : second)).toEqual(refusal('E-TYPE', null));
  expect(await list()).toHaveLength(1);
});

test('an unknown pair is not removed, nor is a malformed UUID', async () => {
  const { member, dashboards, id } = await openRestricted();
  for (const uuid of [member.userUuid, NOBODY, 'lin', '1'])
    expect(refusalOf(await dashboards.ask('DELETE', `${id}/collaborators/${uuid}/`))).toEqual(
      refusal('E-404'),
    );
});

test('a key with read scope lists collaborators and cannot add them', async () => {
  const { app, member, id, add } = await openRestricted();
  const key = await createKey(app, ['dashboard:read']);
  expect(refusalOf(await add(granting(member), key))).toEqual(refusal('E-SCOPE'));
  const { status } = await dashboardsOf(app, { key }).ask('GET', `${id}/collaborators/`);
  expect(status).toBe(200);
});
