import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { send } from '../../../test/support/app-events.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';
const HTML = `<!doctype html><title>Burrow</title><script type="application/json" id="shared"></script>`;

function buildPage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'shared-page.html'), HTML);
  writeFileSync(join(folder, 'assets/page-abc.js'), 'show()');
  writeFileSync(join(folder, 'assets/notes.txt'), 'not a file of the page');
  writeFileSync(join(folder, 'secret.js'), 'outside');
  return folder;
}

async function share(app: TestApp, body: object): Promise<{ id: number; token: string }> {
  const { id } = (await app.ask(`${P}dashboards/`, { method: 'POST', body })).json;
  const link = await app.ask(`${P}dashboards/${id}/sharing/`, { method: 'PATCH', body: { enabled: true } });
  return { id, token: link.json.access_token };
}

async function openShared(
  body: object = { name: 'Weekly', description: 'All of it', restriction_level: 21 },
) {
  const app = await openTestApp({ sharedDir: buildPage() });
  const { id, token } = await share(app, body);
  const patch = { tiles: [{ text: { body: '**Hello**' } }] };
  await app.ask(`${P}dashboards/${id}/`, { method: 'PATCH', body: patch });
  return { app, id, token };
}

async function makeInsight(app: TestApp, name: string, dashboards: number[] = []) {
  const query = {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'signup' }],
      properties: [{ key: 'email', value: 'lin@local.test', operator: 'exact', type: 'person' }],
    },
  };
  const answer = await app.ask(`${P}insights/`, { method: 'POST', body: { name, query, dashboards } });
  expect(answer.status).toBe(201);
  return answer.json as { id: number; short_id: string };
}

const look = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
  app.ask(path, { key: null, headers });

function dataIn(html: string) {
  return JSON.parse(/id="shared">(.*?)<\/script>/s.exec(html)![1]!);
}

