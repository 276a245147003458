// @module-tag deep
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { inheritedEnvironment, startServer, type RunningServer } from '../support/start-server.ts';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

beforeAll(() => build({ names: ['server', 'geoip'] }));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-restore-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(dataDir: string): Promise<RunningServer> {
  const server = await startServer({ dataDir });
  onTestFinished(async () => void (await server.kill()));
  return server;
}

/** Runs `burrow restore` to its end. */
async function restore(file: string, dataDir: string, ...more: string[]) {
  const args = [MAIN, 'restore', file, '--data-dir', dataDir, ...more];
  return promisify(execFile)(process.execPath, args, { env: inheritedEnvironment() }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

async function send(server: RunningServer, ...events: string[]): Promise<void> {
  const batch = events.map((event) => ({ event, distinct_id: 'ana', properties: { $set: { plan: 'pro' } } }));
  const body = JSON.stringify({ api_key: server.projectApiKey, batch });
  expect((await fetch(`${server.url}/batch/`, { method: 'POST', body })).status).toBe(200);
}

async function ask<T>(server: RunningServer, path: string, method = 'GET'): Promise<T> {
  const headers = { Authorization: `Bearer ${server.personalApiKey}` };
  const answer = await fetch(server.url + path, { method, headers });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return (await answer.json()) as T;
}

async function eventsOf(server: RunningServer): Promise<string[]> {
  const path = `/api/projects/${server.projectId}/events/?after=2000-01-01`;
  const { results } = await ask<{ results: { event: string }[] }>(server, path);
  return results.map(({ event }) => event).toSorted();
}

const makeBackup = (server: RunningServer) =>
  ask<{ name: string; path: string }>(server, '/api/burrow/backup/', 'POST');

describe('burrow restore', () => {
  test('restores the contents of a backup, keeps the previous files aside, and can be undone', async () => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    await send(first, 'one', 'two');
    const { path } = await makeBackup(first);
    await send(first, 'after the backup');
    await first.stop();

    const { code, stdout, stderr } = await restore(path, dataDir);
    expect([code, stderr]).toEqual([0, '']);
    const aside = /The previous database is kept as (\S+burrow\.duckdb\.before-restore-[\d-]+)\.\n$/.exec(
      stdout,
    );
    expect(stdout).toContain(`Restored 2 events from ${path} into ${dataDir}.`);
    const again = await start(dataDir);
    expect(again.projectApiKey).toBe(first.projectApiKey);
    expect(await eventsOf(again)).toEqual(['one', 'two']);
    await send(again, 'goes on');
    const { results } = await ask<{ results: { distinct_ids: string[] }[] }>(
      again,
      `/api/projects/${again.projectId}/persons/`,
    );
    expect(results.map(({ distinct_ids }) => distinct_ids)).toEqual([['ana']]);
    await again.stop();

    expect((await restore(aside![1]!, dataDir)).code).toBe(0);
    expect(await eventsOf(await start(dataDir))).toEqual(['after the backup', 'one', 'two']);
  });

  test('of a killed server keeps its log aside too: acknowledged events are not lost', async () => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    const { path } = await makeBackup(first);
    await send(first, 'in the log');
    await first.kill();
    const { stdout } = await restore(path, dataDir);
    const aside = /kept as (\S+)\.\n$/.exec(stdout)![1]!;
    expect(await eventsOf(await start(dataDir))).toEqual([]);
    const other = await newFolder();
    expect((await restore(aside, other)).code).toBe(0);
    expect(await eventsOf(await start(other))).toEqual(['in the log']);
  });

  test('a damaged database is moved aside unchanged', async () => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    await send(first, 'one');
    const { path } = await makeBackup(first);
    await first.stop();
    await writeFile(join(dataDir, 'burrow.duckdb'), 'what a bad disk has left of it');
    expect((await restore(path, dataDir)).code).toBe(0);
    expect(await eventsOf(await start(dataDir))).toEqual(['one']);
    expect((await readdir(dataDir)).filter((name) => name.includes('.before-restore-'))).toHaveLength(1);
  });
});

