import { describe, expect, test } from 'vitest';
import { dashboardsOf } from '../support/dashboard-client.ts';
import { addMember } from '../support/members.ts';
import { refusal, refusalOf } from '../support/refusals.ts';
import { openTestApp } from '../support/test-app.ts';

/** A dashboard with a text and an insight. */
async function openDashboard(body: object = {}) {
  const app = await openTestApp();
  const dashboards = dashboardsOf(app);
  const { id } = await dashboards.create({ name: 'Weekly', ...body });
  const insight = await dashboards.createInsight({ dashboards: [id] });
  await dashboards.patch(id, { tiles: [{ text: { body: 'Read me' } }] });
  const sharing = (method: string, rest = '', request?: unknown) =>
    dashboards.ask(method, `${id}/sharing/${rest}`, request);
  const open = (path: string) => app.ask(path, { key: null });
  const share = async (): Promise<string> =>
    (await sharing('PATCH', '', { enabled: true })).json.access_token;
  return { app, dashboards, id, insight, sharing, open, share };
}

describe('the sharing configuration', () => {
  test('M4.2/get is disabled at first, and keeps its token from then on', async () => {
    const { app, sharing } = await openDashboard();
    const { status, json } = await sharing('GET');
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(['access_token', 'created_at', 'enabled']);
    expect(json).toMatchObject({ enabled: false, created_at: '2026-11-20T09:30:00.000000Z' });
    expect(json.access_token).toMatch(/^[\w-]{22,400}$/);
    app.clock.now += 60_000;
    expect((await sharing('GET')).json).toEqual(json);
  });

  test('M4.2/unknown of an unknown dashboard', async () => {
    const { dashboards } = await openDashboard();
    for (const [method, path] of [
      ['GET', '999/sharing/'],
      ['PATCH', '999/sharing/'],
      ['POST', '999/sharing/refresh/'],
    ] as const) {
      const answer = await dashboards.ask(method, path, method === 'PATCH' ? { enabled: [] } : undefined);
      expect(refusalOf(answer)).toEqual(refusal('E-404'));
      expect(answer.json.detail).toBe('Dashboard not found.');
    }
  });

  test('M4.2/patch returns the sharing state, and ignores other fields of the body', async () => {
    const { dashboards, id, sharing } = await openDashboard();
    const before = (await sharing('GET')).json;
    const body = { enabled: 'true', access_token: 'mine', created_at: '2020-01-01T00:00:00Z' };
    const { status, json } = await sharing('PATCH', '', body);
    expect(status).toBe(200);
    expect(json).toEqual({ ...before, enabled: true });
    expect((await dashboards.get(id)).is_shared).toBe(true);
    expect((await dashboards.ask('GET', '')).json.results[0].is_shared).toBe(true);
    expect((await sharing('PATCH', '', { enabled: false })).json.enabled).toBe(false);
    expect((await dashboards.get(id)).is_shared).toBe(false);
    expect(refusalOf(await sharing('PATCH', '', { enabled: 'perhaps' }))).toEqual(
      refusal('E-TYPE', 'enabled'),
    );
  });

  test('M4.2/no-keys an empty body changes no field', async () => {
    const { sharing } = await openDashboard();
    const before = (await sharing('PATCH', '', { enabled: true })).json;
    const { status, json } = await sharing('PATCH', '', {});
    expect([status, json]).toEqual([200, before]);
  });

  test('M4.2/edit-rights is changed by users with edit access, and read by all', async () => {
    const { app, id } = await openDashboard({ restriction_level: 37 });
    const { key } = await addMember(app, 'lin@local.test');
    const theirs = dashboardsOf(app, { key });
    expect((await theirs.ask('GET', `${id}/sharing/`)).status).toBe(200);
    for (const [method, path] of [
      ['PATCH', 'sharing/'],
      ['POST', 'sharing/refresh/'],
    ] as const)
      expect(refusalOf(await theirs.ask(method, `${id}/${path}`, { enabled: true }))).toEqual(
        refusal('E-EDIT'),
      );
  });

  test('M4.2/settings are an object or null; a password is not available', async () => {
    const { sharing } = await openDashboard();
    for (const settings of [null, {}, { whitelabel: true, unknown: 1 }])
      expect((await sharing('PATCH', '', { settings })).status).toBe(200);
    for (const settings of ['none', [], { whitelabel: 'perhaps' }]) {
      const answer = await sharing('PATCH', '', { settings });
      expect(answer.status, JSON.stringify(settings)).toBe(400);
      expect(answer.json.attr).toMatch(/^settings/);
    }
    const password = await sharing('PATCH', '', { password_required: true });
    expect(password).toMatchObject({ status: 400, json: { attr: 'password_required' } });
  });

  test('M4.2/re-enable creates a new token, and the old one stays invalid', async () => {
    const { sharing, share, open } = await openDashboard();
    const old = await share();
    await sharing('PATCH', '', { enabled: false });
    expect((await open(`/shared/${old}`)).status).toBe(404);
    const token = await share();
    expect(token).not.toBe(old);
    expect((await open(`/shared/${old}`)).status).toBe(404);
    expect((await open(`/shared/${token}`)).status).toBe(200);
  });

  test('M4.2/refresh changes the token, and the old one works for 300 seconds more', async () => {
    const { app, sharing, share, open } = await openDashboard();
    const old = await share();
    const { status, json } = await sharing('POST', 'refresh/');
    expect([status, json.enabled]).toEqual([200, true]);
    expect(json.access_token).not.toBe(old);
    app.clock.now += 299_000;
    expect((await open(`/shared/${old}`)).status).toBe(200);
    app.clock.now += 2_000;
    expect((await open(`/shared/${old}`)).status).toBe(404);
    expect((await open(`/shared/${old}.json`)).status).toBe(404);
    expect((await open(`/shared/${json.access_token}`)).status).toBe(200);
    await sharing('PATCH', '', { enabled: false });
    expect((await sharing('POST', 'refresh/')).json.enabled).toBe(false);
  });

  test('M4.2/other-methods has no other methods', async () => {
    const { sharing } = await openDashboard();
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(refusalOf(await sharing(method)), method).toEqual(refusal('E-METHOD'));
  });

  test('M4.2/insights have one too', async () => {
    const { app, insight, open } = await openDashboard();
    const path = `/api/projects/1/insights/${insight.id}/sharing/`;
    const first = (await app.ask(path)).json;
    expect(first.enabled).toBe(false);
    const shared = await app.ask(path, { method: 'PATCH', body: { enabled: true } });
    expect(shared.json).toEqual({ ...first, enabled: true });
    expect((await open(`/shared/${first.access_token}`)).status).toBe(200);
    const refreshed = await app.ask(`${path}refresh/`, { method: 'POST' });
    expect(refreshed.json.access_token).not.toBe(first.access_token);
    expect(refusalOf(await app.ask(path, { method: 'PUT' }))).toEqual(refusal('E-METHOD'));
  });
});

