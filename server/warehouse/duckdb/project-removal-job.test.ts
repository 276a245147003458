import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesWith } from '../../../test/support/files-with.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Store } from '../../db/client.ts';
import { listProjectTables, PARTS } from './project-tables.ts';

/** What belongs to the machine, its organization or its people, and to no project. */
const OF_NO_PROJECT = [
  'events_state',
  'hot_columns',
  'organization_members',
  'organizations',
  'personal_api_keys',
  'persons_state',
  'projects',
  'retention_clock',
  'schema_migrations',
  'server_settings',
  'user_profiles',
  'users',
  // What ClickHouse is to delete outlives the rows of the project.
  'warehouse_copies',
  'warehouse_deletions',
  'warehouse_stream',
];
const LATE_MS = 10_000;

async function newProject(app: TestApp): Promise<{ id: number; api_token: string }> {
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Shop' },
  });
  expect(made.status).toBe(201);
  return made.json;
}

/** Events with persons, merges, groups, new names and a warning: rows in every table that commits write. */
async function capture(app: TestApp, token: string, mark: string, count = 3): Promise<void> {
  const people = Array.from({ length: count }, (_, n) => ({
    event: `bought ${mark}`,
    distinct_id: `${mark}-u${n}`,
    properties: {
      secret: `${mark}-secret`,
      $set: { email: `${mark}-${n}@example.com` },
      $groups: { shop: `${mark}-shop` },
    },
  }));
  const batch = [
    ...people,
    { event: '$identify', distinct_id: `${mark}-named`, properties: { $anon_distinct_id: `${mark}-u0` } },
    {
      event: '$groupidentify',
      distinct_id: `${mark}-u1`,
      properties: { $group_type: 'shop', $group_key: `${mark}-shop`, $group_set: { name: `${mark}-shop` } },
    },
    { event: '$create_alias', distinct_id: `${mark}-u1`, properties: { alias: 'undefined' } },
  ];
  const body = { api_key: token, batch };
  expect((await app.ask('/batch/', { method: 'POST', key: null, body })).status).toBe(200);
}

/** Something in the tables that the management API writes. */
async function describeThings(app: TestApp, id: number, mark: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await app.ask(`/api/projects/${id}/${path}`, { method: 'POST', body });
    expect(answer.status, `${path} ${answer.text}`).toBe(201);
    return answer.json;
  };
  const dashboard = await post('dashboards/', { name: `${mark}-dashboard` });
  const tiles = [{ text: { body: `${mark}-text` }, layouts: {} }];
  const changed = await app.ask(`/api/projects/${id}/dashboards/${dashboard.id}/`, {
    method: 'PATCH',
    body: { tiles },
  });
  expect(changed.json.tiles).toHaveLength(1);
  await post('cohorts/', { name: `${mark}-cohort`, is_static: true, csv: `${mark}-u1` });
  await post('annotations/', { content: `${mark}-note`, date_marker: '2026-11-20T00:00:00Z' });
  await app.ask(`/api/projects/${id}/burrow/retention/`, { method: 'PUT', body: { max_days: 400 } });
}

async function tablesWith(store: Store, column: string): Promise<string[]> {
  const tables = await store.db.all<{ name: string }>(
    `SELECT table_name AS name FROM duckdb_tables() JOIN duckdb_columns() USING (table_name)
     WHERE column_name = $column AND table_name <> 'project_removals' ORDER BY 1`,
    { column },
  );
  return [...new Set(tables.map(({ name }) => name))];
}

async function rowsOf(store: Store, projectId: number): Promise<Record<string, number>> {
  const tables = await tablesWith(store, 'project_id');
  // All in one statement: a row that is settled between two would be counted in both of its tables, or in neither.
  const each = tables.map((table) => {
    const noun = table.replace(/_(recent|settled)$/, '');
    return `SELECT '${noun}' AS noun, count(*) AS n FROM ${table} WHERE project_id = ${projectId}`;
  });
  const rows = await store.db.all<{ noun: string; n: number }>(
    `SELECT noun, sum(n)::INTEGER AS n FROM (${each.join(' UNION ALL ')}) GROUP BY noun HAVING sum(n) > 0`,
  );
  const counts = Object.fromEntries(rows.map(({ noun, n }) => [noun, n]));
  for (const { name, column, parent } of PARTS) {
    const orphans = `SELECT count(*) AS n FROM ${name} WHERE ${column} NOT IN (SELECT id FROM ${parent})`;
    expect(await store.db.first(orphans)).toEqual({ n: 0 });
  }
  return counts;
}

