import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { newDataFolder } from './data-folder.ts';
import { mountSmallDisk, noMount } from './mount.ts';
import { run } from './running.ts';
import { send, type Answer } from './send.ts';
import { walkEvents } from './stored-events.ts';

const DISK = '64m';
const BALLAST_BYTES = 24 * 1024 * 1024;
/** More than fits on the disk. */
const MAX_BATCHES = 400;
const RECOVERY_TRIES = 100;

interface Sent {
  batches: Batch[];
  acknowledged: Set<number>;
}

test('on a full disk captures are answered 503 with Retry-After; acknowledged events are kept, and it recovers with free space', async ({
  skip,
}) => {
  skip(noMount !== null, noMount ?? '');
  const dataDir = await newDataFolder();
  mountSmallDisk(dataDir, DISK);
  const ballast = join(dataDir, 'ballast');
  await writeFile(ballast, Buffer.alloc(BALLAST_BYTES));
  let server = await run({ dataDir });
  const sent: Sent = { batches: [], acknowledged: new Set() };

  const refusal = await sendUntilRefused(server, sent);
  expect(refusal.status).toBe(503);
  expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
  expect(JSON.parse(refusal.text)).toMatchObject({ type: 'server_error' });
  expectNothingLost(await walkEvents(server, 'full'), sent.batches, sent.acknowledged);
  await fillUp(join(dataDir, 'filler'));
  expect(await saveFlag(server)).toMatchObject({
    status: 503,
    json: { code: 'database_unavailable', detail: expect.stringMatching(/disk/) },
  });
  await rm(join(dataDir, 'filler'));

  await rm(ballast);
  const isHealed = await sendUntilAccepted(server, sent);
  expect(isHealed, `captures are accepted again\n${server.stderr()}`).toBe(true);
  expectNothingLost(await walkEvents(server, 'full'), sent.batches, sent.acknowledged);

  await server.kill();
  server = await run({ dataDir });
  expectNothingLost(await walkEvents(server, 'full'), sent.batches, sent.acknowledged);
});

/** Takes what room is left. */
async function fillUp(file: string): Promise<void> {
  const block = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      await appendFile(file, block);
    } catch {
      return;
    }
  }
}

async function saveFlag({ url, projectId, personalApiKey }: RunningServer) {
  const response = await fetch(`${url}/api/projects/${projectId}/feature_flags/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${personalApiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ key: 'saved-on-a-full-disk', filters: { groups: [{ properties: [] }] } }),
  });
  return { status: response.status, json: await response.json() };
}

async function sendNext(server: RunningServer, { batches, acknowledged }: Sent): Promise<Answer> {
  const number = batches.length;
  const options = { projectApiKey: server.projectApiKey, event: 'full', number, size: 400, padding: 600 };
  const batch = makeBatch(options);
  batches.push(batch);
  const answer = await send(`${server.url}/batch/`, { body: batch.body });
  if (answer.status === 200) acknowledged.add(number);
  return answer;
}

async function sendUntilRefused(server: RunningServer, sent: Sent): Promise<Answer> {
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const answer = await sendNext(server, sent);
    if (answer.status !== 200) return answer;
  }
  throw new Error('The disk never filled.');
}

async function sendUntilAccepted(server: RunningServer, sent: Sent): Promise<boolean> {
  for (let n = 0; n < RECOVERY_TRIES; n += 1) {
    if ((await sendNext(server, sent)).status === 200) return true;
    await sleep(100);
  }
  return false;
}
