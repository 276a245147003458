import { z } from 'zod';

const instant = z.string();
const count = z.number();

/** What arrived in the last hour and what became of it (management contract 9.12). */
const ingestionReport = z.object({
  since: instant,
  window_minutes: count,
  received: count,
  stored: count,
  duplicates: count,
  /** Shown and not kept: the project is for inspection only. */
  inspected: count,
  dropped: count,
  refused: count,
  dropped_by_reason: z.array(
    z.object({
      reason: z.string(),
      lib: z.string(),
      lib_version: z.string(),
      count,
      first_seen: instant,
      last_seen: instant,
      sample_event: z.string(),
    }),
  ),
  /** What was answered as accepted and is not kept: snapshots or lines, and their bytes, since the server started. */
  accepted_not_kept: z.array(
    z.object({ kind: z.enum(['session recording', 'logs']), count, bytes: count, last_seen: instant }),
  ),
  libraries: z.array(
    z.object({
      lib: z.string(),
      lib_version: z.string(),
      received: count,
      stored: count,
      inspected: count,
      dropped: count,
      last_seen: instant,
    }),
  ),
  requests: z.array(
    z.object({
      at: instant,
      method: z.string(),
      path: z.string(),
      status: count,
      outcome: z.enum(['stored', 'inspected', 'dropped', 'refused', 'preflight']),
      events: count,
      code: z.string().nullable(),
      detail: z.string().nullable(),
      origin: z.string().nullable(),
      lib: z.string(),
      key_hint: z.string().nullable(),
    }),
  ),
  queue: z.object({ events: count, bytes: count, limit_bytes: count }),
  commit: z.object({
    count,
    p50_ms: count,
    p95_ms: count,
    max_ms: count,
    events_min: count,
    events_max: count,
  }),
  loop_delay_ms: z.object({ p50: count, p99: count, max: count }),
  per_minute: z.array(
    z.object({ minute: instant, received: count, stored: count, inspected: count, dropped: count }),
  ),
  store: z.object({
    file_bytes: count,
    wal_bytes: count,
    events: count,
    last_checkpoint: instant.nullable(),
  }),
});

export type IngestionReport = z.infer<typeof ingestionReport>;
export type DroppedRow = IngestionReport['dropped_by_reason'][number];
export type MinuteRow = IngestionReport['per_minute'][number];
/** A request to a capture endpoint. */
export type ReceivedRequest = IngestionReport['requests'][number];

export const ingestionApi = {
  'GET P/burrow/ingestion/': { response: ingestionReport },
};
