import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newDataFolder } from './data-folder.ts';
import { peakMemory, run } from './running.ts';
import { send } from './send.ts';
import { isStoredExactly } from './stored-events.ts';

/** Four million of these compress to 300 KB. */
const EVENTS = 4_000_000;
const REQUESTS = 3;

test('small requests that decompress to millions of tiny events are refused, and other events are accepted meanwhile', async () => {
  const server = await run({ dataDir: await newDataFolder() });
  const event = '{"event":"a","distinct_id":"b"},';
  const body = gzipSync(
    `{"api_key":"${server.projectApiKey}","batch":[${event.repeat(EVENTS).slice(0, -1)}]}`,
  );
  expect(body.length).toBeLessThan(400_000);
  let isOver = false;
  const refusals = Promise.all(
    Array.from({ length: REQUESTS }, () =>
      send(`${server.url}/batch/`, { body, headers: { 'Content-Encoding': 'gzip' } }),
    ),
  ).finally(() => (isOver = true));
  let others = 0;
  while (!isOver) {
    const other = JSON.stringify({ api_key: server.projectApiKey, event: 'other', distinct_id: 'd' });
    expect((await send(`${server.url}/capture/`, { body: other })).status).toBe(200);
    others += 1;
  }
  for (const { status, text } of await refusals) {
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({ code: 'payload_too_large' });
  }
  expect(others).toBeGreaterThan(REQUESTS);
  expect(await isStoredExactly(server, 'other', others)).toBe(true);
  expect(await isStoredExactly(server, 'a', 0)).toBe(true);
  expect(peakMemory(server.pid)).toBeLessThan(700_000_000);
});
