import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

const KILLS = 4;
const SIZE = 500;

test('a server that is killed during backups loses no events, and a partial backup is never listed', async () => {
  const dataDir = await newDataFolder();
  const sent: Batch[] = [];
  const acknowledged = new Set<number>();
  const whole: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await run({ dataDir });
    let isPouring = true;
    const pouring = (async () => {
      while (isPouring) {
        const { projectApiKey } = server;
        const batch = makeBatch({ projectApiKey, event: 'poured', number: sent.length, size: SIZE });
        sent.push(batch);
        const answer = await send(`${server.url}/batch/`, { body: batch.body }).catch(() => null);
        if (answer?.status === 200) acknowledged.add(batch.number);
      }
    })();
    const headers = { Authorization: `Bearer ${server.personalApiKey}` };
    const backingUp = (async () => {
      while (isPouring) {
        const answer = await send(`${server.url}/api/burrow/backup/`, { headers }).catch(() => null);
        if (answer?.status === 201) whole.push((JSON.parse(answer.text) as { name: string }).name);
      }
    })();
    await expect.poll(() => acknowledged.size).toBeGreaterThan(kill * 5 + 5);
    // Each at another moment of a backup.
    await new Promise((resolve) => setTimeout(resolve, 700 + kill * 190));
    isPouring = false;
    await server.kill();
    await Promise.all([pouring, backingUp]);
  }

  const last = await run({ dataDir });
  expectNothingLost(await walkEvents(last, 'poured'), sent, acknowledged);
  const headers = { Authorization: `Bearer ${last.personalApiKey}` };
  const made = await send(`${last.url}/api/burrow/backup/`, { headers });
  expect(made.status, last.stderr()).toBe(201);
  const list = await send(`${last.url}/api/burrow/backup/`, { method: 'GET', headers });
  const { results } = JSON.parse(list.text) as { results: { name: string; events: number | null }[] };
  expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(whole));
  // A commit is in a backup with all of it or not at all.
  for (const { name, events } of results)
    expect(events === null ? 'unreadable' : events % SIZE, name).toBe(0);
  expect((await readdir(join(dataDir, 'backups'))).filter((name) => name.includes('.part'))).toEqual([]);
});