async function personIds(app: TestApp, projectId: number): Promise<number[]> {
  const { results } = (await app.ask(`/api/projects/${projectId}/persons/`)).json as {
    results: { id: number }[];
  };
  expect(results.length).toBeGreaterThan(0);
  return results.map(({ id }) => id);
}

async function untilGone(store: Store, table: string): Promise<void> {
  await expect.poll(() => store.db.all(`SELECT 1 FROM ${table}`), { timeout: 20_000 }).toEqual([]);
}

test('every table has project rows, is part of one that has, or is listed as having none', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const all = await store.db.all<{ name: string }>(
    'SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal',
  );
  const ofProjects = [
    ...(await tablesWith(store, 'project_id')),
    ...PARTS.map(({ name }) => name),
    'project_removals',
  ];
  const rest = all
    .map(({ name }) => name)
    .filter((name) => !ofProjects.includes(name) && !name.startsWith('erasure'));
  expect(rest.toSorted()).toEqual(OF_NO_PROJECT);
});

test('recent rows are deleted before the tables that maintenance moves them to', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  onTestFinished(() => instance.closeSync());
  for (const name of ['events', 'events_recent', 'persons_recent', 'persons_settled', 'cohort_people'])
    await connection.run(`CREATE TABLE ${name} (project_id INTEGER)`);
  const names = (await listProjectTables(connection)).map(({ name }) => name);
  expect(names).toEqual(['events_recent', 'persons_recent', 'cohort_people', 'events', 'persons_settled']);
});

