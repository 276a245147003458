import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { expectNothingLost, makeBatch, type Batch } from './batches.ts';
import { DATABASE, newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';
import { walkEvents } from './stored-events.ts';

/** Above what the store leaves alone: in the quiet after them it compacts and checkpoints. */
const BATCHES = 12;
const BATCH_SIZE = 1000;
const WAL = `${DATABASE}.wal`;
/**
 * The server is killed as soon as the file has been written so many times by the store itself: the write-ahead log by
 * the commit of a compaction, the database by a checkpoint.
 */
const KILLS = [
  { file: WAL, writes: 1 },
  { file: WAL, writes: 3 },
  { file: WAL, writes: 6 },
  { file: DATABASE, writes: 1 },
  { file: DATABASE, writes: 2 },
];
const NO_MORE_WRITES_MS = 5000;

test('kills during compaction and checkpoints lose no events, and a retry afterwards creates no duplicates', async () => {
  const dataDir = await newDataFolder();
  const sent: Batch[] = [];
  for (const { file, writes } of KILLS) {
    const server = await run({ dataDir });
    expectNothingLost(await walkEvents(server, 'kept'), sent, numbersOf(sent));
    const retried = sent.slice(-BATCHES);
    for (let n = 0; n < BATCHES; n += 1) {
      const { projectApiKey } = server;
      sent.push(makeBatch({ projectApiKey, event: 'kept', number: sent.length, size: BATCH_SIZE }));
    }
    for (const { body } of [...retried, ...sent.slice(-BATCHES)]) {
      expect((await send(`${server.url}/batch/`, { body })).status).toBe(200);
    }
    await untilWritten(join(dataDir, file), writes);
    await server.kill();
  }
  const server = await run({ dataDir });
  expectNothingLost(await walkEvents(server, 'kept'), sent, numbersOf(sent));
});

function numbersOf(batches: readonly Batch[]): Set<number> {
  return new Set(batches.map(({ number }) => number));
}

async function untilWritten(path: string, writes: number): Promise<void> {
  const deadline = performance.now() + NO_MORE_WRITES_MS;
  let last = await stateOf(path);
  for (let seen = 0; seen < writes && performance.now() < deadline;) {
    await sleep(1);
    const state = await stateOf(path);
    if (state !== last) seen += 1;
    last = state;
  }
}

/** Size and time of the last write; a checkpoint removes the write-ahead log. */
async function stateOf(path: string): Promise<string> {
  const file = await stat(path).catch(() => null);
  return `${file?.size} ${file?.mtimeMs}`;
}
