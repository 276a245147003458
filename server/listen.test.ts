import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { allowSlowUpload } from './http/slow-upload.ts';
import { listen } from './listen.ts';

describe('draining', () => {
  // Without the clock, the limit after which connections are cut never comes: what ends here ends by itself.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('an open request is answered, then its keep-alive connection is closed', async () => {
    let ask: (res: ServerResponse) => void = () => undefined;
    const asked = new Promise<ServerResponse>((resolve) => (ask = resolve));
    const listener = await listen((_req, res) => ask(res), '127.0.0.1', 0);
    const response = fetch(listener.url);
    const answer = await asked;
    const drained = listener.drain();
    answer.end('stored');
    expect(await (await response).text()).toBe('stored');
    await drained;
    await expect(fetch(listener.url)).rejects.toThrow('fetch failed');
  });

  test('an idle connection does not delay the shutdown', async () => {
    const listener = await listen((_req, res) => res.end(), '127.0.0.1', 0);
    const socket = connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    await fetch(listener.url);
    await Promise.all([listener.drain(), once(socket, 'close')]);
    expect(socket.destroyed).toBe(true);
  });
});

test.each([
  ['a name that leads nowhere', 'nowhere.invalid', 0, 'The host name nowhere.invalid could not be resolved.'],
  ['an address of another machine', '192.0.2.1', 0, 'This machine does not have the address 192.0.2.1.'],
])('%s is refused with a message', async (_what, host, port, sentence) => {
  await expect(listen(() => undefined, host, port)).rejects.toThrow(sentence);
});

test('a listener on all addresses has a URL that this machine can reach', async () => {
  const listener = await listen((_req, res) => res.end('here'), '0.0.0.0', 0);
  expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
  expect(await (await fetch(listener.url)).text()).toBe('here');
  await listener.drain();
});

test('a taken port is refused with the program that has it', async () => {
  const holder = await listen(() => undefined, '127.0.0.1', 0);
  const refused = listen(() => undefined, '127.0.0.1', holder.port);
  const by = process.platform === 'win32' ? 'another program' : `.+ \\(process ${process.pid}\\)`;
  await expect(refused).rejects.toThrow(
    new RegExp(`^Port ${holder.port} of 127.0.0.1 is in use by ${by}\\.$`),
  );
  await expect(refused).rejects.toMatchObject({ port: holder.port });
  await holder.drain();
});

describe('the limit of a whole request', () => {
  /** Sends pieces with pauses; all that was answered before the connection ended. */
  async function send(pieces: number, pauseMs: number, silenceMs: number | null): Promise<string> {
    const listener = await listen(
      (req, res) => {
        if (silenceMs !== null) allowSlowUpload(req, silenceMs);
        let length = 0;
        req.on('data', (piece: Buffer) => void (length += piece.length));
        req.on('end', () => res.end(`${length} bytes`));
      },
      '127.0.0.1',
      0,
      { requestMs: 200, checkMs: 20 },
    );
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (piece) => void (answer += String(piece)));
    const closed = once(socket, 'close');
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 10\r\n\r\n';
    socket.write(head);
    for (let n = 0; n < pieces; n++) {
      await sleep(pauseMs);
      if (socket.writable) socket.write('x');
    }
    await closed;
    await listener.drain();
    return answer;
  }

  test('cuts off a request that comes too slowly', async () => {
    expect(await send(10, 60, null)).toContain('408 Request Timeout');
  });

  test('does not end a slow upload that may take long', async () => {
    expect(await send(10, 60, 60_000)).toContain('10 bytes');
  });

  test('does not keep an upload that has become silent', async () => {
    expect(await send(3, 60, 300)).toBe('');
  });
});

test.each([
  ['is no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
  ['has far too long headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, '431 Request Header'],
])('what %s is answered with its status, and the connection ends', async (_, text, status) => {
  const listener = await listen((_req, res) => res.end(), '127.0.0.1', 0);
  const socket = connect(listener.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (piece) => void (answer += String(piece)));
  socket.write(text);
  await once(socket, 'close');
  expect(answer).toContain(status);
  await listener.drain();
});
