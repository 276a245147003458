import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { expectNothingLost, sendNext, type Sent } from './batches.ts';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

/** Root can read and write regardless of permissions, so the server runs as another user. */
const NOBODY = 65_534;
const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
/** Longer than the server waits between two looks at its folder. */
const LOOK_MS = 1_500;

/** Why the server cannot run as another user here, or null. */
function noOtherUser(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root may start a process of another user';
  const args = ['-e', `require('fs').accessSync(${JSON.stringify(MAIN)})`];
  const { status } = spawnSync(process.execPath, args, { uid: NOBODY, gid: NOBODY, stdio: 'ignore' });
  return status === 0 ? null : 'other users may not read this repository';
}

beforeEach(({ skip }) => skip(noOtherUser() !== null, noOtherUser() ?? ''));

/** A server of an ordinary user, with events in its log. */
async function start(): Promise<{ server: RunningServer; dataDir: string; sent: Sent }> {
  const parent = await newDataFolder();
  chmodSync(parent, 0o777);
  const dataDir = join(parent, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, NOBODY, NOBODY);
  onTestFinished(() => {
    if (existsSync(dataDir)) chmodSync(dataDir, 0o700);
  });
  const server = await run({ dataDir, user: NOBODY });
  const sent: Sent = { batches: [], acknowledged: new Set() };
  expect(await sendBatch(server, sent)).toBe(200);
  return { server, dataDir, sent };
}

function sendBatch(server: RunningServer, sent: Sent): Promise<number> {
  return sendNext(server, sent, { event: 'kept', size: 10 });
}

async function ask(server: RunningServer, method: string, path: string, body?: object) {
  const { status, text } = await send(server.url + path, {
    method,
    headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, json: JSON.parse(text) as Record<string, any> };
}

const makeDashboard = (server: RunningServer, name: string) =>
  ask(server, 'POST', `/api/projects/${server.projectId}/dashboards/`, { name });

/** Neither an event nor a dashboard is acknowledged, immediately and later, and a notice has the reason. */
async function expectRefused(server: RunningServer, sent: Sent): Promise<void> {
  for (let look = 0; look < 2; look += 1) {
    for (let n = 0; n < 3; n += 1) expect(await sendBatch(server, sent)).toBe(503);
    const made = await makeDashboard(server, 'not stored');
    expect([made.status, made.json['code']]).toEqual([503, 'database_unavailable']);
    const { status, json } = await ask(server, 'GET', '/_readiness');
    expect([status, json['reason']]).toEqual([503, 'The data folder is not writable']);
    await sleep(LOOK_MS);
  }
  const { results } = (await ask(server, 'GET', '/api/burrow/notices/')).json;
  expect(results).toMatchObject([{ id: 'data_folder_lost', level: 'error', refuses_events: true }]);
}

async function expectGoesOn(server: RunningServer, dataDir: string, sent: Sent): Promise<void> {
  await expect.poll(() => sendBatch(server, sent)).toBe(200);
  expect((await makeDashboard(server, 'stored')).status).toBe(201);
  expect((await ask(server, 'GET', '/_readiness')).status).toBe(200);
  expectNothingLost(await walkEvents(server, 'kept'), sent.batches, sent.acknowledged);
  await server.kill();
  const again = await run({ dataDir, user: NOBODY });
  expectNothingLost(await walkEvents(again, 'kept'), sent.batches, sent.acknowledged);
  const { results } = (await ask(again, 'GET', `/api/projects/${again.projectId}/dashboards/`)).json;
  expect(results.map(({ name }: { name: string }) => name)).toEqual(['stored']);
}

test('a data folder that its user may no longer enter: no event is acknowledged until it is accessible again', async () => {
  const { server, dataDir, sent } = await start();
  chmodSync(dataDir, 0o000);
  await expectRefused(server, sent);
  chmodSync(dataDir, 0o700);
  await expectGoesOn(server, dataDir, sent);
});

test('a data folder that is deleted under an ordinary user: no event is acknowledged from then on', async () => {
  const { server, dataDir, sent } = await start();
  rmSync(dataDir, { recursive: true });
  await expectRefused(server, sent);
});