describe('the public page', () => {
  test('M4.3/html is HTML with the dashboard in it; only the embedded one may be framed', async () => {
    const { share, open } = await openDashboard();
    const token = await share();
    for (const prefix of ['shared', 'shared_dashboard', 'embedded']) {
      const page = await open(`/${prefix}/${token}`);
      expect(page.status, prefix).toBe(200);
      expect(page.headers['content-type']).toMatch(/^text\/html/);
      expect(page.text).toContain('Weekly');
      const framing = `${page.headers['content-security-policy']} ${page.headers['x-frame-options'] ?? ''}`;
      if (prefix === 'embedded') expect(framing).not.toMatch(/frame-ancestors 'none'|DENY|SAMEORIGIN/);
      else expect(framing).toMatch(/frame-ancestors 'none'|DENY/);
    }
  });

  test('M4.3/json is the dashboard without user-specific fields', async () => {
    const { share, open, id, app } = await openDashboard({ restriction_level: 21 });
    const token = await share();
    for (const [path, type] of [
      [`/shared/${token}.json`, 'scene'],
      [`/embedded/${token}.json`, 'embed'],
    ] as const) {
      const { status, json, text } = await open(path);
      expect(status).toBe(200);
      expect(json).toMatchObject({
        type,
        accessToken: token,
        themes: expect.any(Array),
        dashboard: {
          id,
          name: 'Weekly',
          effective_restriction_level: 37,
          effective_privilege_level: 21,
          user_access_level: null,
        },
      });
      expect(json.dashboard.tiles).toHaveLength(2);
      expect(json).not.toHaveProperty('whitelabel');
      const { email } = (await app.ask('/api/users/@me/')).json;
      expect(text).not.toContain(email);
    }
    expect((await open(`/shared/${token}.json?whitelabel&noHeader=true`)).json).toMatchObject({
      whitelabel: true,
      noHeader: true,
    });
  });

  test('M4.3/png is not available', async () => {
    const { share, open } = await openDashboard();
    expect((await open(`/shared/${await share()}.png`)).status).toBe(404);
  });

  test('M4.3/unknown a token that is unknown, disabled or expired is a 404', async () => {
    const { sharing, open, app, id } = await openDashboard();
    const disabled = (await sharing('GET')).json.access_token;
    const expectClosed = async (token: string): Promise<void> => {
      const page = await open(`/shared/${token}`);
      expect(page.status).toBe(404);
      expect(page.headers['content-type']).toMatch(/^text\/html/);
      expect(refusalOf(await open(`/shared/${token}.json`))).toEqual(refusal('E-404'));
    };
    for (const token of ['unknown', disabled, "' OR 1=1 --", '%00'])
      await expectClosed(encodeURIComponent(token));
    const { json } = await sharing('PATCH', '', { enabled: true });
    const expiry = await app.ask(`/api/projects/1/burrow/dashboards/${id}/sharing_expiry/`, {
      method: 'PUT',
      body: { expires_at: new Date(app.clock.now + 60_000).toISOString() },
    });
    expect(expiry.status).toBe(200);
    expect((await open(`/shared/${json.access_token}`)).status).toBe(200);
    app.clock.now += 61_000;
    await expectClosed(json.access_token);
  });

  test('M4.3/deleted is a 404 with its dashboard, and works again after it is restored', async () => {
    const { share, open, dashboards, id } = await openDashboard();
    const token = await share();
    await dashboards.patch(id, { deleted: true });
    expect((await open(`/shared/${token}`)).status).toBe(404);
    expect(refusalOf(await open(`/shared/${token}.json`))).toEqual(refusal('E-404'));
    await dashboards.patch(id, { deleted: false });
    expect((await open(`/shared/${token}`)).status).toBe(200);
  });
});
