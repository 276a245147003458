import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { firstMissing, migrate, MIGRATIONS, type Migration } from './migrate.ts';
import { openDatabase } from './open.ts';

const FIRST: Migration = {
  number: 1,
  name: '0001-a',
  sql: 'CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);',
};
const SECOND: Migration = { number: 2, name: '0002-b', sql: 'ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 7;' };
const BROKEN: Migration = {
  number: 2,
  name: '0002-b',
  sql: 'CREATE TABLE b (x INTEGER); SELECT nothing FROM nowhere;',
};

let folder: string;
let path: string;
let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-migrate-'));
  path = join(folder, 'burrow.duckdb');
  instance = await openDatabase({ path, memoryLimitBytes: 256 * 1_048_576 }, silentLog, () => 0);
  connection = await instance.connect();
});

afterEach(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
});

const run = (migrations: readonly Migration[]): Promise<void> =>
  migrate(connection, { path, log: silentLog, now: () => 0, migrations });

const rows = async (sql: string): Promise<unknown> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson();

test('each migration runs once, in order', async () => {
  await run([FIRST]);
  await run([FIRST, SECOND]);
  await run([FIRST, SECOND]);
  expect(await rows('SELECT * FROM a')).toEqual([{ x: 1, y: 7 }]);
  expect(await rows('SELECT number, name FROM schema_migrations ORDER BY number')).toEqual([
    { number: 1, name: '0001-a' },
    { number: 2, name: '0002-b' },
  ]);
});

test('a new database needs no copy before migrations; one with data needs one for each version', async () => {
  expect(await firstMissing(connection, [FIRST, SECOND])).toBe(null);
  await run([FIRST]);
  expect(await firstMissing(connection, [FIRST])).toBe(null);
  expect(await firstMissing(connection, [FIRST, SECOND])).toBe(2);
  await run([FIRST, SECOND]);
  expect(await firstMissing(connection, [FIRST, SECOND])).toBe(null);
});

test('a migration that fails is rolled back, and can be run again', async () => {
  await run([FIRST]);
  await expect(run([FIRST, BROKEN])).rejects.toThrow(/nowhere/);
  expect(await rows("SELECT count(*)::INTEGER AS n FROM duckdb_tables() WHERE table_name = 'b'")).toEqual([
    { n: 0 },
  ]);
  await run([FIRST, SECOND]);
  expect(await rows('SELECT y FROM a')).toEqual([{ y: 7 }]);
});

test('a file of a newer version is refused with a message', async () => {
  await run([FIRST, SECOND]);
  await expect(run([FIRST])).rejects.toMatchObject({
    reason: 'newer_version',
    message: expect.stringContaining(path),
  });
});

test('the migrations of this version are numbered without gaps', () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test('a process that is killed after the migrations leaves a file that opens', async () => {
  await migrate(connection, { path, log: silentLog, now: Date.now });
  const copy = join(folder, 'killed.duckdb');
  await copyFile(path, copy);
  await copyFile(`${path}.wal`, `${copy}.wal`);
  const killed = await openDatabase({ path: copy, memoryLimitBytes: 256 * 1_048_576 }, silentLog, () => 0);
  const again = await killed.connect();
  await migrate(again, { path: copy, log: silentLog, now: Date.now });
  expect((await again.runAndReadAll('SELECT count(*)::INTEGER FROM schema_migrations')).value(0, 0)).toBe(
    MIGRATIONS.length,
  );
  again.closeSync();
  killed.closeSync();
});

test('spilled files of a killed process are deleted once the file is open', async () => {
  const other = join(folder, 'other.duckdb');
  await mkdir(`${other}.tmp`);
  await writeFile(join(`${other}.tmp`, 'duckdb_temp_storage_S32K-0.tmp'), 'spilled');
  const opened = await openDatabase({ path: other, memoryLimitBytes: 256 * 1_048_576 }, silentLog, () => 0);
  expect(existsSync(`${other}.tmp`)).toBe(false);
  opened.closeSync();
});

test('users of a file from before profiles are verified as before', async () => {
  await run(MIGRATIONS.filter(({ number }) => number < 8));
  await connection.run(
    `INSERT INTO users (uuid, distinct_id, email, created_at) VALUES (uuid(), 'd', 'owner@shop.example', now()::TIMESTAMP)`,
  );
  await run(MIGRATIONS);
  expect(await rows('SELECT email, is_email_verified FROM users JOIN user_profiles ON user_id = id')).toEqual(
    [{ email: 'owner@shop.example', is_email_verified: true }],
  );
});

test('A-10 a link of a file from before creators belongs to the user who last enabled it, by the activity log', async () => {
  await run(MIGRATIONS.filter(({ number }) => number < 27));
  const link = (project: number, dashboard: string, insight: string, token: string) =>
    connection.run(
      `INSERT INTO sharing_configurations BY NAME SELECT uuid() AS id, ${project} AS project_id, ${dashboard} AS dashboard_id,
        ${insight} AS insight_id, true AS enabled, '${token}' AS access_token, sha256('${token}') AS token_hash,
        true AS token_used, '{}' AS settings, now()::TIMESTAMP AS created_at`,
    );
  await link(1, '5', 'NULL', 'board');
  await link(1, 'NULL', '5', 'insight');
  await link(2, '5', 'NULL', 'elsewhere');
  await link(1, '6', 'NULL', 'unlogged');
  const logged: [number, number, string, string, string, string][] = [
    [1, 11, 'sharing enabled', 'Dashboard', '5', '2026-11-01'],
    [1, 13, 'sharing disabled', 'Dashboard', '5', '2026-11-02'],
    [1, 12, 'sharing enabled', 'Dashboard', '5', '2026-11-03'],
    [1, 14, 'updated', 'Dashboard', '5', '2026-11-04'],
    [1, 15, 'sharing enabled', 'Insight', '5', '2026-11-05'],
    [2, 16, 'sharing enabled', 'Dashboard', '5', '2026-11-02'],
    [2, 17, 'sharing enabled', 'Dashboard', '6', '2026-11-02'],
  ];
  for (const [project, user, activity, scope, item, day] of logged)
    await connection.run(
      `INSERT INTO activity_log VALUES (uuid(), uuid(), ${project}, ${user}, '${activity}', '${scope}', '${item}', '{}', '${day}')`,
    );
  await run(MIGRATIONS);
  expect(
    await rows('SELECT access_token, enabled_by FROM sharing_configurations ORDER BY access_token'),
  ).toEqual([
    { access_token: 'board', enabled_by: 12 },
    { access_token: 'elsewhere', enabled_by: 16 },
    { access_token: 'insight', enabled_by: 15 },
    { access_token: 'unlogged', enabled_by: null },
  ]);
});
