import { expect, test } from 'vitest';
import type { StorageJson as StorageReport } from '../../../server/features/storage/storage.contract.ts';
import { storagePartsOf } from './storage-parts.ts';

const aProject = (id: number, estimated_bytes: number) => ({
  id,
  name: `Project ${id}`,
  events: 1,
  oldest: null,
  newest: null,
  estimated_bytes,
});
const aReport = (change: Partial<StorageReport> = {}): StorageReport => ({
  file_bytes: 10_000_000,
  wal_bytes: 500_000,
  block_bytes: 262_144,
  used_blocks: 30,
  free_blocks: 4,
  last_checkpoint: null,
  erasures: { pending: 0, oldest_requested_at: null },
  projects: [aProject(1, 2_000_000), aProject(2, 5_000_000)],
  ...change,
});

test('the parts add up to the file and its log', () => {
  const report = aReport();
  const parts = storagePartsOf(report);
  expect(parts.reduce((total, { size }) => total + size, 0)).toBe(report.file_bytes + report.wal_bytes);
  expect(parts.map(({ name }) => name)).toEqual([
    'Project 2',
    'Project 1',
    'Persons, definitions and other data',
    'Free space',
  ]);
});

test('small projects share one part, so that every color is unique', () => {
  const projects = Array.from({ length: 9 }, (_, index) => aProject(index + 1, 100_000));
  const parts = storagePartsOf(aReport({ projects }));
  expect(parts.find(({ id }) => id === 'others')).toMatchObject({ name: '3 more projects', size: 300_000 });
  expect(new Set(parts.map(({ color }) => color)).size).toBe(parts.length);
});

test('estimates beyond the file size fill the bar only, and are shown unchanged', () => {
  const parts = storagePartsOf(aReport({ file_bytes: 1000, wal_bytes: 0, free_blocks: 0 }));
  expect(Math.round(parts.reduce((total, { size }) => total + size, 0))).toBe(1000);
  expect(parts.map(({ text }) => text)).toEqual(['5 MB', '2 MB']);
});
