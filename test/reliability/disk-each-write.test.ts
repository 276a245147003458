import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrate, MIGRATIONS } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { silentLog } from '../../server/lib/log.ts';
import { findOnPath } from '../../scripts/find-on-path.mjs';
import { inheritedEnvironment, startServer, type RunningServer } from '../support/start-server.ts';
import { expectNothingLost, sendNext, type Sent } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { fillDisk, mountSmallDisk, noMount } from './mount.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const isFull = process.env['BURROW_RELIABILITY'] === 'full';
/** A file system gives room in pages of so many KiB, so a step of one page makes each write the first that fails once. */
const PAGE_KIB = 4;
const pages = (count: number, some: readonly number[]): number[] =>
  isFull ? Array.from({ length: count }, (_, n) => n * PAGE_KIB) : [...some];
const LOG_COMMITS = 20;

/** A folder that a kill has left with commits in its log, and what was sent to it. */
let folder: string;
let crashed: string;
const logged: Sent = { batches: [], acknowledged: new Set() };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-each-write-'));
  crashed = join(folder, 'crashed');
  const server = await startServer({ dataDir: crashed });
  for (let n = 0; n < LOG_COMMITS; n += 1) expect(await sendBatch(server, logged, 10)).toBe(200);
  await server.kill();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function sendBatch(server: RunningServer, sent: Sent, size: number): Promise<number> {
  return sendNext(server, sent, { event: 'full', size, padding: 600 });
}

const copyOf = ({ batches, acknowledged }: Sent): Sent => ({
  batches: [...batches],
  acknowledged: new Set(acknowledged),
});

const expectAllStored = async (server: RunningServer, { batches, acknowledged }: Sent) =>
  expectNothingLost(await walkEvents(server, 'full'), batches, acknowledged);

const readiness = async (server: RunningServer) => {
  const { status, text } = await send(`${server.url}/_readiness`, { method: 'GET' });
  return { ...(JSON.parse(text) as { reason?: string }), status };
};

