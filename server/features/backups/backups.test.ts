import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addMember } from '../../../test/support/members.ts';
import { createKey } from '../../../test/support/owner-calls.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import type { Store } from '../../db/client.ts';

const PATH = '/api/burrow/backup/';
const post = { method: 'POST' };

async function openOnDisk(): Promise<{ app: TestApp; store: Store; dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'burrow-backup-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const store = await openTestStore({ path: join(dataDir, 'burrow.duckdb') });
  onTestFinished(() => store.close());
  const app = await openTestApp({ store, config: { ephemeral: false, dataDir } });
  return { app, store, dataDir };
}

async function openCopy(path: string): Promise<{ app: TestApp; store: Store }> {
  const store = await openTestStore({ path });
  onTestFinished(() => store.close());
  return { app: await openTestApp({ store }), store };
}

async function send(app: TestApp, number: number, size = 20): Promise<void> {
  const batch = Array.from({ length: size }, (_, n) => ({
    event: n < 4 ? '$groupidentify' : `sent ${number % 3}`,
    distinct_id: `user-${number}-${n}`,
    properties: { number, n, $set: { plan: 'free' }, $group_type: 'shop', $group_key: `shop-${n}` },
  }));
  const answer = await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, batch },
  });
  expect(answer.status).toBe(200);
}

const count = async (store: Store, from: string): Promise<number> =>
  (await store.db.first<{ n: number }>(`SELECT count(*) AS n FROM ${from}`))!.n;

