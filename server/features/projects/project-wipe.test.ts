import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesWith } from '../../../test/support/files-with.ts';
import { addMember } from '../../../test/support/members.ts';
import { createKey, createProject } from '../../../test/support/owner-calls.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import type { Store } from '../../db/client.ts';
import { listProjectTables } from '../../warehouse/duckdb/project-tables.ts';
import { WIPED_TABLES } from '../../warehouse/duckdb/project-wipe.ts';

const PATH = '/api/projects/1/burrow/events/';
const wipe = { method: 'DELETE' };
const UUID = '0190f0c1-1111-7000-8000-00000000000';

/** Tables of definitions that users created in a project, and of names of its parts. */
const KEPT_TABLES = [
  'access_control_management',
  'access_controls',
  'actions',
  'activity_log',
  'alerts',
  'annotations',
  'cohorts',
  'copies',
  'dashboard_collaborators',
  'dashboard_templates',
  'dashboard_texts',
  'dashboard_tiles',
  'dashboards',
  'early_access_features',
  'feature_flags',
  'flag_overrides',
  'forwarding',
  'group_types',
  'import_mappings',
  'imports',
  'insight_variables',
  'insight_views',
  'insights',
  'project_retention',
  'project_secrets',
  'sharing_configurations',
  'surveys',
];

async function capture(app: TestApp, mark: string, token = TEST_TOKEN, count = 3): Promise<void> {
  const batch: object[] = Array.from({ length: count }, (_, n) => ({
    event: `bought ${mark}`,
    distinct_id: `${mark}-u${n}`,
    ...(n < 10 ? { uuid: `${UUID}${n}` } : {}),
    properties: {
      secret: `${mark}-secret`,
      $set: { email: `${mark}-${n}@shop.example` },
      $groups: { shop: mark },
    },
  }));
  batch.push(
    { event: '$identify', distinct_id: `${mark}-named`, properties: { $anon_distinct_id: `${mark}-u0` } },
    {
      event: '$groupidentify',
      distinct_id: `${mark}-u1`,
      properties: { $group_type: 'shop', $group_key: mark, $group_set: { name: `${mark} shop` } },
    },
    { event: '$create_alias', distinct_id: `${mark}-u1`, properties: { alias: 'undefined' } },
  );
  const body = { api_key: token, batch };
  expect((await app.ask('/batch/', { method: 'POST', key: null, body })).status).toBe(200);
}

const all = (store: Store, sql: string) => store.db.all<Record<string, unknown>>(sql);

async function rowsOf(store: Store, projectId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of WIPED_TABLES) {
    const [row] = await all(store, `SELECT count(*) AS n FROM ${table} WHERE project_id = ${projectId}`);
    if (row!['n'] !== 0) counts[table] = row!['n'] as number;
  }
  return counts;
}

test('every table of a project is either wiped or explicitly kept', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const tables = await listProjectTables({
    runAndReadAll: async (sql: string) => {
      const rows = await store.db.all<Record<string, unknown>>(sql);
      return { getRows: () => rows.map((row) => Object.values(row)) };
    },
  } as never);
  const names = new Set(tables.map(({ name }) => name));
  const rest = [...names].filter((name) => !(WIPED_TABLES as readonly string[]).includes(name));
  expect(rest.toSorted()).toEqual(KEPT_TABLES);
});

