import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDesktopOptions } from './desktop-options.ts';
import { listen, type Listener } from './listen.ts';

let dataDir: string;
let file: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'burrow-options-'));
  file = join(dataDir, 'settings.json');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** Options of a server on port 2877 that was started with this environment. */
function open(env: Record<string, string> = {}) {
  return createDesktopOptions({
    argv: ['serve', '--data-dir', dataDir],
    env,
    machine: { platform: 'linux', homeDir: '/u/ada', workingDir: '/here', totalMemory: 16e9 },
    port: () => 2877,
    readSettings: () => (readdirSync(dataDir).includes('settings.json') ? stored() : {}),
  });
}

function stored(): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

const optionOf = (options: ReturnType<typeof open>, name: string) =>
  options.list().find((option) => option.name === name);

/** A port that another program has. */
async function takePort(): Promise<Listener> {
  return await listen(() => undefined, '127.0.0.1', 0);
}

test('an untouched option has its default and no source', () => {
  const usual = { source: null, running: '2877', value: '2877', default: '2877' };
  expect(optionOf(open(), 'port')).toEqual({ name: 'port', ...usual });
  expect(optionOf(open(), 'memory-limit')).toMatchObject({ value: '2000000000', source: null });
});

test('a saved option counts from the next start, and is removed by null', async () => {
  const options = open();
  expect(await options.change({ 'memory-limit': '512MB' })).toEqual([]);
  expect(optionOf(options, 'memory-limit')).toMatchObject({
    running: '2000000000',
    value: '512000000',
    source: 'settings.json',
  });
  expect(await options.change({ 'memory-limit': null })).toEqual([]);
  expect(stored()).toEqual({});
});

test('options that the desktop app does not show are kept, and no draft is left', async () => {
  writeFileSync(file, '{"max-body": 5000, "allowed-host": ["a.test"]}');
  expect(await open().change({ 'log-level': 'warn' })).toEqual([]);
  expect(stored()).toEqual({ 'max-body': 5000, 'allowed-host': ['a.test'], 'log-level': 'warn' });
  expect(readdirSync(dataDir)).toEqual(['settings.json']);
});

test.each([
  [{ port: '70000' }, 'port', 'Must be a whole number from 0 to 65535.'],
  [{ host: 'http://x' }, 'host', 'Must be a host name or an IP address.'],
  [{ host: '192.0.2.1' }, 'host', 'This machine does not have the address 192.0.2.1.'],
  [
    { 'memory-limit': '1MB' },
    'memory-limit',
    'Must be a size of at least 64000000 bytes, such as 2GB, 512MB or 20971520.',
  ],
])('%j is refused with a sentence, and nothing is written', async (changes, name, text) => {
  expect(await open().change({ ...changes, 'log-level': 'debug' })).toEqual([{ name, text }]);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a port that another program has is refused', async () => {
  const other = await takePort();
  const [problem] = await open().change({ port: String(other.port) });
  expect(problem).toMatchObject({ name: 'port', text: expect.stringMatching(/is in use by/) as string });
  await other.drain();
});

test('an option of the environment is reported with its variable, and cannot be changed', async () => {
  const options = open({ BURROW_PORT: '3000' });
  expect(optionOf(options, 'port')).toMatchObject({ value: '3000', source: 'BURROW_PORT' });
  expect(await options.change({ port: '3001' })).toEqual([{ name: 'port', text: 'Set by BURROW_PORT.' }]);
});

test('on a port for this time only, the one that is set is the value, and the other one is running', () => {
  const options = open({ BURROW_KEPT_PORT: '2877', BURROW_PORT: '3000' });
  expect(optionOf(options, 'port')).toMatchObject({ value: '3000', running: '2877' });
});

test('the port that was kept for windows is not taken for the one that is set', () => {
  expect(optionOf(open({ BURROW_KEPT_PORT: '2999' }), 'port')).toMatchObject({
    value: '2877',
    running: '2877',
  });
});

test('an option beyond the ones of the app is refused', async () => {
  await expect(open().change({ 'data-dir': '/elsewhere' })).rejects.toThrow('data-dir cannot be set here.');
});
