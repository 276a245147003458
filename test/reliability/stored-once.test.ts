import { expect, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { makeBatch, type Batch } from './batches.ts';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

async function sendCopies(server: RunningServer, body: string, copies: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: copies }, () => send(`${server.url}/batch/`, { body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: copies }, () => 200));
}

async function expectStoredOnce(server: RunningServer, event: string, batch: Batch): Promise<void> {
  const ids = (await walkEvents(server, event)).map(({ id }) => id);
  expect(ids.toSorted()).toEqual(batch.uuids.toSorted());
}

test('a batch sent twice concurrently, again after a restart and again after a kill is stored once', async () => {
  const dataDir = await newDataFolder();
  let server = await run({ dataDir });
  const batch = makeBatch({ projectApiKey: server.projectApiKey, event: 'once', number: 0, size: 200 });

  await sendCopies(server, batch.body, 2);
  await expectStoredOnce(server, 'once', batch);

  await server.stop();
  server = await run({ dataDir });
  await sendCopies(server, batch.body, 2);
  await expectStoredOnce(server, 'once', batch);

  await server.kill();
  server = await run({ dataDir });
  await sendCopies(server, batch.body, 2);
  await expectStoredOnce(server, 'once', batch);
});

test('a batch whose response was lost in a kill is stored once when it is sent again', async () => {
  const dataDir = await newDataFolder();
  let server = await run({ dataDir });
  const batch = makeBatch({ projectApiKey: server.projectApiKey, event: 'lost', number: 0, size: 5000 });
  const answer = send(`${server.url}/batch/`, { body: batch.body }).catch(() => null);
  await server.kill();
  await answer;

  server = await run({ dataDir });
  await sendCopies(server, batch.body, 1);
  await expectStoredOnce(server, 'lost', batch);
});

test('the same uuid twice in one request, and in capitals in the next, is one event', async () => {
  const server = await run({ dataDir: await newDataFolder() });
  const batch = makeBatch({ projectApiKey: server.projectApiKey, event: 'case', number: 0, size: 3 });
  const { api_key, batch: items } = JSON.parse(batch.body) as { api_key: string; batch: { uuid: string }[] };
  const capitals = items.map((item) => ({ ...item, uuid: item.uuid.toUpperCase() }));

  await sendCopies(server, JSON.stringify({ api_key, batch: [...items, ...items] }), 1);
  await sendCopies(server, JSON.stringify({ api_key, batch: capitals }), 1);
  await expectStoredOnce(server, 'case', batch);
});

test('events without a uuid are never deduplicated', async () => {
  const server = await run({ dataDir: await newDataFolder() });
  const item = { event: 'nameless-copies', distinct_id: 'u', properties: {} };
  const body = JSON.stringify({ api_key: server.projectApiKey, batch: [item, item] });

  await sendCopies(server, body, 3);
  expect(await walkEvents(server, 'nameless-copies')).toHaveLength(6);
});
