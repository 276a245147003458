import { describe, expect, test } from 'vitest';
import { askHogql, type AskOptions } from '../../../test/support/ask-hogql.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { systemTables } from './system-tables.ts';

const EVERYTHING: AskOptions = { readableRows: () => ({ byDefault: true, exceptions: [] }) };

async function create(app: TestApp, path: string, body: object): Promise<any> {
  const { status, json } = await app.ask(`/api/projects/1/${path}/`, { method: 'POST', body });
  expect(status).toBe(201);
  return json;
}

async function query(app: TestApp, text: string, key?: string): Promise<{ status: number; json: any }> {
  return await app.ask('/api/projects/1/query/', {
    method: 'POST',
    body: { query: { kind: 'HogQLQuery', query: text } },
    ...(key !== undefined && { key }),
  });
}

describe('system tables', () => {
  test('show every column of every table', async () => {
    const app = await openTestApp();
    for (const { name, columns } of systemTables) {
      const { columns: names } = await askHogql(app, `SELECT * FROM ${name}`, EVERYTHING);
      expect(names).toEqual([...columns.keys()]);
    }
  });

  test('hold what the API has created, with its JSON', async () => {
    const app = await openTestApp();
    const flag = await create(app, 'feature_flags', {
      key: 'beta',
      name: 'Beta',
      filters: { groups: [{ properties: [], rollout_percentage: 40 }] },
    });
    const { json } = await query(
      app,
      "SELECT id, key, rollout_percentage, filters.groups, deleted, team_id FROM system.feature_flags WHERE key = 'beta'",
    );
    const [id, key, share, groups, deleted, team] = json.results[0];
    expect([id, key, share, deleted, team]).toEqual([flag.id, 'beta', 40, 0, 1]);
    expect(JSON.parse(groups)).toMatchObject([{ rollout_percentage: 40 }]);
  });

  test('show a change at the next query', async () => {
    const app = await openTestApp();
    const count = async (): Promise<unknown> =>
      (await query(app, 'SELECT count() FROM system.annotations')).json.results[0][0];
    const before = await count();
    await create(app, 'annotations', { content: 'Launch', date_marker: '2026-11-01T00:00:00Z' });
    expect(await count()).toBe(Number(before) + 1);
  });

  test('are unknown to a key without the scope of their resource', async () => {
    const app = await openTestApp();
    const { json: key } = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'Queries', scopes: ['query:read', 'annotation:read'] },
    });
    expect((await query(app, 'SELECT count() FROM system.annotations', key.value)).status).toBe(200);
    const { status, json } = await query(app, 'SELECT count() FROM system.feature_flags', key.value);
    expect(status).toBe(400);
    expect(json.detail).toContain('Unknown table "system.feature_flags"');
  });

  test('leave out what rules hide from the caller', async () => {
    const app = await openTestApp();
    const flags = [
      await create(app, 'feature_flags', { key: 'a' }),
      await create(app, 'feature_flags', { key: 'b' }),
    ];
    const hidden: AskOptions = {
      readableRows: () => ({ byDefault: true, exceptions: [flags[0].id] }),
    };
    expect((await askHogql(app, 'SELECT key FROM system.feature_flags', hidden)).results).toEqual([['b']]);
    const onlyOne: AskOptions = { readableRows: () => ({ byDefault: false, exceptions: [flags[0].id] }) };
    expect((await askHogql(app, 'SELECT key FROM system.feature_flags', onlyOne)).results).toEqual([['a']]);
  });

  test('show rows of the own project alone', async () => {
    const app = await openTestApp();
    await create(app, 'feature_flags', { key: 'mine' });
    const keys = async (projectId: number) =>
      (await askHogql(app, 'SELECT key FROM system.feature_flags', { ...EVERYTHING, projectId })).results;
    expect(await keys(1)).toEqual([['mine']]);
    expect(await keys(2)).toEqual([]);
  });

  test('are all known to an owner, and none but the warnings to a key that may only query', async () => {
    const app = await openTestApp();
    const { json: key } = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'Queries', scopes: ['query:read'] },
    });
    for (const { name } of systemTables) {
      expect((await query(app, `SELECT * FROM ${name}`)).status, name).toBe(200);
      const { status } = await query(app, `SELECT * FROM ${name}`, key.value);
      expect(status, name).toBe(name === 'system.ingestion_warnings' ? 200 : 400);
    }
  });

  test('A-10 warnings, whose samples name persons, are refused where persons are hidden', async () => {
    const app = await openTestApp();
    const hidden = askHogql(app, 'SELECT * FROM system.ingestion_warnings', {
      ...EVERYTHING,
      hidesPersons: true,
    });
    await expect(hidden).rejects.toThrow('system.ingestion_warnings');
  });

  test('are unknown to the queries of a shared link', async () => {
    const app = await openTestApp();
    await create(app, 'feature_flags', { key: 'secret-launch' });
    const source = { kind: 'HogQLQuery', query: 'SELECT key FROM system.feature_flags' };
    expect((await query(app, source.query)).json.results).toEqual([['secret-launch']]);
    const insight = await create(app, 'insights', {
      name: 'Flags',
      query: { kind: 'DataTableNode', source },
    });
    const sharing = await app.ask(`/api/projects/1/insights/${insight.id}/sharing/`, {
      method: 'PATCH',
      body: { enabled: true },
    });
    const shown = await app.ask(`/shared/${sharing.json.access_token}.json`, { key: null });
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('Unknown table');
    expect(shown.text).not.toContain('secret-launch');
  });
});