describe('a backup', () => {
  test('created during ingestion has all events acknowledged before, complete, and opens like the original', async () => {
    const { app, store, dataDir } = await openOnDisk();
    for (let number = 0; number < 20; number++) await send(app, number);
    await app.ask('/api/projects/1/dashboards/', { method: 'POST', body: { name: 'Kept' } });
    const acknowledged = 20 * 20;
    let isPouring = true;
    let poured = 20;
    const pouring = (async () => {
      while (isPouring) await send(app, poured++);
    })();
    const made = await app.ask(PATH, post);
    isPouring = false;
    await pouring;
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      name: 'burrow-20261120-093000.duckdb',
      path: join(dataDir, 'backups', made.json.name),
      events: expect.any(Number),
    });
    expect(made.json.events).toBeGreaterThanOrEqual(acknowledged);
    expect(await readdir(join(dataDir, 'backups'))).toEqual([made.json.name]);
    expect(await count(store, 'all_events')).toBe(poured * 20);

    const copy = await openCopy(made.json.path);
    expect(await count(copy.store, 'all_events')).toBe(made.json.events);
    // A commit is in the copy with all of it or not at all, and so are the persons and groups of its events.
    expect(made.json.events % 20).toBe(0);
    expect(
      await count(copy.store, 'all_events e ANTI JOIN person_distinct_ids USING (project_id, distinct_id)'),
    ).toBe(0);
    expect(await count(copy.store, 'person_distinct_ids ANTI JOIN persons p ON p.id = person_id')).toBe(0);
    expect(await count(copy.store, 'groups')).toBe(4);
    await send(copy.app, 1_000_000);
    expect(await count(copy.store, 'all_events')).toBe(made.json.events + 20);
    expect(await count(copy.store, 'persons')).toBe(made.json.persons + 20);
    const dashboard = await copy.app.ask('/api/projects/1/dashboards/', {
      method: 'POST',
      body: { name: 'Next' },
    });
    expect(dashboard).toMatchObject({ status: 201, json: { id: 2 } });
    const unique = `INSERT INTO projects SELECT * FROM projects`;
    await expect(copy.store.db.run(unique)).rejects.toThrow(/[Cc]onstraint/);
  });

  test('is listed with its contents, downloaded byte by byte, and deleted', async () => {
    const { app, dataDir } = await openOnDisk();
    await send(app, 1);
    const { name, bytes } = (await app.ask(PATH, post)).json;
    const { name: second } = (await app.ask(PATH, post)).json;
    expect(second).toBe('burrow-20261120-093000-2.duckdb');
    await writeFile(join(dataDir, 'backups', 'burrow-20200101-000000.duckdb'), 'no database');
    await writeFile(join(dataDir, 'backups', 'notes.txt'), 'mine');
    const list = (await app.ask(PATH)).json;
    expect(list).toMatchObject({ folder: join(dataDir, 'backups'), is_making: false });
    const rows = list.results.toSorted((a: { name: string }, b: { name: string }) =>
      a.name < b.name ? -1 : 1,
    );
    expect(rows).toMatchObject([
      { name: 'burrow-20200101-000000.duckdb', schema_version: null, events: null },
      { name: second, events: 20 },
      { name, bytes, events: 20, schema_version: expect.any(Number) },
    ]);
    const file = await fetch(`${app.url}${PATH}${name}/`, {
      headers: { Authorization: `Bearer ${app.key}` },
    });
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect((await file.arrayBuffer()).byteLength).toBe(bytes);
    expect((await app.ask(`${PATH}${name}/`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.ask(`${PATH}${name}/`)).status).toBe(404);
    expect((await readdir(join(dataDir, 'backups'))).toSorted()).toEqual([
      'burrow-20200101-000000.duckdb',
      second,
      'notes.txt',
    ]);
  });

  test('is found only by a name in the folder: a path that leaves it is a 404', async () => {
    const { app, dataDir } = await openOnDisk();
    await app.ask(PATH, post);
    for (const name of [
      '..%2Fburrow.duckdb',
      '%2e%2e%2fburrow.duckdb',
      'burrow.duckdb',
      '..',
      'burrow-20261120-093000.duckdb.part',
      'burrow-20261120-093000.duckdb%00',
      encodeURIComponent(join(dataDir, 'burrow.duckdb')),
    ]) {
      for (const method of ['GET', 'DELETE'])
        expect([404, 405], `${method} ${name}`).toContain(
          (await app.ask(`${PATH}${name}/`, { method })).status,
        );
    }
    expect(await readdir(dataDir)).toContain('burrow.duckdb');
  });

  test('runs one at a time', async () => {
    const { app } = await openOnDisk();
    await send(app, 1, 500);
    const answers = await Promise.all([app.ask(PATH, post), app.ask(PATH, post)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.json.code).toBe('backup_under_way');
    expect((await app.ask(PATH, post)).status).toBe(201);
  });

  test('that cannot be written returns an error and leaves no file, and the next one succeeds', async () => {
    const { app, dataDir } = await openOnDisk();
    // A folder that leads nowhere: no file can be created in it.
    await symlink(join(dataDir, 'gone'), join(dataDir, 'backups'));
    const answer = await app.ask(PATH, post);
    expect(answer).toMatchObject({ status: 500, json: { code: 'backup_failed' } });
    await rm(join(dataDir, 'backups'));
    expect((await app.ask(PATH, post)).status).toBe(201);
  });

  test('left unfinished by a killed process is deleted by the next one', async () => {
    const { app, dataDir } = await openOnDisk();
    await mkdir(join(dataDir, 'backups'));
    for (const ending of ['', '.wal'])
      await writeFile(join(dataDir, 'backups', `burrow-20261119-080000.duckdb.part${ending}`), 'half');
    expect((await app.ask(PATH)).json.results).toEqual([]);
    const { name } = (await app.ask(PATH, post)).json;
    expect(await readdir(join(dataDir, 'backups'))).toEqual([name]);
  });

  test('of an in-memory server is refused', async () => {
    const app = await openTestApp();
    expect((await app.ask(PATH)).json).toEqual({
      folder: null,
      is_making: false,
      last_restore: null,
      results: [],
    });
    expect(await app.ask(PATH, post)).toMatchObject({ status: 400, json: { code: 'nothing_on_disk' } });
  });

  test('is for admins, and its bytes for keys that may read everything', async () => {
    const { app } = await openOnDisk();
    const { name } = (await app.ask(PATH, post)).json;
    const { key } = await addMember(app, 'lin@local.test');
    for (const [path, method] of [
      [PATH, 'GET'],
      [PATH, 'POST'],
      [`${PATH}${name}/`, 'GET'],
      [`${PATH}${name}/`, 'DELETE'],
      [`${PATH}${name}/restore/`, 'POST'],
    ] as const) {
      expect((await app.ask(path, { method, key })).status, `${method} ${path}`).toBe(403);
      expect((await app.ask(path, { method, key: null })).status, `${method} ${path}`).toBe(401);
    }
    const narrow = await createKey(app, ['project:write']);
    expect((await app.ask(`${PATH}${name}/`, { key: narrow })).status).toBe(403);
    expect((await app.ask(PATH, { key: narrow })).status).toBe(200);
    expect((await app.ask(`${PATH}${name}/restore/`, { ...post, key: narrow })).status).toBe(403);
  });

  test('is restored by the owner only, and not while a backup is running', async () => {
    const { app } = await openOnDisk();
    const { name } = (await app.ask(PATH, post)).json;
    const { key } = await addMember(app, 'lin@local.test', 8);
    expect((await app.ask(PATH, { key })).status).toBe(200);
    expect((await app.ask(`${PATH}${name}/restore/`, { ...post, key })).status).toBe(403);
    await send(app, 1, 500);
    const [made, restored] = await Promise.all([
      app.ask(PATH, post),
      app.ask(`${PATH}${name}/restore/`, post),
    ]);
    expect(made.status).toBe(201);
    expect(restored).toMatchObject({ status: 409, json: { code: 'backup_under_way' } });
  });
});

test('that runs at shutdown is canceled, so that the server can stop', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'burrow-backup-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const store = await openTestStore({ path: join(dataDir, 'burrow.duckdb') });
  const app = await openTestApp({ store });
  await send(app, 1, 2_000);
  const making = store.service('capture').call({ kind: 'backups.make', path: join(dataDir, 'x.part') });
  const ended = making.then(
    () => 'made',
    () => 'given up',
  );
  await store.close();
  expect(['made', 'given up']).toContain(await ended);
  const again = await openTestStore({ path: join(dataDir, 'burrow.duckdb') });
  expect(await count(again, 'all_events')).toBe(2_000);
  await again.close();
});

test('compacting the file returns its sizes before and after', async () => {
  const { app } = await openOnDisk();
  await send(app, 1, 2_000);
  const answer = await app.ask('/api/burrow/storage/compact/', post);
  expect(answer).toMatchObject({ status: 200, json: { after: { wal_bytes: 0 } } });
  expect(answer.json.before.wal_bytes).toBeGreaterThan(0);
  const { key } = await addMember(app, 'lin@local.test');
  expect((await app.ask('/api/burrow/storage/compact/', { ...post, key })).status).toBe(403);
});
