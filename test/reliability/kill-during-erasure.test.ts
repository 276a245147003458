import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { filesWith } from '../support/files-with.ts';
import type { RunningServer } from '../support/start-server.ts';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';
import { untilWritten } from './until-written.ts';

const BATCHES = 8;
const BATCH_SIZE = 5_000;
/** The server is killed after so many writes to the file: amid rewriting, amid overwriting, at the end. */
const KILLS = [1, 3, 9, 27];

interface Storage {
  erasures: { pending: number };
  file_bytes: number;
}

function headersOf({ personalApiKey }: RunningServer): Record<string, string> {
  return { Authorization: `Bearer ${personalApiKey}`, 'Content-Type': 'application/json' };
}

async function readJson<T>(server: RunningServer, path: string): Promise<T> {
  const answer = await fetch(`${server.url}${path}`, { headers: headersOf(server) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

async function untilErased(server: RunningServer): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { erasures } = await readJson<Storage>(server, '/api/burrow/storage/');
    if (erasures.pending === 0) return;
    await sleep(100);
  }
  throw new Error('The erasure did not end');
}

/** Random, so that compression does not shrink it. */
function secret(): string {
  return randomBytes(24).toString('base64url');
}

async function deletePerson(server: RunningServer, distinctId: string): Promise<void> {
  const path = `/api/projects/${server.projectId}/persons/`;
  const { results } = await readJson<{ results: { id: string }[] }>(
    server,
    `${path}?distinct_id=${distinctId}`,
  );
  const answer = await fetch(`${server.url}${path}${results[0]!.id}/?delete_events=true`, {
    method: 'DELETE',
    headers: headersOf(server),
  });
  expect(answer.ok).toBe(true);
}

test('kills during an erasure lose no other data, and the next process finishes the erasure', async () => {
  const dataDir = await newDataFolder();
  const file = join(dataDir, DATABASE);
  const sent: Batch[] = [];
  const forgotten: { distinctId: string; mark: string }[] = [];
  let server = await run({ dataDir });
  const { projectApiKey } = server;

  async function store(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      sent.push(makeBatch({ projectApiKey, event: 'kept', number: sent.length, size: BATCH_SIZE }));
      expect((await send(`${server.url}/batch/`, { body: sent.at(-1)!.body })).status).toBe(200);
    }
  }

  await store(BATCHES);
  for (const writes of KILLS) {
    const person = { distinctId: secret(), mark: secret() };
    const properties = { mark: person.mark, $set: { mark: person.mark } };
    const body = {
      api_key: projectApiKey,
      batch: [{ event: 'gone', distinct_id: person.distinctId, properties }],
    };
    expect((await send(`${server.url}/batch/`, { body: JSON.stringify(body) })).status).toBe(200);
    await store(1);
    await deletePerson(server, person.distinctId);
    forgotten.push(person);
    await untilWritten(file, writes);
    await server.kill();
    server = await run({ dataDir });
    const events = await walkEvents(server, 'kept');
    expectNothingLost(events, sent, new Set(sent.map(({ number }) => number)));
    expect(events).toHaveLength(sent.length * BATCH_SIZE);
    expect(await walkEvents(server, 'gone')).toEqual([]);
  }
  await untilErased(server);
  for (const { distinctId, mark } of forgotten) {
    expect(await filesWith(dataDir, mark)).toEqual([]);
    expect(await filesWith(dataDir, distinctId)).toEqual([]);
  }
  expectNothingLost(await walkEvents(server, 'kept'), sent, new Set(sent.map(({ number }) => number)));
  expect((await server.stop()).code).toBe(0);
});

test('kills during retention lose no events within the limit, and all others are deleted in the end', async () => {
  const dataDir = await newDataFolder();
  let server = await run({ dataDir });
  const { projectApiKey, projectId } = server;
  const path = `/api/projects/${projectId}/burrow/retention/`;
  const kept: Batch[] = [];
  const batch = Array.from({ length: BATCH_SIZE }, (_, n) => ({
    event: 'old',
    distinct_id: `user-${n}`,
    timestamp: new Date(Date.now() - (100 + (n % 50)) * 86_400_000).toISOString(),
  }));
  for (const writes of [1, 2, 3]) {
    for (let n = 0; n < 8; n++) {
      kept.push(makeBatch({ projectApiKey, event: 'kept', number: kept.length, size: 1_000 }));
      for (const body of [kept.at(-1)!.body, JSON.stringify({ api_key: projectApiKey, batch })])
        expect((await send(`${server.url}/batch/`, { body })).status).toBe(200);
    }
    const answer = await fetch(`${server.url}${path}`, {
      method: 'PUT',
      headers: headersOf(server),
      body: JSON.stringify({ max_days: 90 }),
    });
    expect(answer.status).toBe(200);
    await untilWritten(join(dataDir, `${DATABASE}.wal`), writes);
    await server.kill();
    server = await run({ dataDir });
    expectNothingLost(await walkEvents(server, 'kept'), kept, new Set(kept.map(({ number }) => number)));
  }
  await expect
    .poll(() => readJson<{ events: number }>(server, path))
    .toMatchObject({ events: kept.length * 1_000, is_applying: false });
  expect(await walkEvents(server, 'old')).toEqual([]);
});
