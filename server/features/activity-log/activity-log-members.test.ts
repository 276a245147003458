import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { activityPage } from './activity-log.contract.ts';

const P = '/api/projects/1/';
const LOG = `${P}activity_log/`;

const send = (app: TestApp, method: string, path: string, body: object = {}) =>
  app.ask(path, { method, body });

const createAction = (app: TestApp, name: string) => send(app, 'POST', `${P}actions/`, { name });

function errorOf({ status, json }: { status: number; json: any }) {
  return { status, code: json.code, attr: json.attr };
}

describe('a plain member', () => {
  const MEMBERS = '/api/organizations/@current/members/';
  const ORGANIZATION_LOG = '/api/organizations/@current/activity_log/';

  async function addMember(app: TestApp): Promise<{ id: string; key: string }> {
    const body = { email: 'grace@local.test', first_name: 'Grace' };
    const { json } = await send(app, 'POST', MEMBERS, body);
    return { id: json.id, key: json.personal_api_key };
  }

  const setLevel = (app: TestApp, path: string, rule: object) =>
    send(app, 'PUT', path, rule).then(({ status }) => expect(status).toBeLessThan(300));

  test('reads the log of the project, and not that of the organization', async () => {
    const app = await openTestApp();
    const { key } = await addMember(app);
    await createAction(app, 'a');
    const { json } = await app.ask(`${LOG}?scope=Action`, { key });
    expect(json.results.map((entry: any) => entry.detail.name)).toEqual(['a']);
    expect(errorOf(await app.ask(ORGANIZATION_LOG, { key }))).toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
  });

  test('does not see entries about dashboards that are hidden from it, or about access rules', async () => {
    const app = await openTestApp();
    const { id: member, key } = await addMember(app);
    const hidden = (await send(app, 'POST', `${P}dashboards/`, { name: 'Hidden' })).json.id;
    const open = (await send(app, 'POST', `${P}dashboards/`, { name: 'Open' })).json.id;
    await setLevel(app, `${P}dashboards/${hidden}/access_controls/`, {
      organization_member: member,
      access_level: 'none',
    });
    const namesFor = async (asker: string) =>
      (await app.ask(LOG, { key: asker })).json.results.map(
        ({ scope, detail }: any) => `${scope} ${detail.name}`,
      );
    expect(await namesFor(key)).toEqual(['Dashboard Open']);
    expect(await namesFor(app.key)).toEqual(['AccessControl Hidden', 'Dashboard Open', 'Dashboard Hidden']);
    expect((await app.ask(`${P}dashboards/${open}/activity/`, { key })).status).toBe(200);
    expect(errorOf(await app.ask(`${P}dashboards/${hidden}/activity/`, { key }))).toMatchObject({
      status: 403,
    });
  });

  test('reads about its own objects when it cannot view others', async () => {
    const app = await openTestApp();
    const { id: member, key } = await addMember(app);
    await send(app, 'POST', `${P}dashboards/`, { name: 'Of the owner' });
    await app.ask(`${P}dashboards/`, { method: 'POST', key, body: { name: 'Of Grace' } });
    await setLevel(app, `${P}resource_access_controls/`, {
      resource: 'dashboard',
      organization_member: member,
      access_level: 'none',
    });
    const { json } = await app.ask(`${LOG}?scope=Dashboard`, { key });
    expect(json.results.map((entry: any) => entry.detail.name)).toEqual(['Of Grace']);
  });
});

test('the log of the organization shows admins members, keys and every project', async () => {
  const app = await openTestApp();
  await send(app, 'POST', '/api/organizations/@current/members/', {
    email: 'grace@local.test',
    first_name: 'Grace',
  });
  await send(app, 'POST', '/api/personal_api_keys/', { label: 'ci', scopes: ['action:read'] });
  await createAction(app, 'a');
  const { json } = await app.ask('/api/organizations/@current/activity_log/');
  const scopes = activityPage.parse(json).results.map(({ scope }) => scope);
  expect(scopes).toEqual(expect.arrayContaining(['Action', 'PersonalAPIKey', 'OrganizationMembership']));
  expect(JSON.stringify(json)).not.toMatch(/phx_|phc_/);
  expect((await app.ask('/api/organizations/other/activity_log/')).status).toBe(404);
});
