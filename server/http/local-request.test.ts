import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { sendLocally, textOf } from './local-request.ts';

async function upload(handle: RequestListener, body: Readable) {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const target = { host: '127.0.0.1', port, path: '/', method: 'POST', headers: {} };
  return await sendLocally({ ...target, body, signal: new AbortController().signal });
}

test('an upload whose server ends after it has read everything fails, and is not waited for without end', async () => {
  const sent = upload(
    (req) => req.resume().once('end', () => req.socket.destroy()),
    Readable.from(['a', 'b']),
  );
  await expect(sent).rejects.toThrow(/closed|hang up|ECONNRESET|EPIPE/);
});

test('an upload that is refused before its end has its answer', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield 'x'.repeat(100_000);
    })(),
  );
  const answer = await upload((req, res) => {
    res.writeHead(400, { Connection: 'close' }).end('no');
    req.socket.destroySoon();
  }, endless);
  expect([answer.statusCode, await textOf(answer)]).toEqual([400, 'no']);
});

test('an upload whose file cannot be read any more fails', async () => {
  const broken = Readable.from(
    (function* () {
      yield 'x';
      throw new Error('The disk is gone');
    })(),
  );
  await expect(upload((req) => void req.resume(), broken)).rejects.toThrow('The disk is gone');
});
