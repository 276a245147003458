import { execFileSync } from 'node:child_process';
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { expectNothingLost, sendNext, type Sent } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { fillDisk, mountSmallDisk, noMount } from './mount.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

/** Free room in steps, from nothing to two megabytes, in KiB. */
const LEVELS =
  process.env['BURROW_RELIABILITY'] === 'full'
    ? Array.from({ length: 33 }, (_, n) => n * 64)
    : [0, 60, 256, 600, 1_000, 1_500, 2_048];
const LOG_BATCHES = 5;
/** Longer than the two quiet seconds before a checkpoint, and the interval of the disk check. */
const QUIET_MS = 3_500;
const TRIES = 150;

function sendBatch(server: RunningServer, sent: Sent, size = 400): Promise<number> {
  return sendNext(server, sent, { event: 'full', size, padding: 600 });
}

async function sendUntil(server: RunningServer, sent: Sent, wanted: number): Promise<number> {
  let status = 0;
  for (let n = 0; n < TRIES && status !== wanted; n++) {
    status = await sendBatch(server, sent, 10);
    if (status !== wanted) await sleep(100);
  }
  return status;
}

const readiness = async (server: RunningServer) => {
  const { status, text } = await send(`${server.url}/_readiness`, { method: 'GET' });
  return { ...(JSON.parse(text) as { reason?: string }), status };
};

async function expectAllStored(server: RunningServer, { batches, acknowledged }: Sent): Promise<void> {
  expectNothingLost(await walkEvents(server, 'full'), batches, acknowledged);
}

beforeEach(({ skip }) => skip(noMount !== null, noMount ?? ''));

test.each(LEVELS)(
  'with %i KiB free the server stays up, loses no acknowledged events, and accepts events again when there is room',
  async (leftKib) => {
    const dataDir = await newDataFolder();
    mountSmallDisk(dataDir, '96m');
    let server = await run({ dataDir });
    const sent: Sent = { batches: [], acknowledged: new Set() };
    for (let n = 0; n < LOG_BATCHES; n++) await sendBatch(server, sent);
    expect(sent.acknowledged.size).toBe(LOG_BATCHES);
    const ballast = await fillDisk(dataDir, leftKib);
    await sleep(QUIET_MS);
    for (let n = 0; n < 8; n++) await sendBatch(server, sent);
    expect((await send(`${server.url}/_liveness`, { method: 'GET' })).status, server.stderr()).toBe(200);
    expect(await sendUntil(server, sent, 503)).toBe(503);
    expect(await readiness(server)).toMatchObject({ status: 503, reason: 'The disk is full' });
    await expectAllStored(server, sent);

    await rm(ballast);
    expect(await sendUntil(server, sent, 200), server.stderr()).toBe(200);
    expect((await readiness(server)).status).toBe(200);
    await sleep(QUIET_MS);
    await expectAllStored(server, sent);
    await server.kill();
    server = await run({ dataDir });
    await expectAllStored(server, sent);
  },
);

test('a start on a full disk ends with one sentence, and a later start succeeds', async () => {
  const dataDir = await newDataFolder();
  mountSmallDisk(dataDir, '32m');
  const ballast = await fillDisk(dataDir, 600);
  const failed = await startServer({ dataDir }).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(failed).toContain('code 1');
  expect(failed).toMatch(/The disk of .+ is full\. Free up disk space/);
  expect(failed).not.toMatch(/\n\s+at /);
  expect(await readdir(dataDir)).toEqual(['ballast']);
  await rm(ballast);
  const server = await run({ dataDir });
  expect((await readiness(server)).status).toBe(200);
});

test('a backup and a restore are refused without room, and the server continues', async () => {
  const dataDir = await newDataFolder();
  mountSmallDisk(dataDir, '96m');
  const server = await run({ dataDir });
  const sent: Sent = { batches: [], acknowledged: new Set() };
  await sendBatch(server, sent);
  const ask = (path: string, method: string) =>
    send(`${server.url}/api/burrow/backup/${path}`, {
      method,
      headers: { Authorization: `Bearer ${server.personalApiKey}` },
    });
  const made = await ask('', 'POST');
  expect(made.status, made.text).toBe(201);
  const { name } = JSON.parse(made.text) as { name: string };
  const before = await readdir(join(dataDir, 'backups'));

  await fillDisk(dataDir, 12_000);
  const refused = await ask('', 'POST');
  expect(refused.text).toContain('There is not enough disk space for a backup');
  expect(await readdir(join(dataDir, 'backups'))).toEqual(before);
  expect((await ask(`${name}/restore/`, 'POST')).status).toBeLessThan(300);
  await expect
    .poll(async () => (await ask('', 'GET').catch(() => null))?.text ?? '', { timeout: 20_000 })
    .toContain('There is not enough disk space for a copy');
  await expectAllStored(server, sent);
});

