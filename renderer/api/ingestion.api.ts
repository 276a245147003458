import type { IngestionReport } from '../../server/features/ingestion/ingestion.contract.ts';
import { request } from './http.ts';

export type { IngestionReport };
export type DroppedRow = IngestionReport['dropped_by_reason'][number];
export type MinuteRow = IngestionReport['per_minute'][number];

/** A request to a capture endpoint. */
export type ReceivedRequest = IngestionReport['requests'][number];

/** What came in during the last hour, what became of it, and how the store keeps up. Times are milliseconds, sizes bytes. */
export function getIngestionReport(projectId: number): Promise<IngestionReport> {
  return request<IngestionReport>(`/api/projects/${projectId}/burrow/ingestion/`);
}