describe('a server that restores a backup', () => {
  interface LastRestore {
    is_done: boolean;
    text: string;
  }
  const lastOf = async (server: RunningServer) =>
    (await ask<{ last_restore: LastRestore | null }>(server, '/api/burrow/backup/')).last_restore;

  async function goBack(server: RunningServer, name: string): Promise<LastRestore> {
    const path = `/api/burrow/backup/${name}/restore/`;
    const { sign_in_token: token } = await ask<{ sign_in_token: string }>(server, path, 'POST');
    const options = { method: 'POST', body: JSON.stringify({ token }) };
    const headers = { 'Content-Type': 'application/json' };
    const signIn = () => fetch(`${server.url}/api/burrow/session/`, { ...options, headers });
    await expect
      .poll(async () => (await signIn().catch(() => null))?.status, { timeout: 30_000, interval: 50 })
      .toBe(200);
    expect((await signIn()).status).toBe(401);
    return (await lastOf(server))!;
  }

  test('restarts on its port with it; every acknowledged event is in one of the two databases', async () => {
    const dataDir = await newFolder();
    const server = await start(dataDir);
    await send(server, 'before');
    const { name } = await makeBackup(server);
    const acknowledged: string[] = [];
    let isPouring = true;
    const pouring = (async () => {
      for (let number = 0; isPouring; number += 1) {
        const event = `poured ${number}`;
        await send(server, event).then(
          () => acknowledged.push(event),
          () => new Promise((resolve) => setTimeout(resolve, 20)),
        );
      }
    })();
    const { is_done: isDone, text } = await goBack(server, name);
    isPouring = false;
    await pouring;
    expect(isDone, text).toBe(true);
    const aside = /^Restored 1 event from \S+ into \S+\. The previous database is kept as (\S+)\.$/.exec(
      text,
    )![1]!;
    await send(server, 'afterwards');
    const now = await eventsOf(server);
    expect(now).toEqual(expect.arrayContaining(['before', 'afterwards']));
    expect((await server.stop()).code).toBe(0);

    const other = await newFolder();
    expect((await restore(aside, other)).code).toBe(0);
    const then = await eventsOf(await start(other));
    expect(then).toContain('before');
    expect(acknowledged.filter((event) => !now.includes(event) && !then.includes(event))).toEqual([]);
    expect(acknowledged.filter((event) => now.includes(event) && then.includes(event))).toEqual([]);
  });

  test('continues unchanged when the file cannot be restored, with the error', async () => {
    const dataDir = await newFolder();
    const server = await start(dataDir);
    await send(server, 'kept');
    const { path } = await makeBackup(server);
    const at = (name: string) => join(dataDir, 'backups', name);
    await writeFile(at('burrow-20200101-000000.duckdb'), 'no database at all\n'.repeat(1_000));
    const refused = await fetch(`${server.url}/api/burrow/backup/burrow-20200101-000000.duckdb/restore/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.personalApiKey}` },
    });
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'backup_unreadable' }]);
    expect(await lastOf(server)).toBe(null);

    await copyFile(path, at('burrow-20200101-000001.duckdb'));
    await edit(
      at('burrow-20200101-000001.duckdb'),
      `INSERT INTO schema_migrations VALUES (9999, '9999-later', 'x', now()::TIMESTAMP)`,
    );
    const { is_done: isDone, text } = await goBack(server, 'burrow-20200101-000001.duckdb');
    expect(isDone).toBe(false);
    expect(text).toMatch(/ was written by a newer version of Burrow /);
    await send(server, 'goes on');
    expect(await eventsOf(server)).toEqual(['goes on', 'kept']);
    expect((await readdir(dataDir)).filter((name) => /restor/.test(name))).toEqual([]);
  });
});

describe('burrow restore changes no files and prints the error in one sentence', () => {
  test('when a server uses the folder: exit code 3, and that server continues', async () => {
    const dataDir = await newFolder();
    const server = await start(dataDir);
    const { path } = await makeBackup(server);
    const { code, stdout, stderr } = await restore(path, dataDir);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe(
      `${join(dataDir, 'burrow.duckdb')} is in use by another Burrow (process ${server.pid}).\n`,
    );
    await send(server, 'still here');
    expect(await eventsOf(server)).toEqual(['still here']);
    expect((await readdir(dataDir)).filter((name) => /restor/.test(name))).toEqual([]);
  });

  test('when the file is missing, not a Burrow database, or of a newer version: exit code 1', async () => {
    const dataDir = await newFolder();
    const server = await start(dataDir);
    const { path } = await makeBackup(server);
    await server.stop();
    const folder = await newFolder();
    const at = (name: string) => join(folder, name);
    await writeFile(at('text.duckdb'), 'no database at all\n'.repeat(1_000));
    await edit(at('other.duckdb'), 'CREATE TABLE things (x INTEGER)');
    await copyFile(path, at('newer.duckdb'));
    await edit(
      at('newer.duckdb'),
      `INSERT INTO schema_migrations VALUES (9999, '9999-later', 'x', now()::TIMESTAMP)`,
    );
    for (const [name, sentence] of [
      ['nowhere.duckdb', / does not exist\.\n$/],
      ['', / is not a file\.\n$/],
      ['text.duckdb', / is not a Burrow database, or it is damaged\.\n$/],
      ['other.duckdb', / is not a Burrow database\.\n$/],
      [
        'newer.duckdb',
        / was written by a newer version of Burrow \(schema 9999; this version supports \d+\)\.\n$/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await restore(at(name), dataDir);
      expect([code, stdout], name).toEqual([1, '']);
      expect(stderr).toMatch(sentence);
      expect(stderr).toContain(at(name));
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    const own = join(dataDir, 'burrow.duckdb');
    expect(await restore(own, dataDir)).toMatchObject({
      code: 1,
      stderr: `${own} is already the database of this folder.\n`,
    });
    expect((await readdir(dataDir)).toSorted()).toEqual(['backups', 'burrow.duckdb']);
  });

  test('when no file is named, or no data would be on disk: exit code 2', async () => {
    const dataDir = await newFolder();
    const options = { env: inheritedEnvironment() };
    await expect(promisify(execFile)(process.execPath, [MAIN, 'restore'], options)).rejects.toMatchObject({
      code: 2,
      stderr: 'restore requires the path of a backup file.\n',
    });
    expect(await restore('a.duckdb', dataDir, '--ephemeral')).toMatchObject({
      code: 2,
      stderr: 'restore has no option --ephemeral. See burrow restore --help.\n',
    });
    const ephemeral = { env: { ...inheritedEnvironment(), BURROW_EPHEMERAL: 'true' } };
    await expect(
      promisify(execFile)(process.execPath, [MAIN, 'restore', 'a.duckdb'], ephemeral),
    ).rejects.toMatchObject({
      code: 2,
      stderr: 'restore needs a data folder and cannot be used with --ephemeral.\n',
    });
  });
});

async function edit(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}
