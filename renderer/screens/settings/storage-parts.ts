import type { StorageReport } from '../../api/storage.api.ts';
import { formatBytes } from '../../ui/format.ts';

interface StoragePart {
  id: string;
  name: string;
  size: number;
  text: string;
  color: string;
}

/** Projects drawn apart; the smaller ones share a part. */
const DRAWN = 6;

/** What the file on disk consists of: events by project (estimated), everything else, free room, and the log beside it. */
export function storagePartsOf(report: StorageReport): StoragePart[] {
  const bySize = report.projects
    .filter(({ estimated_bytes }) => estimated_bytes > 0)
    .toSorted((a, b) => b.estimated_bytes - a.estimated_bytes);
  const others = bySize.slice(DRAWN);
  const free = report.free_blocks * report.block_bytes;
  const events = sum(bySize.map(({ estimated_bytes }) => estimated_bytes));
  const parts = [
    ...bySize
      .slice(0, DRAWN)
      .map(({ id, name, estimated_bytes }, index) =>
        part(String(id), name, estimated_bytes, `--c-${index + 1}`),
      ),
    part('others', `${others.length} more projects`, sum(others.map((row) => row.estimated_bytes)), '--c-7'),
    part('rest', 'Persons, definitions and the rest', report.file_bytes - free - events, '--c-rest'),
    part('free', 'Free, used again', free, '--n-6'),
    part('log', 'Log, not yet in the file', report.wal_bytes, '--c-8'),
  ];
  return parts.filter(({ size }) => size > 0);
}

function part(id: string, name: string, size: number, color: string): StoragePart {
  return { id, name, size, text: formatBytes(Math.max(0, size)), color };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
