import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { untilWritten } from './until-written.ts';

const BATCHES = 16;
const BATCH_SIZE = 5_000;
/** The server is killed after so many writes to the log: amid adding columns, filling them, counting them as filled. */
const KILLS = [1, 2, 3, 4, 6];
/** Queried together, so that columns are filled for as long as the test kills. */
const NAMES = Array.from({ length: 12 }, (_, n) => `$feature/flag-${n}`);

async function ask(server: RunningServer, query: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/projects/${server.projectId}/query/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: { kind: 'HogQLQuery', query }, refresh: 'force_blocking' }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { results: unknown }).results;
}

async function countAll(server: RunningServer): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const name of NAMES) {
    const property = `properties.\`${name}\``;
    answers.push(
      await ask(server, `SELECT ${property} AS value, count() FROM events GROUP BY value ORDER BY value`),
    );
  }
  return answers;
}

function batchOf(token: string, number: number): string {
  const batch = Array.from({ length: BATCH_SIZE }, (_, n) => ({
    event: 'bought',
    distinct_id: `user-${n}`,
    properties: Object.fromEntries(
      NAMES.map((name, at) => [name, (n + at) % 3 === 0 ? number : ['control', 'test'][n % 2]]),
    ),
  }));
  return JSON.stringify({ api_key: token, batch });
}

test('kills during the promotion of properties to columns change no result, and events are still stored', async () => {
  const dataDir = await newDataFolder();
  let server = await run({ dataDir });
  const { projectApiKey } = server;
  for (let number = 0; number < BATCHES; number++) {
    const { status } = await send(`${server.url}/batch/`, { body: batchOf(projectApiKey, number) });
    expect(status).toBe(200);
  }
  const before = await countAll(server);
  expect(JSON.stringify(before)).toContain('control');
  for (const writes of KILLS) {
    await untilWritten(join(dataDir, `${DATABASE}.wal`), writes);
    await server.kill();
    server = await run({ dataDir });
    expect(await countAll(server)).toEqual(before);
  }
  for (let looks = 0; looks < 20; looks++) {
    expect(await countAll(server)).toEqual(before);
    await sleep(250);
  }
  const { status } = await send(`${server.url}/batch/`, { body: batchOf(projectApiKey, BATCHES) });
  expect(status).toBe(200);
  expect(await ask(server, 'SELECT count() FROM events')).toEqual([[(BATCHES + 1) * BATCH_SIZE]]);
  expect((await server.stop()).code).toBe(0);
});
