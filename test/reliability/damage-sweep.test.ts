import { copyFile, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check } from '../../server/check.ts';
import { openDatabase, OpenFailure } from '../../server/db/open.ts';
import { silentLog } from '../../server/lib/log.ts';
import type { NewNotice } from '../../server/lib/notices.ts';
import { createRandom } from '../bench/random.mjs';
import { startServer } from '../support/start-server.ts';
import { makeBatch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';

/** `BURROW_RELIABILITY=full` takes all of them; otherwise a tenth. docs/reliability.md has the figures of a full run. */
const isFull = process.env['BURROW_RELIABILITY'] === 'full';
const TENTH = isFull ? 1 : 10;
const FLIPS = 200 / TENTH;
const SERVED = isFull ? 20 : 3;
const COMMITS = 20;
const MEMORY = 256 * 1_048_576;
const WAL = `${DATABASE}.wal`;

/** A folder that a kill has left, with events in the file and twenty commits in the log; and one without a log. */
let folder: string;
let crashed: string;
let closed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-sweep-'));
  crashed = join(folder, 'crashed');
  closed = join(folder, 'closed');
  const first = await startServer({ dataDir: crashed });
  for (let number = 0; number < 10; number += 1) await sendBatch(first.url, first.projectApiKey, number, 300);
  await first.stop();
  await cp(crashed, closed, { recursive: true });
  const second = await startServer({ dataDir: crashed });
  for (let number = 0; number < COMMITS; number += 1)
    await sendBatch(second.url, second.projectApiKey, number, 1);
  await second.kill();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function sendBatch(url: string, projectApiKey: string, number: number, size: number): Promise<void> {
  const event = size === 1 ? 'logged' : 'filed';
  const { body } = makeBatch({ projectApiKey, event, number, size });
  expect((await send(`${url}/batch/`, { body })).status).toBe(200);
}

interface Opened {
  logged: number;
  notices: NewNotice[];
  refusal: string | null;
}

/** Opens what is left of a folder as the server does, and counts the events of the log. */
async function openWith(dataDir: string, wal: Buffer): Promise<Opened> {
  for (const name of [DATABASE, `${DATABASE}.mark`]) await copyFile(join(crashed, name), join(dataDir, name));
  await writeFile(join(dataDir, WAL), wal);
  const notices: NewNotice[] = [];
  try {
    const path = join(dataDir, DATABASE);
    const instance = await openDatabase({ path, memoryLimitBytes: MEMORY }, silentLog, Date.now, (notice) =>
      notices.push(notice),
    );
    const connection = await instance.connect();
    const counted = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER FROM all_events WHERE event = 'logged'`,
    );
    connection.closeSync();
    instance.closeSync();
    return { logged: counted.value(0, 0) as number, notices, refusal: null };
  } catch (error) {
    if (!(error instanceof OpenFailure)) throw error;
    return { logged: 0, notices, refusal: error.message };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir);
  }
}

test('A-11 a log that is cut at any byte of its last commit loses only that commit, with a notice', async () => {
  const wal = await readFile(join(crashed, WAL));
  const end = Buffer.from('0500000000000000e7fe7d722fed3d5e640064ffff', 'hex');
  const begin = wal.lastIndexOf(end, wal.length - end.length - 1) + end.length;
  const dataDir = await newDataFolder();
  let tried = 0;
  for (let length = begin; length < wal.length; length += TENTH) {
    const { logged, notices, refusal } = await openWith(dataDir, wal.subarray(0, length));
    expect([length, refusal, logged, [...new Set(notices.map(({ id }) => id))]]).toEqual([
      length,
      null,
      COMMITS - 1,
      ['log_damaged'],
    ]);
    tried += 1;
  }
  console.log(`cut: ${tried} tried`);
}, 600_000);

test('a log with a flipped byte keeps all commits, or reports how much was dropped', async () => {
  const wal = await readFile(join(crashed, WAL));
  const random = createRandom(81);
  const dataDir = await newDataFolder();
  const seen = { whole: 0, cut: 0, refused: 0, dropped: 0 };
  for (let count = 0; count < FLIPS; count += 1) {
    const damaged = Buffer.from(wal);
    const at = Math.floor(random() * wal.length);
    damaged[at] = damaged[at]! ^ (1 + Math.floor(random() * 255));
    const { logged, notices, refusal } = await openWith(dataDir, damaged);
    if (refusal !== null) {
      seen.refused += 1;
      expect(refusal).not.toMatch(/\n/);
      continue;
    }
    if (logged === COMMITS) seen.whole += 1;
    else seen.cut += 1;
    seen.dropped += COMMITS - logged;
    if (logged < COMMITS) expect(notices, `byte ${at} of ${wal.length}`).not.toEqual([]);
  }
  console.log(`log flips: ${JSON.stringify(seen)}`);
}, 600_000);

test('a check finds a flipped byte in a used block, and never fails itself', async () => {
  const file = await readFile(join(closed, DATABASE));
  const random = createRandom(82);
  const dataDir = await newDataFolder();
  const path = join(dataDir, DATABASE);
  const seen = { found: 0, unused: 0 };
  let served = 0;
  for (let count = 0; count < FLIPS; count += 1) {
    const at = Math.floor(random() * file.length);
    const damaged = Buffer.from(file);
    damaged[at] = damaged[at]! ^ (1 + Math.floor(random() * 255));
    await writeFile(path, damaged);
    const report = await check(path, MEMORY);
    expect(report.faults.every((fault) => !fault.includes('\n'))).toBe(true);
    if (report.ok) {
      seen.unused += 1;
      expect(report.events).toBe(3000);
      continue;
    }
    seen.found += 1;
    if (served++ < SERVED) await expectHonest(damaged);
  }
  console.log(
    `file flips: ${JSON.stringify(seen)}, ${Math.min(served, SERVED)} served, of ${(await stat(path)).size} bytes`,
  );
}, 1_200_000);

/** A server on a damaged file is refused with a sentence; or it answers, and once a read has failed it is not ready. */
async function expectHonest(damaged: Buffer): Promise<void> {
  const dataDir = await newDataFolder();
  await cp(closed, dataDir, { recursive: true });
  await writeFile(join(dataDir, DATABASE), damaged);
  const server = await run({ dataDir }).catch((error: Error) => error);
  if (server instanceof Error) {
    expect(server.message).toMatch(/damaged/);
    expect(server.message).not.toMatch(/\n\s+at /);
    return;
  }
  const headers = { Authorization: `Bearer ${server.personalApiKey}` };
  const body = JSON.stringify({
    query: {
      kind: 'HogQLQuery',
      query: 'SELECT properties, distinct_id, timestamp, uuid FROM events LIMIT 1000000',
    },
  });
  const json = { ...headers, 'Content-Type': 'application/json' };
  const asked = await fetch(`${server.url}/api/projects/${server.projectId}/query/`, {
    method: 'POST',
    headers: json,
    body,
  });
  if (asked.status < 500) return void (await server.kill());
  const readiness = await fetch(`${server.url}/_readiness`);
  expect([readiness.status, await readiness.json()]).toEqual([
    503,
    { status: 'unavailable', reason: 'The database is damaged' },
  ]);
  const event = JSON.stringify({ api_key: server.projectApiKey, event: 'refused', distinct_id: 'a' });
  expect((await fetch(`${server.url}/capture/`, { method: 'POST', body: event })).status).toBe(503);
  const backups = await fetch(`${server.url}/api/burrow/backup/`, { headers });
  expect(backups.status).toBe(200);
  await server.kill();
  // The next start says so too, before anything is read.
  const again = await run({ dataDir });
  expect((await fetch(`${again.url}/_readiness`)).status).toBe(503);
  await again.kill();
}