test('a database that is moved out of its folder for a while: no event is acknowledged meanwhile, and none is lost', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir });
  const sent: Sent = { batches: [], acknowledged: new Set() };
  await sendBatch(server, sent);
  await rename(join(dataDir, DATABASE), join(dataDir, 'away'));
  for (let n = 0; n < 5; n++) expect(await sendBatch(server, sent, 10)).toBe(503);
  expect(await readiness(server)).toMatchObject({ status: 503, reason: 'The data folder is not writable' });
  await rename(join(dataDir, 'away'), join(dataDir, DATABASE));
  expect(await sendUntil(server, sent, 200), server.stderr()).toBe(200);
  await expectAllStored(server, sent);
});

test('events without a uuid that are refused while the database is away, and sent again, are stored once', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir });
  const sendWithout = async (event: string): Promise<number> => {
    const body = JSON.stringify({ api_key: server.projectApiKey, event, distinct_id: 'someone' });
    return (await send(`${server.url}/capture/`, { body })).status;
  };
  expect(await sendWithout('before')).toBe(200);
  await rename(join(dataDir, DATABASE), join(dataDir, 'away'));
  for (let n = 0; n < 5; n++) expect(await sendWithout('meanwhile')).toBe(503);
  await rename(join(dataDir, 'away'), join(dataDir, DATABASE));
  await expect.poll(() => sendWithout('meanwhile')).toBe(200);
  expect(await walkEvents(server, 'meanwhile')).toHaveLength(1);
  await server.kill();
  expect(await walkEvents(await run({ dataDir }), 'meanwhile')).toHaveLength(1);
});

test('a folder that is deleted while the server runs: from then on no event is acknowledged', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir });
  const sent: Sent = { batches: [], acknowledged: new Set() };
  await sendBatch(server, sent);
  await rm(dataDir, { recursive: true });
  for (let n = 0; n < 10; n++) {
    expect(await sendBatch(server, sent, 10)).toBe(503);
    await sleep(200);
  }
  expect(await readiness(server)).toMatchObject({ status: 503, reason: 'The data folder is not writable' });
});

test('a disk that becomes read-only: no event is acknowledged until it is writable again', async () => {
  const dataDir = await newDataFolder();
  mountSmallDisk(dataDir, '96m');
  const server = await run({ dataDir });
  const sent: Sent = { batches: [], acknowledged: new Set() };
  await sendBatch(server, sent);
  await sleep(QUIET_MS);
  const remount = (how: string) => execFileSync('mount', ['-o', `remount,bind,${how}`, dataDir]);
  execFileSync('mount', ['--bind', dataDir, dataDir]);
  try {
    remount('ro');
    await sleep(1_500);
    expect(await sendBatch(server, sent, 10)).toBe(503);
    expect(await readiness(server)).toMatchObject({
      status: 503,
      reason: 'The data folder is not writable',
    });
    remount('rw');
    expect(await sendUntil(server, sent, 200), server.stderr()).toBe(200);
    await expectAllStored(server, sent);
  } finally {
    execFileSync('umount', [dataDir]);
  }
});

test('SIGHUP drains, and every file of the folder is readable by its owner only', async () => {
  const dataDir = await newDataFolder();
  await chmod(dataDir, 0o755);
  const server = await run({ dataDir });
  const sent: Sent = { batches: [], acknowledged: new Set() };
  await sendBatch(server, sent);
  const made = await send(`${server.url}/api/burrow/backup/`, {
    headers: { Authorization: `Bearer ${server.personalApiKey}` },
  });
  expect(made.status, made.text).toBe(201);
  await expectPrivate(dataDir);
  process.kill(server.pid, 'SIGHUP');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(await readdir(dataDir)).not.toContain(`${DATABASE}.wal`);
  await expectPrivate(dataDir);

  await chmod(join(dataDir, DATABASE), 0o644);
  const again = await run({ dataDir });
  await sendBatch(again, sent);
  await expectPrivate(dataDir);
});

async function expectPrivate(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThan(1);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0]);
  }
}
