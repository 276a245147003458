import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listen } from './listen.ts';

describe('draining', () => {
  // Without the clock, the limit after which connections are cut never comes: what ends here ends by itself.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('an open request gets its answer, then its kept-alive connection is closed', async () => {
    let answer = (): void => {};
    const listener = await listen((_req, res) => (answer = () => res.end('stored')), '127.0.0.1', 0);
    const response = fetch(listener.url);
    await vi.waitUntil(() => answer.length === 0 && answer.toString().includes('stored'));
    const drained = listener.drain();
    answer();
    expect(await (await response).text()).toBe('stored');
    await drained;
  });

  test('a connection on which nothing was asked does not hold up the end', async () => {
    const listener = await listen((_req, res) => res.end(), '127.0.0.1', 0);
    const socket = connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    await fetch(listener.url);
    await Promise.all([listener.drain(), once(socket, 'close')]);
  });
});