describe('M4.3/html the page', () => {
  test.each([
    ['/shared/', 'scene'],
    ['/shared_dashboard/', 'scene'],
    ['/embedded/', 'embed'],
  ])(
    '%s<token> has the dashboard as data (%s), without a session, and sets no cookie',
    async (path, type) => {
      const { app, id, token } = await openShared();
      const { status, headers, text } = await look(app, path + token);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers).toMatchObject({
        'x-robots-tag': 'noindex, nofollow',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['x-frame-options']).toBe(type === 'embed' ? undefined : 'DENY');
      expect(text).toContain('<title>Weekly</title>');
      expect(dataIn(text)).toMatchObject({
        type,
        accessToken: token,
        dashboard: { id, name: 'Weekly', tiles: [{ text: { body: '**Hello**' } }] },
      });
    },
  );

  test('is served under every host name, with a trailing slash, and for HEAD without a body', async () => {
    const { app, token } = await openShared();
    expect((await look(app, `/shared/${token}/`, { Host: 'box.lan:2877' })).status).toBe(200);
    const { status, text } = await app.ask(`/shared/${token}`, { method: 'HEAD', key: null });
    expect([status, text]).toEqual([200, '']);
    expect((await app.ask(`/shared/${token}`, { method: 'POST', key: null })).status).toBe(405);
    expect((await look(app, '/api/projects/', { Host: 'box.lan:2877' })).status).toBe(403);
  });

  test('a name with closing tags does not end the script or the title', async () => {
    const { app, token } = await openShared({ name: '</title></script><script>alert(1)</script>' });
    const { text } = await look(app, `/shared/${token}`);
    expect(text).not.toContain('alert(1)</script>');
    expect(dataIn(text).dashboard.name).toBe('</title></script><script>alert(1)</script>');
  });

  test('its own files are served under every host name, and no other files', async () => {
    const { app } = await openShared();
    const file = await look(app, '/shared/assets/page-abc.js', { Host: 'box.lan' });
    expect([file.status, file.text]).toEqual([200, 'show()']);
    expect(file.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(file.headers['cache-control']).toContain('immutable');
    for (const path of ['notes.txt', 'other.js', '..%2Fsecret.js', '%2e%2e%2fsecret.js', 'page-abc.js/x'])
      expect((await look(app, `/shared/assets/${path}`)).status).toBe(404);
  });
});

describe('M4.3/json the same as JSON', () => {
  test.each([
    ['/shared/', 'scene'],
    ['/embedded/', 'embed'],
  ])('%s<token>.json is a %s, without user-specific fields', async (path, type) => {
    const { app, token } = await openShared({ name: 'Weekly', restriction_level: 37 });
    const { status, headers, text, json } = await look(app, `${path}${token}.json`);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(Object.keys(json).toSorted()).toEqual(['accessToken', 'dashboard', 'themes', 'type']);
    expect(json).toMatchObject({ type, accessToken: token, themes: [] });
    expect(json.dashboard).toMatchObject({
      name: 'Weekly',
      created_by: null,
      effective_restriction_level: 37,
      effective_privilege_level: 21,
      user_access_level: null,
    });
    expect(text).not.toContain('@');
  });

  test('hides email addresses in results, on the page too', async () => {
    const { app, id, token } = await openShared();
    const batch = ['lin', 'max'].map((name) => ({
      event: 'signup',
      distinct_id: `${name}@local.test`,
      properties: { $set: { email: `${name}@local.test` }, email: `${name}@local.test` },
    }));
    await send(app, batch);
    const trend = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'signup' }],
      dateRange: { date_from: 'all' },
      breakdownFilter: { breakdowns: [{ type: 'person', property: 'email' }] },
    };
    const rows = {
      kind: 'HogQLQuery',
      query: 'SELECT distinct_id, properties, person.properties.email FROM events',
    };
    for (const query of [
      { kind: 'InsightVizNode', source: trend },
      { kind: 'DataTableNode', source: rows },
    ])
      await app.ask(`${P}insights/`, {
        method: 'POST',
        body: { name: 'By e-mail', query, dashboards: [id] },
      });
    const { text, json } = await look(app, `/shared/${token}.json`);
    const results = json.dashboard.tiles.flatMap((tile: { insight: { result: unknown[] } | null }) =>
      tile.insight ? [tile.insight.result] : [],
    );
    expect(results.map((result: unknown[]) => result.length)).toEqual([2, 2]);
    expect(results[0].map((line: { label: string }) => line.label)).toEqual(['[hidden 1]', '[hidden 2]']);
    expect(text).not.toContain('local.test');
    expect((await look(app, `/shared/${token}`)).text).not.toContain('local.test');
  });

  test('hides other dashboards of its insights', async () => {
    const { app, id, token } = await openShared();
    const other = await app.ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Other' } });
    await makeInsight(app, 'Signups', [id, other.json.id]);
    const { json } = await look(app, `/shared/${token}.json`);
    const { insight } = json.dashboard.tiles.find((tile: { insight: unknown }) => tile.insight !== null);
    expect(insight.dashboards).toEqual([id]);
    expect(insight.dashboard_tiles.map((tile: { dashboard_id: number }) => tile.dashboard_id)).toEqual([id]);
  });

  test('M4.3/flags are included only when on, by the settings or the URL', async () => {
    const { app, id, token } = await openShared();
    const body = { settings: { legend: true, detailed: false, unknown: 1, theme: 'dark' } };
    await app.ask(`${P}dashboards/${id}/sharing/`, { method: 'PATCH', body });
    const { json } = await look(app, `/shared/${token}.json?whitelabel&noHeader=false`);
    const { type: _, accessToken: _token, dashboard: _dashboard, themes: _themes, ...flags } = json;
    expect(flags).toEqual({ legend: true, whitelabel: true, theme: 'dark' });
  });

  test('M4.3/filters-override is ignored', async () => {
    const { app, token } = await openShared();
    const override = encodeURIComponent(JSON.stringify({ date_from: '-99d' }));
    const { text } = await look(app, `/shared/${token}.json?filters_override=${override}`);
    expect(text).not.toContain('-99d');
  });
});