describe('a wiped project', () => {
  test('keeps dashboards and other definitions, logs the user, and other projects are unchanged', async () => {
    const app = await openTestApp();
    const other = await createProject(app);
    const { api_token: otherToken } = (await app.ask(`/api/projects/${other}/`)).json;
    await capture(app, 'gone');
    await capture(app, 'kept', otherToken);
    const dashboard = await app.ask('/api/projects/1/dashboards/', {
      method: 'POST',
      body: { name: 'Mine' },
    });
    const flag = await app.ask('/api/projects/1/feature_flags/', {
      method: 'POST',
      body: { key: 'new-editor', filters: { groups: [{ properties: [], rollout_percentage: 100 }] } },
    });
    const cohort = await app.ask('/api/projects/1/cohorts/', {
      method: 'POST',
      body: { name: 'Listed', is_static: true, csv: 'gone-u1' },
    });
    expect([dashboard.status, flag.status, cohort.status]).toEqual([201, 201, 201]);
    await app.ask('/api/projects/1/burrow/ingestion_warnings/');
    await app.ask(`/api/projects/${other}/burrow/ingestion_warnings/`);
    const keptRows = await rowsOf(app.store, other);

    expect(await app.ask(PATH, wipe)).toMatchObject({
      status: 200,
      json: { events: 6, persons: 3, groups: 1 },
    });
    expect(await rowsOf(app.store, 1)).toEqual({});
    expect(await rowsOf(app.store, other)).toEqual(keptRows);
    for (const path of ['events/', 'persons/', 'event_definitions/', 'property_definitions/']) {
      const { results } = (await app.ask(`/api/projects/1/${path}`)).json;
      // Virtual properties are computed, whatever is stored.
      expect(
        results.filter((one: { virtual?: boolean }) => one.virtual !== true),
        path,
      ).toEqual([]);
    }
    for (const path of [
      `dashboards/${dashboard.json.id}/`,
      `feature_flags/${flag.json.id}/`,
      `cohorts/${cohort.json.id}/`,
    ])
      expect((await app.ask(`/api/projects/1/${path}`)).status, path).toBe(200);
    const log = (await app.ask('/api/projects/1/activity_log/')).json.results;
    expect(log[0]).toMatchObject({
      activity: 'events deleted',
      scope: 'Project',
      detail: { name: 'Default' },
    });
  });

  test('stores the same persons, groups and uuids again as new', async () => {
    const app = await openTestApp();
    await capture(app, 'same');
    const ids = async () =>
      (await app.ask('/api/projects/1/persons/')).json.results.map(
        ({ id }: { id: number }) => id,
      ) as number[];
    const before = await ids();
    await app.ask(PATH, wipe);
    await capture(app, 'same');
    expect((await all(app.store, 'SELECT count(*) AS n FROM all_events'))[0]).toEqual({ n: 6 });
    const after = await ids();
    expect(after).toHaveLength(before.length);
    expect(Math.min(...after)).toBeGreaterThan(Math.max(...before));
    const answer = await app.ask('/api/projects/1/events/?event=bought%20same');
    expect(answer.json.results.map(({ id }: { id: string }) => id).toSorted()).toEqual([
      `${UUID}0`,
      `${UUID}1`,
      `${UUID}2`,
    ]);
    const names = (await app.ask('/api/projects/1/event_definitions/')).json.results;
    expect(names.map(({ name }: { name: string }) => name)).toContain('bought same');
    expect((await app.ask('/api/projects/1/groups/?group_type_index=0')).json.results).toHaveLength(1);
    expect(app.errors).toEqual([]);
  });

  test('under load: events acknowledged before are deleted, and every later event has its person', async () => {
    const app = await openTestApp();
    let isPouring = true;
    const statuses: number[] = [];
    const pour = async (mark: string) => {
      for (let n = 0; isPouring; n++) {
        const batch = [
          { event: 'poured', distinct_id: `${mark}-${n % 20}`, properties: { $set: { n } } },
          {
            event: '$identify',
            distinct_id: `${mark}-${n % 20}`,
            properties: { $anon_distinct_id: `a-${mark}-${n}` },
          },
        ];
        const body = { api_key: TEST_TOKEN, batch };
        statuses.push((await app.ask('/batch/', { method: 'POST', key: null, body })).status);
      }
    };
    const pouring = Promise.all([pour('a'), pour('b'), pour('c')]);
    await expect.poll(() => statuses.length).toBeGreaterThan(60);
    await capture(app, 'early');
    expect((await app.ask(PATH, wipe)).status).toBe(200);
    const so = statuses.length;
    await expect.poll(() => statuses.length).toBeGreaterThan(so + 60);
    isPouring = false;
    await pouring;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await all(app.store, `SELECT 1 FROM all_events WHERE event = 'bought early'`)).toEqual([]);
    const strays = `SELECT 1 FROM all_events e ANTI JOIN person_distinct_ids USING (project_id, distinct_id)`;
    expect(await all(app.store, strays)).toEqual([]);
    expect(
      await all(app.store, 'SELECT 1 FROM person_distinct_ids d ANTI JOIN persons p ON p.id = d.person_id'),
    ).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  test('leaves no data of its events in the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'burrow-wipe-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = await openTestStore({ path: join(folder, 'burrow.duckdb') });
    onTestFinished(() => store.close());
    await store.db.run("SET GLOBAL force_compression = 'uncompressed'");
    const app = await openTestApp({ store });
    await capture(app, 'Vb3xHs9', TEST_TOKEN, 2_000);
    expect((await app.ask('/api/burrow/storage/compact/', { method: 'POST' })).status).toBe(200);
    await capture(app, 'Vb3xHs9', TEST_TOKEN, 500);
    expect(await filesWith(folder, 'Vb3xHs9')).not.toEqual([]);
    expect((await app.ask(PATH, wipe)).status).toBe(200);
    await expect.poll(() => all(store, 'SELECT 1 FROM erasures'), { timeout: 60_000 }).toEqual([]);
    expect(await filesWith(folder, 'Vb3xHs9')).toEqual([]);
  }, 180_000);

  test('is for admins of the project only', async () => {
    const app = await openTestApp();
    const { key } = await addMember(app, 'lin@local.test');
    expect((await app.ask(PATH, { ...wipe, key })).status).toBe(403);
    expect((await app.ask(PATH, { ...wipe, key: await createKey(app, ['person:write']) })).status).toBe(403);
    expect((await app.ask(PATH, { ...wipe, key: null })).status).toBe(401);
  });
});
