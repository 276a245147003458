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

describe('A-7 system.activity_logs', () => {
  interface Asked {
    /** As the list of the API has them, newest first. */
    listed: string[];
    queried: string[];
    counts: unknown;
  }

  async function entriesFor(app: TestApp, key: string): Promise<Asked> {
    const query = async (text: string) => {
      const { status, json } = await app.ask(`${P}query/`, {
        method: 'POST',
        key,
        body: { query: { kind: 'HogQLQuery', query: text } },
      });
      expect(status, json.detail).toBe(200);
      return json.results;
    };
    const { json } = await app.ask(`${LOG}?limit=100`, { key });
    const rows = await query(
      'select id, scope, activity, item_id, detail.name, team_id from system.activity_logs order by created_at desc, id desc',
    );
    return {
      listed: json.results.map((one: any) =>
        [one.id, one.scope, one.activity, one.item_id, one.detail.name, 1].join(),
      ),
      queried: rows.map((row: unknown[]) => row.join()),
      counts: (
        await query(
          `select count(), countIf(detail.name = 'Hidden'), max(detail ilike '%hidden%') from system.activity_logs`,
        )
      )[0],
    };
  }

  const put = async (app: TestApp, path: string, rule: object) =>
    expect((await send(app, 'PUT', `${P}${path}`, rule)).status).toBeLessThan(300);

  test('has what the list of the API shows, and counts nothing that is hidden', async () => {
    const app = await openTestApp();
    const added = await send(app, 'POST', '/api/organizations/@current/members/', {
      email: 'grace@local.test',
      first_name: 'Grace',
    });
    const [member, key] = [added.json.id as string, added.json.personal_api_key as string];
    const hidden = (await send(app, 'POST', `${P}dashboards/`, { name: 'Hidden' })).json.id;
    await send(app, 'PATCH', `${P}dashboards/${hidden}/`, { description: 'Hidden numbers' });
    await send(app, 'POST', `${P}dashboards/`, { name: 'Open' });
    await createAction(app, 'a');
    expect((await entriesFor(app, key)).counts).toEqual([4, 2, 1]);

    await put(app, `dashboards/${hidden}/access_controls/`, {
      organization_member: member,
      access_level: 'none',
    });
    const own = await app.ask(`${P}dashboards/`, { method: 'POST', key, body: { name: 'Own' } });
    await put(app, `dashboards/${own.json.id}/access_controls/`, {
      organization_member: member,
      access_level: 'none',
    });
    const seen = await entriesFor(app, key);
    expect(seen.queried).toEqual(seen.listed);
    expect(seen.queried.map((one) => one.split(',')[4])).toEqual(['Own', 'a', 'Open']);
    expect(seen.counts).toEqual([3, 0, 0]);
    const byOwner = await entriesFor(app, app.key);
    expect(byOwner.queried).toEqual(byOwner.listed);
    expect(byOwner.counts).toEqual([7, 3, 1]);

    await put(app, 'resource_access_controls/', {
      resource: 'dashboard',
      organization_member: member,
      access_level: 'none',
    });
    const without = await entriesFor(app, key);
    expect(without.queried).toEqual(without.listed);
    expect(without.counts).toEqual([2, 0, 0]);
  });

  test('is unknown to a key without the scope of the log, and to a link', async () => {
    const app = await openTestApp();
    const { json: key } = await send(app, 'POST', '/api/personal_api_keys/', {
      label: 'Queries',
      scopes: ['query:read', 'dashboard:read'],
    });
    const query = { kind: 'HogQLQuery', query: 'select count() from system.activity_logs' };
    const refused = await app.ask(`${P}query/`, { method: 'POST', key: key.value, body: { query } });
    expect(refused.status).toBe(400);
    expect(refused.json.detail).toContain('Unknown table "system.activity_logs"');
    const insight = await send(app, 'POST', `${P}insights/`, {
      query: { kind: 'DataVisualizationNode', source: query },
    });
    const shared = await send(app, 'PATCH', `${P}insights/${insight.json.id}/sharing/`, { enabled: true });
    const page = await app.ask(`/shared/${shared.json.access_token}.json`, { key: null });
    expect(page.status).toBe(200);
    expect(page.json.insight.result).toBe(null);
  });

  test('shows a change at the next query, and no entry of another project', async () => {
    const app = await openTestApp();
    const other = await send(app, 'POST', '/api/organizations/@current/projects/', { name: 'Other' });
    expect(other.status).toBe(201);
    const before = await entriesFor(app, app.key);
    await createAction(app, 'b');
    const after = await entriesFor(app, app.key);
    expect(after.queried).toEqual(after.listed);
    expect(after.queried).toHaveLength(before.queried.length + 1);
    expect(after.queried.every((one) => one.endsWith(',1'))).toBe(true);
  });
});
