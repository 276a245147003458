import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { check } from '../../server/check.ts';
import { migrate, MIGRATIONS } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { silentLog } from '../../server/lib/log.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { makeBatch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { fillDisk, mountSmallDisk, noMount } from './mount.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const MEMORY = 256 * 1_048_576;
const BLOCK = 262_144;
/** Behind the headers of the file, each of 4 KiB. */
const FIRST_BLOCK = 12_288;
const BACKUP = 'burrow-20200101-000000.duckdb';

async function sendEvents(server: RunningServer, event: string, size = 2_000): Promise<void> {
  // Texts that no compression makes small fill blocks of their own.
  const batch = Array.from({ length: size }, (_, n) => ({
    event,
    distinct_id: `user-${n}`,
    uuid: v7(),
    properties: { text: randomBytes(300).toString('hex') },
  }));
  const body = JSON.stringify({ api_key: server.projectApiKey, batch });
  expect((await send(`${server.url}/batch/`, { body })).status).toBe(200);
}

async function ask(server: RunningServer, method: string, path: string, body?: object) {
  const { status, text } = await send(server.url + path, {
    method,
    headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, json: JSON.parse(text) as Record<string, any> };
}

const readAll = (server: RunningServer) =>
  ask(server, 'POST', `/api/projects/${server.projectId}/query/`, {
    query: { kind: 'HogQLQuery', query: 'SELECT max(length(toString(properties))) FROM events' },
  });

/** Requests a restore, as the console does, and waits until the server has restarted. */
async function goBack(server: RunningServer, name: string) {
  const begun = await ask(server, 'POST', `/api/burrow/backup/${name}/restore/`);
  expect(begun.status).toBe(202);
  const lastOf = async () =>
    (await ask(server, 'GET', '/api/burrow/backup/').catch(() => null))?.json['last_restore'] ?? null;
  await expect.poll(lastOf).not.toBe(null);
  return (await lastOf()) as { is_done: boolean; text: string };
}

/** The bytes of a database with one flipped byte in a block that holds properties of events and nothing else. */
async function withDamagedEvents(path: string): Promise<Buffer> {
  const whole = await readFile(path);
  const copy = `${path}.copy`;
  for (let at = FIRST_BLOCK + BLOCK / 2; at < whole.length; at += BLOCK) {
    const changed = Buffer.from(whole);
    changed[at] = changed[at]! ^ 0xff;
    await writeFile(copy, changed);
    const { faults } = await check(copy, MEMORY);
    if (
      faults.length > 0 &&
      faults.every((fault) => /^events(_recent)?\.properties cannot be read/.test(fault))
    )
      return rm(copy).then(() => changed);
  }
  throw new Error('No block holds properties of events alone.');
}

/** A folder with a whole backup, and its database with a damaged block beside the whole one. */
let folder: string;
let damaged: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-restore-running-'));
  const dataDir = join(folder, 'data');
  const server = await startServer({ dataDir });
  await sendEvents(server, 'kept');
  expect((await ask(server, 'POST', '/api/burrow/backup/')).status).toBe(201);
  await server.stop();
  damaged = await withDamagedEvents(join(dataDir, DATABASE));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function folderWithBackup(): Promise<string> {
  const dataDir = await newDataFolder();
  await cp(join(folder, 'data'), dataDir, { recursive: true });
  return dataDir;
}

test('a damaged block of events: readiness and events are answered 503, and restoring a backup restores all', async () => {
  const dataDir = await folderWithBackup();
  await writeFile(join(dataDir, DATABASE), damaged);
  const server = await run({ dataDir });
  const failed = await readAll(server);
  expect([failed.status, failed.json['code']]).toEqual([503, 'database_unavailable']);
  expect(failed.json['detail']).toContain('The database is damaged');
  const readiness = await ask(server, 'GET', '/_readiness');
  expect([readiness.status, readiness.json['reason']]).toEqual([503, 'The database is damaged']);
  const { body } = makeBatch({ projectApiKey: server.projectApiKey, event: 'refused', number: 0, size: 1 });
  expect((await send(`${server.url}/batch/`, { body })).status).toBe(503);
  const notices = await ask(server, 'GET', '/api/burrow/notices/');
  expect(notices.json['results']).toMatchObject([{ id: 'store_damaged', page: 'backups' }]);

  const { results } = (await ask(server, 'GET', '/api/burrow/backup/')).json;
  const { is_done: isDone, text } = await goBack(server, results[0].name);
  expect(isDone, text).toBe(true);
  expect((await ask(server, 'GET', '/_readiness')).status).toBe(200);
  expect((await ask(server, 'GET', '/api/burrow/notices/')).json['results']).toEqual([]);
  expect((await readAll(server)).status).toBe(200);
  expect(await walkEvents(server, 'kept')).toHaveLength(2_000);
  await sendEvents(server, 'since', 10);
  await server.kill();
  const again = await run({ dataDir });
  expect(await walkEvents(again, 'since')).toHaveLength(10);
});

test('a backup with a damaged block is refused, and the server continues with its database', async () => {
  const dataDir = await folderWithBackup();
  await writeFile(join(dataDir, 'backups', BACKUP), damaged);
  const server = await run({ dataDir });
  await sendEvents(server, 'since the backup', 10);
  const { is_done: isDone, text } = await goBack(server, BACKUP);
  expect([isDone, text]).toEqual([false, expect.stringMatching(/is damaged and was not restored/)]);
  expect((await ask(server, 'GET', '/_readiness')).status).toBe(200);
  expect(await walkEvents(server, 'kept')).toHaveLength(2_000);
  expect(await walkEvents(server, 'since the backup')).toHaveLength(10);
  await sendEvents(server, 'afterwards', 10);
  expect(await walkEvents(server, 'afterwards')).toHaveLength(10);
  expect((await readdir(dataDir)).filter((name) => /restor|copying/.test(name))).toEqual([]);
});

/** A backup of an earlier version that is too large for a third copy of it on the disk. */
async function makeOlderBackup(path: string): Promise<void> {
  const instance = await openDatabase({ path, memoryLimitBytes: MEMORY }, silentLog, () => 0);
  const connection = await instance.connect();
  await migrate(connection, { path, log: silentLog, now: Date.now, migrations: MIGRATIONS.slice(0, -1) });
  await connection.run('CREATE TABLE padding AS SELECT uuid() AS a, uuid() AS b FROM range(1000000)');
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
}

test('a valid backup that cannot be opened: the previous database is restored, and the server continues', async ({
  skip,
}) => {
  skip(noMount !== null, noMount ?? '');
  const dataDir = await newDataFolder();
  mountSmallDisk(dataDir, '160m');
  const server = await run({ dataDir });
  await sendEvents(server, 'kept', 100);
  const elsewhere = join(await newDataFolder(), DATABASE);
  await makeOlderBackup(elsewhere);
  await mkdir(join(dataDir, 'backups'), { recursive: true });
  await cp(elsewhere, join(dataDir, 'backups', BACKUP));
  const { size } = await stat(elsewhere);
  // Enough space for the restored copy, and too little for the one that is written before a migration.
  await fillDisk(dataDir, Math.ceil((size + 26_000_000) / 1_024));

  const { is_done: isDone, text } = await goBack(server, BACKUP);
  expect(isDone).toBe(false);
  expect(text).toMatch(/The disk of .* The previous database is in use again\.$/);
  expect((await ask(server, 'GET', '/_readiness')).status).toBe(200);
  expect(await walkEvents(server, 'kept')).toHaveLength(100);
  await sendEvents(server, 'afterwards', 10);
  expect((await readdir(dataDir)).filter((name) => /restor|copying|undoing|before/.test(name))).toEqual([]);
  await server.kill();
  const again = await run({ dataDir });
  expect(again.projectApiKey).toBe(server.projectApiKey);
  expect(await walkEvents(again, 'afterwards')).toHaveLength(10);
});
