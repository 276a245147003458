import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { makeReadOnly, mountSmallDisk, noMount } from './mount.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const KIB = 1024;
/** Free room in steps, from nothing to two megabytes. */
const LEVELS = [0, 60, 256, 600, 1_000, 1_500, 2_048];
const LOG_BATCHES = 5;
/** Longer than the two quiet seconds after which a checkpoint is made, and a look. */
const QUIET_MS = 3_500;
const TRIES = 150;

interface Sent {
  batches: Batch[];
  acknowledged: Set<number>;
}

async function sendNext(server: RunningServer, sent: Sent, size = 400): Promise<number> {
  const number = sent.batches.length;
  const batch = makeBatch({ projectApiKey: server.projectApiKey, event: 'full', number, size, padding: 600 });
  sent.batches.push(batch);
  const { status } = await send(`${server.url}/batch/`, { body: batch.body });
  if (status === 200) sent.acknowledged.add(number);
  return status;
}

async function sendUntil(server: RunningServer, sent: Sent, wanted: number): Promise<number> {
  let status = 0;
  for (let n = 0; n < TRIES && status !== wanted; n++) {
    status = await sendNext(server, sent, 10);
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

/** Leaves so many KiB free on the disk of the folder. */
async function fill(folder: string, leftKib: number): Promise<string> {
  const ballast = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  // The file system takes some of the last blocks for itself, and then the disk is as full as it gets.
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftKib * KIB))).catch(() => undefined);
  return ballast;
}

beforeEach(({ skip }) => skip(noMount !== null, noMount ?? ''));

test.each(LEVELS)(
  'with %i KiB free the server stays up, loses nothing it acknowledged, and takes events again when there is room',
  async (leftKib) => {
    const dataDir = await newDataFolder();
    mountSmallDisk(dataDir, '96m');
    let server = await run({ dataDir });
    const sent: Sent = { batches: [], acknowledged: new Set() };
    for (let n = 0; n < LOG_BATCHES; n++) await sendNext(server, sent);
    expect(sent.acknowledged.size).toBe(LOG_BATCHES);
    const ballast = await fill(dataDir, leftKib);
    await sleep(QUIET_MS);
    for (let n = 0; n < 8; n++) await sendNext(server, sent);
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
