import { expect, test } from 'vitest';
import { selectObjects } from '../../server/lib/resource-table.ts';
import { openTestApp, shareTestApp } from '../support/test-app.ts';

const P = '/api/projects/1/';
const open = shareTestApp();

async function openResources() {
  const app = await open();
  return { app, resources: app.app.features.resources };
}

test('each resource has its own noun and activity log name', async () => {
  const { resources } = await openResources();
  expect(resources.length).toBeGreaterThan(10);
  for (const field of ['noun', 'activity'] as const)
    expect(resources.map((resource) => resource[field])).toEqual([
      ...new Set(resources.map((resource) => resource[field])),
    ]);
});

test('the table of each resource has the columns that its history, search and tags read', async () => {
  const { app, resources } = await openResources();
  for (const { noun, table, search, tags, history, access } of resources) {
    // Rules of one object hide it from lists by its number.
    if (access !== undefined) expect([noun, table?.key]).toEqual([noun, undefined]);
    expect([noun, table !== undefined]).toEqual([noun, Boolean(search ?? tags ?? history)]);
    if (table === undefined) continue;
    const columns = [
      ...(search === undefined ? [] : [search.name ?? 'name', search.description ?? 'description']),
      ...(tags ? ['tags'] : []),
      ...(search?.details === undefined ? [] : [search.details]),
    ];
    const statement = selectObjects(table, { columns, where: [table.isLive, search?.where] });
    expect([noun, await app.store.db.all(`${statement} LIMIT 1`).then(() => 'read')]).toEqual([noun, 'read']);
  }
});

test('a key with read access to one resource reads only that one in search, tags, rules and history', async () => {
  const app = await openTestApp();
  const resources = app.app.features.resources;
  const made = await app.ask('/api/personal_api_keys/', {
    method: 'POST',
    body: { label: 'one resource', scopes: ['project:read'] },
  });
  const key = made.json.value as string;
  for (const { noun, history, access, search, tags } of resources) {
    const scopes = [`${noun}:read`, 'activity_log:read'];
    const patch = { method: 'PATCH', body: { scopes } };
    expect((await app.ask(`/api/personal_api_keys/${made.json.id}/`, patch)).status).toBe(200);
    const found = await app.ask(`${P}search/`, { key });
    expect([noun, found.status]).toEqual([noun, search === undefined ? 403 : 200]);
    if (search !== undefined) {
      const { counts } = found.json as { counts: Record<string, unknown> };
      expect(Object.keys(counts).filter((kind) => counts[kind] !== null)).toEqual([noun]);
    }
    expect([noun, (await app.ask(`${P}tags/`, { key })).status]).toEqual([noun, tags ? 200 : 403]);
    if (history !== undefined)
      expect([noun, (await app.ask(`${P}${history.path}/activity/`, { key })).status]).toEqual([noun, 200]);
    if (access !== undefined)
      expect([noun, (await app.ask(`${P}${noun}s/1/access_controls/`, { key })).status]).toEqual([noun, 404]);
    const rule = { resource: noun, access_level: 'viewer' };
    const put = await app.ask(`${P}resource_access_controls/`, { method: 'PUT', body: rule });
    expect([noun, put.status]).toEqual([noun, 200]);
  }
});
