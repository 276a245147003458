import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
