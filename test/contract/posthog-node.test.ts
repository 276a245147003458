import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as openSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listEvents } from '../support/list-events.ts';
import { nodeClients } from '../support/node-client.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

let server: RunningServer;
const clients = nodeClients(() => server);

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

describe('posthog-node 5.70.0 and its handling of responses', () => {
  test('11.1/shutdown 1,000 events in two batches: walking the list by `next` finds each exactly once', async () => {
    const client = clients.connect({
      flushAt: 500,
      maxBatchSize: 500,
      maxQueueSize: 2_000,
      flushInterval: 60_000,
    });
    for (let i = 0; i < 1_000; i++) {
      client.capture({ distinctId: `user-${i % 10}`, event: 'order placed', properties: { number: i } });
    }
    await client.shutdown();
    expect(clients.requests).toEqual([
      { path: '/batch/', status: 200 },
      { path: '/batch/', status: 200 },
    ]);

    const events = await listEvents(server, { event: 'order placed', limit: '137' });
    expect(events.map(({ properties }) => properties['number']).sort(ascending)).toEqual(
      Array.from({ length: 1_000 }, (_, i) => i),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(1_000);
  });

  test('12/client-error an invalid project key: an error is reported, without a retry', async () => {
    const client = clients.connect({ fetchRetryDelay: 10 }, 'phc_wrong');
    client.capture({ distinctId: 'ada', event: 'lost' });
    await client.shutdown();
    expect(clients.requests).toEqual([{ path: '/batch/', status: 401 }]);
    expect(clients.errors).toHaveLength(1);
    clients.errors = [];
    expect(await listEvents(server, { event: 'lost' })).toEqual([]);
  });

  test('12/definitions-error, 12/flags-error a wrong personal key: flags fall back to the server', async () => {
    const client = clients.connect({ personalApiKey: 'phx_wrong', featureFlagsPollingInterval: 60_000 });
    expect(await client.getAllFlags('ada')).toEqual({});
    await client.shutdown();
    expect(clients.requests).toEqual(
      expect.arrayContaining([
        { path: '/flags/definitions', status: 401 },
        { path: '/flags/', status: 200 },
      ]),
    );
    clients.errors = [];
  });

  test('12/too-large a batch that is too large is halved until it fits', async () => {
    const small = await startServer({ args: ['--max-body', '20000'] });
    const client = clients.connect(
      { host: small.url, disableCompression: true, flushAt: 40, maxBatchSize: 40, flushInterval: 60_000 },
      small.projectApiKey,
    );
    const filler = 'x'.repeat(1_000);
    for (let i = 0; i < 40; i++)
      client.capture({ distinctId: 'ada', event: 'big', properties: { i, filler } });
    await client.shutdown();
    const events = await listEvents(small, { event: 'big' });
    await small.stop();
    expect(clients.requests.map(({ status }) => status)).toContain(413);
    expect(events.map(({ properties }) => properties['i']).sort(ascending)).toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    );
    clients.errors = [];
  });

  test('12/unavailable a request refused by a busy server is retried, and the event is stored once', async () => {
    const busy = await startServer({ args: ['--max-body', '100MB'] });
    const hog = await fillQueue(busy, 99_000_000);
    const client = clients.connect({ host: busy.url, fetchRetryDelay: 20 }, busy.projectApiKey);
    const filler = randomText(3_000_000);
    client.capture({ distinctId: 'ada', event: 'patient', properties: { filler } });
    const sent = client.shutdown();
    await expect.poll(() => clients.requests[0]?.status).toBe(503);
    hog.destroy();
    await sent;
    const events = await listEvents(busy, { event: 'patient' });
    await busy.stop();
    expect(clients.requests.at(-1)).toEqual({ path: '/batch/', status: 200 });
    expect(events).toHaveLength(1);
  });
});

/** Opens a request and sends that many bytes of its body, which the server holds, and not its last one. */
async function fillQueue(busy: RunningServer, bytes: number): Promise<Socket> {
  const socket = openSocket(busy.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST /batch/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes + 1}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes, ' '));
  await expect
    .poll(async () => {
      const headers = { Authorization: `Bearer ${busy.personalApiKey}` };
      const answer = await fetch(`${busy.url}/api/projects/@current/burrow/ingestion/`, { headers });
      return ((await answer.json()) as { queue: { bytes: number } }).queue.bytes;
    })
    .toBe(bytes);
  return socket;
}

/** Text that hardly shrinks when it is packed, the same each time. */
function randomText(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += state.toString(36);
  }
  return text;
}

function ascending(a: unknown, b: unknown): number {
  return Number(a) - Number(b);
}

test("the README's first event runs in a project of CommonJS modules, as npm init creates it", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-first-event-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const snippet = /```js\n(import \{ PostHog \}.*?)```/s.exec(readFileSync('README.md', 'utf8'))![1]!;
  writeFileSync(join(folder, 'package.json'), '{ "name": "first-event", "type": "commonjs" }');
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'first-event.mjs'),
    snippet.replace('<project token>', server.projectApiKey).replace('http://127.0.0.1:2877', server.url),
  );
  await promisify(execFile)(process.execPath, ['first-event.mjs'], { cwd: folder });
  const [event] = await listEvents(server, { event: 'invoice paid' });
  expect(event).toMatchObject({ distinct_id: 'user-42', properties: { amount: 480 } });
});
