import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from './port.ts';

test('returns the preferred port when it is free', async () => {
  expect(await findFreePort(2877, async () => true)).toBe(2877);
});

test('returns the next free port when the preferred one is taken', async () => {
  expect(await findFreePort(2877, async (port) => port > 2879)).toBe(2880);
});

test('returns the preferred port when all tried ports are taken, so that the server reports the error', async () => {
  expect(await findFreePort(2877, async () => false)).toBe(2877);
});

test('never returns a port above 65535', async () => {
  const asked: number[] = [];
  await findFreePort(65_530, async (port) => (asked.push(port), false));
  expect(asked.at(-1)).toBe(65_535);
});

test('a port on which another program listens is not free', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  expect(await findFreePort(port)).toBeGreaterThan(port);
  await new Promise((resolve) => other.close(resolve));
});