function ask(server: RunningServer, method: string, path: string, body?: object) {
  return send(`${server.url}/api/projects/${server.projectId}/${path}`, {
    method,
    headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test('events and management writes with each small amount of space: stored and acknowledged, or refused with the reason', async ({
  skip,
}) => {
  skip(noMount !== null, noMount ?? '');
  const dataDir = await newDataFolder();
  mountSmallDisk(dataDir, '96m');
  const server = await run({ dataDir });
  const sent: Sent = { batches: [], acknowledged: new Set() };
  const names = new Set<string>();
  const seen = { levels: 0, stored: 0, refused: 0, made: 0, notMade: 0 };
  for (const leftKib of pages(64, [0, 4, 12, 100])) {
    seen.levels += 1;
    const ballast = await fillDisk(dataDir, leftKib);
    const post = async (): Promise<void> => {
      const status = await sendBatch(server, sent, 40);
      expect([200, 503]).toContain(status);
      seen[status === 200 ? 'stored' : 'refused'] += 1;
    };
    const make = async (): Promise<void> => {
      const name = `at ${leftKib} KiB, ${names.size}`;
      const { status, text, headers } = await ask(server, 'POST', 'dashboards/', {
        name,
        description: 'x'.repeat(3_000),
      });
      if (status === 201) {
        names.add(name);
        seen.made += 1;
        return;
      }
      seen.notMade += 1;
      expect([status, JSON.parse(text)]).toEqual([
        503,
        {
          type: 'server_error',
          code: 'database_unavailable',
          detail: 'The disk is full, so this was not saved. Free up disk space and try again.',
          attr: null,
        },
      ]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    };
    // Each of the two is the first to meet the end of the room at every other level.
    const work = seen.levels % 2 === 0 ? [make, post] : [post, make];
    for (let round = 0; round < 3; round += 1) for (const one of work) await one();
    if (leftKib === 0)
      expect(await readiness(server)).toMatchObject({ status: 503, reason: 'The disk is full' });
    await rm(ballast);
    await expect.poll(() => sendBatch(server, sent, 1)).toBe(200);
  }
  await expectAllStored(server, sent);
  const listed = JSON.parse((await ask(server, 'GET', 'dashboards/?limit=5000')).text) as {
    results: { name: string }[];
  };
  expect(listed.results.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
  await server.kill();
  await expectAllStored(await run({ dataDir }), sent);
  expect(seen.refused).toBeGreaterThan(0);
  expect(seen.notMade).toBeGreaterThan(0);
  console.log(`writes: ${JSON.stringify(seen)}`);
}, 1_200_000);

test('a start of a database on a full disk reports it in one sentence, refuses events, and continues when there is room', async ({
  skip,
}) => {
  skip(noMount !== null, noMount ?? '');
  const seen = { started: 0, refused: 0 };
  for (const leftKib of pages(24, [0, 16])) {
    const dataDir = await newDataFolder();
    mountSmallDisk(dataDir, '48m');
    await cp(crashed, dataDir, { recursive: true });
    const ballast = await fillDisk(dataDir, leftKib);
    const sent = copyOf(logged);
    const server = await run({ dataDir }).catch((error: Error) => error);
    if (server instanceof Error) {
      seen.refused += 1;
      expect(server.message).toMatch(/The disk of .+ is full\. Free up disk space/);
      expect(server.message).not.toMatch(/\n\s+at /);
    } else {
      seen.started += 1;
      const sentence = 'The disk is full. Burrow rejects events with status 503 until 9 MB are free';
      expect(server.stderr().split(sentence)).toHaveLength(2);
      expect(await sendBatch(server, sent, 1)).toBe(503);
      expect(await readiness(server)).toMatchObject({ status: 503, reason: 'The disk is full' });
      await expectAllStored(server, sent);
      await rm(ballast);
      await expect.poll(() => sendBatch(server, sent, 1)).toBe(200);
      expect((await readiness(server)).status).toBe(200);
      await server.kill();
    }
    await rm(ballast, { force: true });
    const again = await run({ dataDir });
    await expectAllStored(again, sent);
    await again.kill();
  }
  console.log(`starts: ${JSON.stringify(seen)}`);
}, 1_200_000);

test('the console output of such a start has the same sentence', async ({ skip }) => {
  skip(noMount !== null, noMount ?? '');
  const dataDir = await newDataFolder();
  mountSmallDisk(dataDir, '48m');
  await cp(crashed, dataDir, { recursive: true });
  await fillDisk(dataDir, 0);
  const args = [MAIN, 'serve', '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: inheritedEnvironment(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await expect.poll(() => text).toContain('Press Ctrl+C to stop.');
  expect(text).toContain('\n  The disk is full. Burrow rejects events with status 503 until 9 MB are free');
});

test('a start that migrates an older database with too little room ends with one sentence, and migrates it later', async ({
  skip,
}) => {
  skip(noMount !== null, noMount ?? '');
  const older = join(folder, 'older');
  await makeOlder(join(older, DATABASE));
  const kib = Math.ceil((await stat(join(older, DATABASE))).size / 1_024);
  // The copy that is kept of it takes its room, and then the writes of the migration begin.
  const steps = isFull ? [0, kib >> 2, kib >> 1, kib - 4] : [kib >> 1];
  const seen = { started: 0, refused: 0 };
  for (const leftKib of [...steps, ...pages(24, [0]).map((more) => kib + more)]) {
    const dataDir = await newDataFolder();
    mountSmallDisk(dataDir, '48m');
    await cp(older, dataDir, { recursive: true });
    const ballast = await fillDisk(dataDir, leftKib);
    const server = await run({ dataDir }).catch((error: Error) => error);
    if (server instanceof Error) {
      seen.refused += 1;
      expect(server.message).toMatch(/The disk of .+ is full\. Free up disk space/);
      expect(server.message).not.toMatch(/\n\s+at /);
      if (leftKib < kib) expect((await readdir(dataDir)).filter((name) => /before/.test(name))).toEqual([]);
    } else {
      seen.started += 1;
      await server.kill();
    }
    await rm(ballast);
    const again = await run({ dataDir });
    expect((await readiness(again)).status).toBe(200);
    await again.kill();
  }
  expect(seen.refused).toBeGreaterThan(0);
  console.log(`migrations: ${JSON.stringify(seen)}`);
}, 1_200_000);

async function makeOlder(path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const instance = await openDatabase({ path, memoryLimitBytes: 256 * 1_048_576 }, silentLog, () => 0);
  const connection = await instance.connect();
  await migrate(connection, { path, log: silentLog, now: Date.now, migrations: MIGRATIONS.slice(0, -1) });
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
}

test('a restore whose copy cannot be written to its end changes no files and prints the error in one sentence', async ({
  skip,
}) => {
  skip(findOnPath('prlimit') === null, 'only Linux has prlimit');
  const dataDir = await newDataFolder();
  await cp(crashed, dataDir, { recursive: true });
  const backup = join(await newDataFolder(), 'backup.duckdb');
  const server = await run({ dataDir });
  await server.stop();
  await cp(join(dataDir, DATABASE), backup);
  const { size } = await stat(backup);
  const parts = isFull ? 24 : 2;
  for (let part = 0; part < parts; part += 1) {
    const limit = Math.floor((size * part) / parts);
    const args = [
      `--fsize=${limit}:unlimited`,
      process.execPath,
      MAIN,
      'restore',
      backup,
      '--data-dir',
      dataDir,
    ];
    const { status, stderr } = spawnSync('prlimit', args, { encoding: 'utf8', env: inheritedEnvironment() });
    expect([limit, status]).toEqual([limit, 1]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect((await readdir(dataDir)).filter((name) => /restor|copying/.test(name))).toEqual([]);
  }
  await expectAllStored(await run({ dataDir }), logged);
});
