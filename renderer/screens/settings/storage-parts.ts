import type { StorageJson as StorageReport } from '../../../server/features/storage/storage.contract.ts';
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

/** What lies on disk, file and log together: events by project (estimated), everything else, and free room. */
export function storagePartsOf(report: StorageReport): StoragePart[] {
  const free = report.free_blocks * report.block_bytes;
  const used = Math.max(0, report.file_bytes + report.wal_bytes - free);
  const bySize = report.projects.toSorted((a, b) => b.estimated_bytes - a.estimated_bytes);
  const events = sum(bySize);
  // Estimates may come to more than there is: then all that is used is theirs.
  const scale = events > used ? used / events : 1;
  const others = bySize.slice(DRAWN);
  const ofEvents = (id: string, name: string, bytes: number, color: string): StoragePart => ({
    id,
    name,
    color,
    size: bytes * scale,
    text: formatBytes(bytes),
  });
  return [
    ...bySize
      .slice(0, DRAWN)
      .map(({ id, name, estimated_bytes }, index) =>
        ofEvents(String(id), name, estimated_bytes, `--c-${index + 1}`),
      ),
    ofEvents('others', `${others.length} more projects`, sum(others), '--c-7'),
    part('rest', 'Persons, definitions and other data', used - events, '--c-rest'),
    part('free', 'Free space', free, '--n-6'),
  ].filter(({ size }) => size > 0);
}

function part(id: string, name: string, size: number, color: string): StoragePart {
  return { id, name, size, text: formatBytes(Math.max(0, size)), color };
}

function sum(projects: StorageReport['projects']): number {
  return projects.reduce((total, { estimated_bytes }) => total + estimated_bytes, 0);
}
