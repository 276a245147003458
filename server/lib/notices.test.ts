import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from './log.ts';
import { createNotices, type NewNotice } from './notices.ts';

const DISK_FULL: NewNotice = {
  id: 'disk_full',
  level: 'error',
  title: 'The disk is full',
  text: 'Free some space.',
  page: 'storage',
  refusesEvents: true,
  dismissible: false,
};
const LOG_DAMAGED: NewNotice = {
  ...DISK_FULL,
  id: 'log_damaged',
  level: 'warning',
  title: 'The log was damaged',
  refusesEvents: false,
  dismissible: true,
};

function fileInFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-notices-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'notices.json');
}

function openNotices(file: string | null = null, now = 1_000) {
  return createNotices({ clock: () => now, log: silentLog, file });
}

test('errors are first; a notice that is raised again keeps its first time', () => {
  let now = 1_000;
  const notices = createNotices({ clock: () => now, log: silentLog, file: null });
  notices.raise(LOG_DAMAGED);
  notices.raise(DISK_FULL);
  now = 2_000;
  notices.raise({ ...DISK_FULL, text: 'Nothing fits anymore.' });
  expect(notices.list().map(({ id, text, since }) => [id, text, since])).toEqual([
    ['disk_full', 'Nothing fits anymore.', 1_000],
    ['log_damaged', LOG_DAMAGED.text, 1_000],
  ]);
});

test('a notice that refuses events is the reason of readiness until it is cleared', () => {
  const notices = openNotices();
  notices.raise(LOG_DAMAGED);
  expect(notices.refusal()).toBeNull();
  notices.raise(DISK_FULL);
  expect(notices.refusal()?.title).toBe('The disk is full');
  notices.clear('disk_full');
  expect(notices.refusal()).toBeNull();
});

test('a dismissible notice is kept after a restart in a private file, and removed once it is dismissed', () => {
  const file = fileInFolder();
  const first = openNotices(file);
  first.raise(LOG_DAMAGED);
  first.raise(DISK_FULL);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = openNotices(file, 9_000);
  expect(second.list()).toEqual([{ ...LOG_DAMAGED, since: 1_000 }]);
  expect(second.dismiss('log_damaged')).toBe(true);
  expect(openNotices(file).list()).toEqual([]);
});

test('a notice about a current state cannot be dismissed', () => {
  const notices = openNotices();
  notices.raise(DISK_FULL);
  expect([notices.dismiss('disk_full'), notices.dismiss('nothing')]).toEqual([false, false]);
  expect(notices.list()).toHaveLength(1);
});

test('a damaged file of notices does not prevent a start', () => {
  const file = fileInFolder();
  writeFileSync(file, '[{"id":');
  expect(openNotices(file).list()).toEqual([]);
});
