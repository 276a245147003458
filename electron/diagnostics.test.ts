import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnosticsText } from './diagnostics.ts';
import { logFileIn, openLogFile } from './log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'burrow-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const OF = {
  version: '0.1.0',
  versions: { Electron: '45.3.4', Node: '24.15.0' },
  settings: { keepsCollecting: true },
};

function line(level: number, msg: string, more: object = {}): string {
  return `${JSON.stringify({ level, time: '2026-11-26T10:00:00.000Z', msg, ...more })}\n`;
}

test('diagnostics name versions, the server, sizes, settings and the last warnings', async () => {
  writeFileSync(join(folder, 'burrow.duckdb'), Buffer.alloc(2_500_000));
  writeFileSync(logFileIn(folder), line(30, 'Listening') + line(40, 'The disk is nearly full'));
  const text = await diagnosticsText({
    ...OF,
    state: {
      phase: 'running',
      url: 'http://127.0.0.1:2877',
      port: 2877,
      version: '0.1.0',
      dataDir: folder,
      portSource: null,
      isAttached: false,
    },
    logFolder: folder,
  });
  expect(text).toContain('Burrow 0.1.0, Electron 45.3.4, Node 24.15.0');
  expect(text).toContain('Server: running on http://127.0.0.1:2877');
  expect(text).toContain('  burrow.duckdb: 2.5 MB');
  expect(text).toContain('keepsCollecting: true');
  expect(text).toContain('  2026-11-26T10:00:00.000Z The disk is nearly full');
  expect(text).not.toContain('Listening');
});

test('of a line of the log, only its time and sentence are shown', async () => {
  writeFileSync(logFileIn(folder), line(50, 'A request failed', { key: 'phx_secret', event: 'paid' }));
  const text = await diagnosticsText({ ...OF, state: { phase: 'stopped' }, logFolder: folder });
  expect(text).toContain('A request failed');
  expect(text).not.toMatch(/phx_secret|paid/);
});

test('without a log, and with a server that failed, there are diagnostics too', async () => {
  const text = await diagnosticsText({
    ...OF,
    state: {
      phase: 'failed',
      reason: 'other',
      port: null,
      dataDir: null,
      message: 'The folder cannot be written.',
      detail: '',
    },
    logFolder: join(folder, 'none'),
  });
  expect(text).toContain('Server: failed\nThe folder cannot be written.');
  expect(text).toContain('Last warnings of the log:\n  none');
});

test('the log goes on where it ended, and is moved aside when it is large', async () => {
  for (const text of ['first\n', 'second\n']) {
    const log = openLogFile(folder)!;
    log.write(text);
    await new Promise<void>((resolve) => log.end(resolve));
  }
  expect(readFileSync(logFileIn(folder), 'utf8')).toBe('first\nsecond\n');

  const log = openLogFile(folder)!;
  const megabyte = `${'x'.repeat(999_999)}\n`;
  for (let count = 0; count < 18; count += 1)
    await new Promise((resolve) => void log.write(megabyte, resolve));
  await new Promise<void>((resolve) => log.end(resolve));
  expect(readdirSync(folder).toSorted()).toEqual([
    'burrow.1.log',
    'burrow.2.log',
    'burrow.3.log',
    'burrow.log',
  ]);
});