describe('M4.3/insight a shared insight', () => {
  test('has its own link, by either of its ids, and shows only itself', async () => {
    const app = await openTestApp({ sharedDir: buildPage() });
    const insight = await makeInsight(app, 'Signups');
    const path = (id: number | string) => `${P}insights/${id}/sharing/`;
    const link = await app.ask(path(insight.short_id), { method: 'PATCH', body: { enabled: true } });
    expect(Object.keys(link.json).toSorted()).toEqual(['access_token', 'created_at', 'enabled']);
    expect((await app.ask(path(insight.id))).json).toEqual(link.json);
    const token = link.json.access_token;
    const { status, text, json } = await look(app, `/shared/${token}.json`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      type: 'scene',
      insight: {
        id: insight.id,
        name: 'Signups',
        created_by: null,
        last_modified_by: null,
        effective_restriction_level: 37,
        effective_privilege_level: 21,
        user_access_level: null,
        query: { source: { properties: [{ key: 'email', value: '[hidden]' }] } },
      },
    });
    expect(text).not.toContain('@');
    expect((await look(app, `/embedded/${token}`)).text).toContain('<title>Signups</title>');
    expect((await app.ask('/api/burrow/sharing/')).json.links).toMatchObject([
      { kind: 'insight', id: insight.id, name: 'Signups' },
    ]);
    await app.ask(`${P}insights/${insight.id}/`, { method: 'PATCH', body: { deleted: true } });
    expect((await look(app, `/shared/${token}`)).status).toBe(404);
    expect((await app.ask(path(insight.id))).status).toBe(404);
    expect((await app.ask(path('nothing'))).status).toBe(404);
  });

  test('is shared by users with edit access', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const body = { name: 'Closed', restriction_level: 37 };
    const { id } = (await app.ask(`${P}dashboards/`, { method: 'POST', body })).json;
    const insight = await makeInsight(app, 'Signups', [id]);
    const path = `${P}insights/${insight.id}/sharing/`;
    expect((await lin.ask(path)).status).toBe(200);
    expect((await lin.ask(path, { method: 'PATCH', body: { enabled: true } })).status).toBe(403);
    expect((await lin.ask(`${path}refresh/`, { method: 'POST' })).status).toBe(403);
  });
});

describe('M4.3/unknown unshared objects', () => {
  test('are an empty page with 404, and as JSON the usual error', async () => {
    const { app, id, token } = await openShared();
    await app.ask(`${P}dashboards/${id}/sharing/`, { method: 'PATCH', body: { enabled: false } });
    for (const none of [token, 'x'.repeat(30), 'x', '%00', 'a%2Fb', 'x'.repeat(2_000)]) {
      for (const path of ['/shared/', '/shared_dashboard/', '/embedded/']) {
        const page = await look(app, path + none);
        expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(dataIn(page.text)).toEqual({ type: 'missing' });
        expect(page.headers['x-robots-tag']).toBe('noindex, nofollow');
        expect(await look(app, `${path}${none}.json`)).toMatchObject({
          status: 404,
          json: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
        });
      }
    }
  });

  test('M4.3/deleted the link of a deleted dashboard is a 404, and works again after it is restored', async () => {
    const { app, id, token } = await openShared();
    const set = (deleted: boolean) =>
      app.ask(`${P}dashboards/${id}/`, { method: 'PATCH', body: { deleted } });
    await set(true);
    expect((await look(app, `/shared/${token}`)).status).toBe(404);
    expect((await look(app, `/shared/${token}.json`)).json.code).toBe('not_found');
    await set(false);
    expect((await look(app, `/shared/${token}`)).status).toBe(200);
  });

  test('M4.3/png a picture is not available', async () => {
    const { app, token } = await openShared();
    expect((await look(app, `/shared/${token}.png`)).status).toBe(404);
  });

  test('are a 404 once their project is deleted', async () => {
    const app = await openTestApp();
    const path = '/api/organizations/@current/projects/';
    const project = (await app.ask(path, { method: 'POST', body: { name: 'Shop' } })).json;
    const dashboards = `/api/projects/${project.id}/dashboards/`;
    const { id } = (await app.ask(dashboards, { method: 'POST', body: {} })).json;
    const body = { enabled: true };
    const link = (await app.ask(`${dashboards}${id}/sharing/`, { method: 'PATCH', body })).json;
    expect((await look(app, `/shared/${link.access_token}`)).status).toBe(200);
    await app.ask(`${path}${project.id}/`, { method: 'DELETE' });
    expect((await look(app, `/shared/${link.access_token}`)).status).toBe(404);
  });
});

