import { expect, test } from 'vitest';
import { createConsoleAddress } from './console-address.ts';
import type { ServerProcess, ServerState } from './server-process.ts';

const RUNNING: ServerState = {
  phase: 'running',
  url: 'http://127.0.0.1:2877',
  port: 2877,
  version: '0.1.0',
  dataDir: null,
  portSource: null,
  isAttached: false,
};

function serverIn(state: ServerState): Pick<ServerProcess, 'state' | 'signInUrl'> {
  return { state, signInUrl: async () => 'http://127.0.0.1:2877/connect?a=1#token=once' };
}

test('the console URL is the server URL', async () => {
  const address = createConsoleAddress(serverIn(RUNNING), undefined);
  expect(address.origin()).toBe('http://127.0.0.1:2877');
  expect(await address.signInUrl()).toBe('http://127.0.0.1:2877/connect?a=1#token=once');
});

test('in development, the console URL is the dev server, signed in with the same token', async () => {
  const address = createConsoleAddress(serverIn(RUNNING), 'http://127.0.0.1:5173');
  expect(address.origin()).toBe('http://127.0.0.1:5173');
  expect(await address.signInUrl()).toBe('http://127.0.0.1:5173/connect?a=1#token=once');
});

test('the console has no address while no server runs', () => {
  expect(
    createConsoleAddress(serverIn({ phase: 'starting', step: null, dataDir: null }), undefined).origin(),
  ).toBeNull();
  expect(createConsoleAddress(serverIn({ phase: 'stopped' }), 'http://127.0.0.1:5173').origin()).toBeNull();
});
