import { request } from './http.ts';

export interface DroppedRow {
  reason: string;
  lib: string;
  lib_version: string;
  count: number;
  first_seen: string;
  last_seen: string;
  sample_event: string | null;
}

export interface LibraryRow {
  lib: string;
  lib_version: string;
  received: number;
  stored: number;
  dropped: number;
  last_seen: string;
}

/** One request that knocked at the ingestion door. */
export interface KnockingRequest {
  at: string;
  method: string;
  path: string;
  status: number;
  outcome: 'stored' | 'dropped' | 'refused' | 'preflight';
  events: number;
  code: string | null;
  detail: string | null;
  origin: string | null;
  lib: string;
  /** First and last characters of the key it carried. */
  key_hint: string | null;
}

export interface MinuteRow {
  minute: string;
  received: number;
  stored: number;
  dropped: number;
}

/** What came in during the last hour, what became of it, and how the store keeps up. Times are milliseconds, sizes bytes. */
export interface IngestionReport {
  since: string;
  window_minutes: number;
  received: number;
  stored: number;
  duplicates: number;
  dropped: number;
  refused: number;
  dropped_by_reason: DroppedRow[];
  libraries: LibraryRow[];
  requests: KnockingRequest[];
  queue: { events: number; bytes: number; limit_bytes: number };
  commit: {
    count: number;
    p50_ms: number;
    p95_ms: number;
    max_ms: number;
    events_min: number;
    events_max: number;
  };
  /** Sixty minutes, oldest first; the last one is still running. */
  per_minute: MinuteRow[];
  store: { file_bytes: number; wal_bytes: number; events: number; last_checkpoint: string | null };
}

/** The ingestion report of a project. */
export function getIngestionReport(projectId: number): Promise<IngestionReport> {
  return request<IngestionReport>(`/api/projects/${projectId}/burrow/ingestion/`);
}