test('a failure of a shared page is logged without its token', async () => {
  const { app, token } = await openShared();
  await app.store.db.run('DROP TABLE dashboard_tiles');
  const { status, json } = await look(app, `/shared/${token}`);
  expect([status, json.code]).toEqual([500, 'error']);
  expect(app.errors).toHaveLength(1);
  const [{ fields, message }] = app.errors as [{ fields: { err: Error }; message: string }];
  expect(`${message} ${JSON.stringify(fields)} ${fields.err.stack}`).not.toContain(token);
});

describe('M2.2/sharing-token the token of a link instead of a key', () => {
  const asked = (app: TestApp, path: string, token: string, method = 'GET') =>
    app.ask(`${P}${path}?sharing_access_token=${token}`, { method, key: null });

  test('reads types of groups', async () => {
    const { app, token } = await openShared();
    expect(await asked(app, 'groups_types/', token)).toMatchObject({ status: 200, json: [] });
    expect((await asked(app, 'groups_types/', token, 'HEAD')).status).toBe(200);
  });

  test('reads the insights of its dashboard, and no other', async () => {
    const { app, id, token } = await openShared();
    const [first, second] = [await makeInsight(app, 'First', [id]), await makeInsight(app, 'Second', [id])];
    const other = await makeInsight(app, 'Other');
    const list = await asked(app, 'insights/', token);
    expect(list).toMatchObject({ status: 200, json: { count: 2, next: null, previous: null } });
    expect(list.json.results.map(({ id: one }: { id: number }) => one).toSorted()).toEqual([
      first.id,
      second.id,
    ]);
    expect(list.text).not.toContain('@');
    for (const key of [first.id, first.short_id])
      expect(await asked(app, `insights/${key}/`, token)).toMatchObject({
        status: 200,
        json: { name: 'First', created_by: null, user_access_level: null },
      });
    const path = `${P}insights/?sharing_access_token=${token}`;
    expect((await app.ask(`${path}&short_id=${second.short_id}`, { key: null })).json.count).toBe(1);
    const page = (await app.ask(`${path}&limit=1`, { key: null })).json;
    expect(page.results).toHaveLength(1);
    expect(page.next).toContain('offset=1');
    expect((await asked(app, `insights/${other.id}/`, token)).status).toBe(404);
    for (const [where, method] of [
      [`insights/${first.id}/`, 'PATCH'],
      [`insights/${first.id}/viewed/`, 'POST'],
      ['insights/my_last_viewed/', 'GET'],
    ] as const)
      expect((await asked(app, where, token, method)).status).toBe(401);
  });

  test('cannot read or change other objects, and ends with the link', async () => {
    const { app, id, token } = await openShared();
    for (const [path, method] of [
      ['dashboards/', 'GET'],
      [`dashboards/${id}/`, 'GET'],
      ['events/', 'GET'],
      ['groups_types/', 'POST'],
      ['dashboards/', 'POST'],
    ] as const) {
      const answer = await asked(app, path, token, method);
      if (method === 'POST' && answer.status === 405) continue;
      expect([path, answer.status, answer.json]).toEqual([
        path,
        401,
        expect.objectContaining({ type: 'authentication_error', code: 'authentication_failed' }),
      ]);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect((await asked(app, 'groups_types/', 'x'.repeat(30))).status).toBe(401);
    await app.ask(`${P}dashboards/${id}/sharing/`, { method: 'PATCH', body: { enabled: false } });
    expect((await asked(app, 'groups_types/', token)).status).toBe(401);
  });

  test('an empty one counts as absent, and a key takes precedence', async () => {
    const { app } = await openShared();
    expect((await asked(app, 'groups_types/', '')).json.code).toBe('not_authenticated');
    const path = `${P}dashboards/?sharing_access_token=wrong`;
    expect((await app.ask(path)).status).toBe(200);
  });

  test('of one project is refused in another', async () => {
    const { app, token } = await openShared();
    const path = `/api/projects/77/groups_types/?sharing_access_token=${token}`;
    expect(await app.ask(path, { key: null })).toMatchObject({
      status: 404,
      json: { detail: 'Project not found.' },
    });
  });
});
