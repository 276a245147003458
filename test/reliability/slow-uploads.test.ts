import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';
import { send } from './send.ts';

/** So many bodies of this size take all of the queue's room (100,663,296 bytes). */
const SOCKETS = 6;
const ANNOUNCED = 16_777_216;

/** Opens a request that announces a body and sends only its first bytes. */
async function openUpload(port: number, announced: number, sent: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const head = `POST /batch/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${announced}\r\n\r\n`;
  await new Promise<void>((resolve) =>
    socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(sent, ' ')]), () => resolve()),
  );
  return socket;
}

test.each([
  ['announce much and send one byte', 1],
  ['stop just before their end', ANNOUNCED - 2_000],
])('uploads that %s do not block other events', async (_, sent) => {
  const server = await run({ dataDir: await newDataFolder() });
  await Promise.all(Array.from({ length: SOCKETS }, () => openUpload(server.port, ANNOUNCED, sent)));
  const body = JSON.stringify({ api_key: server.projectApiKey, event: 'other', distinct_id: 'd' });
  const capture = async () => (await send(`${server.url}/capture/`, { body })).status;
  // A stalled upload gives its room up within seconds; one that has sent nothing never had any.
  await expect.poll(capture).toBe(200);
  const large = JSON.stringify({
    api_key: server.projectApiKey,
    batch: Array.from({ length: 10 }, () => ({
      event: 'large',
      distinct_id: 'd',
      properties: { filler: 'x'.repeat(500_000) },
    })),
  });
  await expect.poll(async () => (await send(`${server.url}/batch/`, { body: large })).status).toBe(200);
});
