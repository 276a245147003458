import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';

const REQUEST_BYTES = 2_000_000;
/** Five megabytes a second, and never a quiet moment of two seconds. */
const PAUSE_MS = 400;
/** Twice the size at which a light load has its log written to the file. */
const MOST_LOG_BYTES = 134_217_728;

test('under a continuous load the log is checkpointed before it grows large', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir });
  const logBytes = async (): Promise<number> =>
    (await stat(join(dataDir, 'burrow.duckdb.wal')).catch(() => null))?.size ?? 0;
  let largest = 0;
  for (let number = 0; ; number += 1) {
    const batch = Array.from({ length: 100 }, (_, index) => ({
      event: 'steady',
      distinct_id: `u${index}`,
      properties: { number, filler: 'x'.repeat(REQUEST_BYTES / 100) },
    }));
    const body = JSON.stringify({ api_key: server.projectApiKey, batch });
    expect((await send(`${server.url}/batch/`, { body })).status).toBe(200);
    const bytes = await logBytes();
    if (bytes < largest) break;
    largest = bytes;
    expect(largest).toBeLessThan(MOST_LOG_BYTES);
    await sleep(PAUSE_MS);
  }
  expect(largest).toBeGreaterThan(REQUEST_BYTES);
});
