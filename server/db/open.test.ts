import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { damagedWalPosition, openFailure } from './open.ts';

const FILE = '/data/burrow.duckdb';

test.each([
  [
    'IO Error: Could not set lock on file "/data/burrow.duckdb": Conflicting lock is held in /usr/bin/node (PID 4711). See also https://duckdb.org/docs/stable/connect/concurrency',
    'locked',
    4711,
  ],
  ['IO Error: Cannot open file "/data/burrow.duckdb": Permission denied', 'read_only', null],
  ['IO Error: Cannot open file "/data/burrow.duckdb.wal": Read-only file system', 'read_only', null],
  [
    'IO Error: Trying to read a database file with version number 99, but we can only read versions between 64 and 68.',
    'newer_version',
    null,
  ],
  [
    'IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2 in block at location 4096',
    'corrupt',
    null,
  ],
  [
    'IO Error: The file "/data/burrow.duckdb" exists, but it is not a valid DuckDB database file!',
    'corrupt',
    null,
  ],
  ['IO Error: something else\nwith a second line', 'io', null],
])('%s is reported as %s', (text, reason, holderPid) => {
  const failure = openFailure(text, FILE);
  expect(failure).toMatchObject({ reason, holderPid });
  expect(failure.message).toContain(FILE);
  expect(failure.message).not.toContain('\n');
});

test('the message about a file in use names its process', () => {
  const text = 'Conflicting lock is held in /usr/bin/node (PID 4711)';
  expect(openFailure(text, FILE).message).toBe(`${FILE} is in use by another Burrow (process 4711).`);
});

test('only damage at a known position can be truncated', () => {
  const text = `IO Error: Failure while replaying WAL file "${FILE}.wal": Corrupt WAL file: entry at byte position 12783975 computed checksum 1 does not match stored checksum 2`;
  expect(damagedWalPosition(text)).toBe(12_783_975);
  expect(damagedWalPosition('Failed to decode LEB128 integer')).toBeNull();
});

test('the message about a damaged file lists the backups beside it only when there are some', () => {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-open-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const message = () => openFailure('IO Error: Corrupt database file', join(folder, 'burrow.duckdb')).message;
  expect(message()).toContain(`There is no backup in ${join(folder, 'backups')}`);
  mkdirSync(join(folder, 'backups'));
  writeFileSync(join(folder, 'backups', 'burrow-20261126-093000.duckdb'), '');
  expect(message()).toContain(`Restore a backup from ${join(folder, 'backups')}.`);
  rmSync(join(folder, 'backups'), { recursive: true });
  // Not readable as a folder: the database is reported as damaged all the same.
  writeFileSync(join(folder, 'backups'), '');
  expect(message()).toContain(`There is no backup in ${join(folder, 'backups')}`);
});