describe('a deleted project', () => {
  test('is deleted with everything in it, and other projects are unchanged', async () => {
    const app = await openTestApp();
    const { id, api_token: token } = await newProject(app);
    for (const [at, key, mark] of [
      [1, TEST_TOKEN, 'kept'],
      [id, token, 'gone'],
    ] as const) {
      await capture(app, key, mark);
      await describeThings(app, at, mark);
    }
    // Warnings are written a moment after their events, or on request.
    await app.ask('/api/projects/1/burrow/ingestion_warnings/');
    const kept = await rowsOf(app.store, 1);
    expect(Object.keys(await rowsOf(app.store, id)).length).toBeGreaterThan(10);
    expect((await app.ask(`/api/projects/${id}/`, { method: 'DELETE' })).status).toBe(204);
    expect(await rowsOf(app.store, id)).toEqual({});
    expect(await rowsOf(app.store, 1)).toEqual(kept);
    const events = { api_key: token, event: 'late', distinct_id: 'u1' };
    expect((await app.ask('/capture/', { method: 'POST', key: null, body: events })).status).toBe(401);
    expect(await app.ask(`/api/projects/${id}/`)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    await capture(app, TEST_TOKEN, 'kept');
    const persons = (await app.ask('/api/projects/1/persons/?search=kept')).json.results;
    expect(persons).toHaveLength(3);
  });

  test('includes rows that a running request still wrote', async () => {
    const app = await openTestApp();
    const { id } = await newProject(app);
    await app.ask(`/api/projects/${id}/`, { method: 'DELETE' });
    await app.store.db.run(
      `INSERT INTO event_properties VALUES (${id}, 'late', 'late'), (1, 'mine', 'mine')`,
    );
    app.clock.now += LATE_MS;
    await untilGone(app.store, 'project_removals');
    expect(await rowsOf(app.store, id)).toEqual({});
    expect(await app.store.db.all('SELECT event FROM event_properties WHERE project_id = 1')).toEqual([
      { event: 'mine' },
    ]);
  });

  test('is deleted also during ingestion, and events of others are kept', async () => {
    const app = await openTestApp();
    const { id, api_token: token } = await newProject(app);
    await capture(app, token, 'gone', 50);
    /** Thirty requests, or for the deleted project as many as it takes until the first is refused. */
    const pour = async (key: string, mark: string) => {
      const statuses: number[] = [];
      for (let n = 0; n < 30 || (key === token && !statuses.includes(401)); n++) {
        const batch = [
          { event: 'poured', distinct_id: `${mark}-p${n}`, properties: { $set: { n } } },
          {
            event: '$identify',
            distinct_id: `${mark}-p${n}`,
            properties: { $anon_distinct_id: `${mark}-u${n}` },
          },
          { event: 'poured', distinct_id: `${mark}-u${n}`, properties: { $groups: { shop: `s${n}` } } },
        ];
        statuses.push(
          (await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: key, batch } })).status,
        );
      }
      return statuses;
    };
    const poured = Promise.all([pour(token, 'gone'), pour(token, 'gone'), pour(TEST_TOKEN, 'kept')]);
    expect((await app.ask(`/api/projects/${id}/`, { method: 'DELETE' })).status).toBe(204);
    const [ofDeleted, , ofKept] = await poured;
    expect(ofDeleted).toContain(401);
    expect(new Set(ofDeleted)).not.toContain(500);
    expect(new Set(ofKept)).toEqual(new Set([200]));
    // In ten real seconds warnings about the last events are saved by themselves; this clock jumps.
    await app.store.service('capture').call({ kind: 'ingestion_warnings.save' });
    app.clock.now += LATE_MS;
    await untilGone(app.store, 'project_removals');
    expect(await rowsOf(app.store, id)).toEqual({});
    expect(await app.store.db.first('SELECT count(*) AS n FROM all_events')).toEqual({ n: 90 });
    expect(app.errors).toEqual([]);
  });

  test('that a process has not finished deleting is deleted at the next start', async () => {
    const folder = await newFolder();
    const path = join(folder, 'burrow.duckdb');
    const store = await openTestStore({ path });
    await store.db.run(`INSERT INTO event_properties VALUES (2, 'a', 'b'), (1, 'c', 'd')`);
    await store.db.run(`INSERT INTO project_removals VALUES (2, now()::TIMESTAMP)`);
    await store.close();
    const again = await openTestStore({ path });
    onTestFinished(() => again.close());
    await untilGone(again, 'project_removals');
    expect(await again.db.all('SELECT project_id AS id FROM event_properties')).toEqual([{ id: 1 }]);
  });

  test('does not free its ids: no person of another project gets one of them, also after a restart', async () => {
    const folder = await newFolder();
    const path = join(folder, 'burrow.duckdb');
    const store = await openTestStore({ path });
    const app = await openTestApp({ store });
    const { id, api_token: token } = await newProject(app);
    await capture(app, token, 'gone');
    const gone = await personIds(app, id);
    expect((await app.ask(`/api/projects/${id}/`, { method: 'DELETE' })).status).toBe(204);
    await store.close();
    const again = await openTestStore({ path });
    onTestFinished(() => again.close());
    const next = await openTestApp({ store: again });
    await capture(next, TEST_TOKEN, 'kept');
    expect(Math.min(...(await personIds(next, 1)))).toBeGreaterThan(Math.max(...gone));
  });

  test('is erased from the file: its events, persons, groups, names and warnings', async () => {
    const folder = await newFolder();
    const store = await openTestStore({ path: join(folder, 'burrow.duckdb') });
    onTestFinished(() => store.close());
    await store.db.run("SET GLOBAL force_compression = 'uncompressed'");
    const app = await openTestApp({ store });
    const { id, api_token: token } = await newProject(app);
    await capture(app, TEST_TOKEN, 'kept', 500);
    await capture(app, token, 'Vb3xHs9', 2_000);
    // DuckDB refuses while another transaction writes, as compaction does now and then.
    const checkpoint = () =>
      store.db.run('CHECKPOINT').then(
        () => true,
        () => false,
      );
    await expect.poll(checkpoint, { timeout: 10_000 }).toBe(true);
    await capture(app, token, 'Vb3xHs9', 2_000);
    expect(await filesWith(folder, 'Vb3xHs9')).not.toEqual([]);
    await app.ask(`/api/projects/${id}/`, { method: 'DELETE' });
    // The store of this test has a clock of its own.
    await store.db.run(`UPDATE project_removals SET requested_at = requested_at - INTERVAL 1 YEAR`);
    await untilGone(store, 'project_removals');
    await untilGone(store, 'erasures');
    expect(await filesWith(folder, 'Vb3xHs9')).toEqual([]);
    expect(await store.db.first('SELECT count(*) AS n FROM all_events')).toEqual({ n: 503 });
  }, 180_000);
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-removal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
