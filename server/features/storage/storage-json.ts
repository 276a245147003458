import { isoOrNull } from '../../lib/iso-date.ts';
import type { StorageReport } from '../../warehouse/duckdb/upkeep.ts';
import type { StorageJson } from './storage.contract.ts';

/** The report in the words of the wire; every project of `projects` has its row, also without events. */
export function storageJson(
  report: StorageReport,
  projects: readonly { id: number; name: string }[],
): StorageJson {
  const byId = new Map(report.projects.map((project) => [project.projectId, project]));
  return {
    file_bytes: report.fileBytes,
    wal_bytes: report.walBytes,
    block_bytes: report.blockBytes,
    used_blocks: report.usedBlocks,
    free_blocks: report.freeBlocks,
    last_checkpoint: isoOrNull(report.lastCheckpoint),
    erasures: {
      pending: report.erasures.pending,
      oldest_requested_at: isoOrNull(report.erasures.oldest),
    },
    projects: projects.map(({ id, name }) => {
      const stored = byId.get(id);
      return {
        id,
        name,
        events: stored?.events ?? 0,
        oldest: isoOrNull(stored?.oldest ?? null),
        newest: isoOrNull(stored?.newest ?? null),
        estimated_bytes: stored?.estimatedBytes ?? 0,
      };
    }),
  };
}

/** Bytes of the files, and those of them that nothing takes. */
export function sizesOf({ fileBytes, walBytes, freeBlocks, blockBytes }: StorageReport) {
  return { file_bytes: fileBytes, wal_bytes: walBytes, free_bytes: freeBlocks * blockBytes };
}
