import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { findOnPath } from '../../scripts/find-on-path.mjs';
import type { RunningServer } from '../support/start-server.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const isFull = process.env['BURROW_RELIABILITY'] === 'full';
const KIB = 1_024;
/** The size of DuckDB's blocks: by so much the file grows at a time. */
const BLOCK = 256 * KIB;
/** Bytes by which the file may grow before a write of the checkpoint fails; a full run has every write fail once. */
const GROWTHS = isFull ? Array.from({ length: 24 }, (_, n) => n * BLOCK) : [BLOCK];
const BATCHES = 5;
const SIZE = 400;

/** Events whose text no compression makes small, so that a checkpoint needs new blocks. */
async function sendBatch(server: RunningServer): Promise<number> {
  const batch = Array.from({ length: SIZE }, () => ({
    event: 'kept',
    distinct_id: 'someone',
    uuid: v7(),
    properties: { text: randomBytes(400).toString('hex') },
  }));
  const body = JSON.stringify({ api_key: server.projectApiKey, batch });
  return (await send(`${server.url}/batch/`, { body })).status;
}

/** From now on no file of the process grows beyond so many bytes. */
function limitFiles(server: RunningServer, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', [`--pid=${server.pid}`, `--fsize=${bytes}:unlimited`]);
}

const expectStored = async (server: RunningServer, batches: number) =>
  expect(await walkEvents(server, 'kept')).toHaveLength(batches * SIZE);

const seen = { failed: 0, passed: 0 };

test.for(GROWTHS)(
  'a checkpoint whose file cannot grow by more than %i bytes: the same process reopens it, continues, and writes the checkpoint later',
  async (growth, { skip }) => {
    skip(findOnPath('prlimit') === null, 'only Linux has prlimit');
    const dataDir = await newDataFolder();
    const path = join(dataDir, DATABASE);
    await (await run({ dataDir })).stop();
    const server = await run({ dataDir });
    limitFiles(server, statSync(path).size + growth);
    for (let n = 0; n < BATCHES; n += 1) expect(await sendBatch(server)).toBe(200);
    const hasReopened = () => server.stderr().includes('The database is open again');
    const isLogEmpty = () => !existsSync(`${path}.wal`) || statSync(`${path}.wal`).size < KIB;
    await expect.poll(() => hasReopened() || isLogEmpty()).toBe(true);
    if (growth <= BLOCK) expect(hasReopened()).toBe(true);
    const hasFailed = hasReopened();
    seen[hasFailed ? 'failed' : 'passed'] += 1;
    await expectStored(server, BATCHES);
    await expect.poll(() => sendBatch(server)).toBe(200);
    await expectStored(server, BATCHES + 1);

    limitFiles(server, 'unlimited');
    // After one that has passed the log is too short for another.
    if (hasFailed) await expect.poll(isLogEmpty).toBe(true);
    await expect.poll(() => sendBatch(server)).toBe(200);
    await expectStored(server, BATCHES + 2);
    expect(process.kill(server.pid, 0)).toBe(true);
    await server.kill();
    const again = await run({ dataDir });
    await expectStored(again, BATCHES + 2);
    console.log(`checkpoints: ${JSON.stringify(seen)}`);
  },
);
