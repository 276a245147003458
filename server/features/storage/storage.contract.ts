import { z } from 'zod';

const instant = z.string().nullable();

/** What the server takes of the disk (management contract 9.12). */
export const storageReport = z.object({
  /** 0 for a server that keeps everything in memory. */
  file_bytes: z.int(),
  wal_bytes: z.int(),
  block_bytes: z.int(),
  used_blocks: z.int(),
  /** Room inside the file, which later events use. */
  free_blocks: z.int(),
  last_checkpoint: instant,
  /** Deletions whose rows are still being wiped from the file. */
  erasures: z.object({ pending: z.int(), oldest_requested_at: instant }),
  projects: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      events: z.int(),
      oldest: instant,
      newest: instant,
      estimated_bytes: z.int(),
    }),
  ),
});
export type StorageJson = z.output<typeof storageReport>;

/** What tidying the file has come to. */
const compacted = z.object({
  before: z.object({ file_bytes: z.int(), wal_bytes: z.int(), free_bytes: z.int() }),
  after: z.object({ file_bytes: z.int(), wal_bytes: z.int(), free_bytes: z.int() }),
  /** Bytes that the file and its log take less than before; below 0 when they have grown. */
  freed_bytes: z.int(),
  milliseconds: z.int(),
});
export type CompactedJson = z.output<typeof compacted>;

export const storageApi = {
  'GET /api/burrow/storage/': { response: storageReport },
  'POST /api/burrow/storage/compact/': { response: compacted },
};
