import type { IngestionWarningJson } from '../../server/features/ingestion-warnings/ingestion-warnings.contract.ts';
import { request } from './http.ts';

export type IngestionWarning = IngestionWarningJson;

/** More kinds of warnings and senders than one looks through. */
const LIMIT = 1000;

/** What went wrong with events of a project since it exists, the one seen last first; counts never go back. */
export async function listIngestionWarnings(projectId: number): Promise<IngestionWarning[]> {
  const { results } = await request<{ results: IngestionWarning[] }>(
    `/api/projects/${projectId}/burrow/ingestion_warnings/`,
    { query: { limit: LIMIT } },
  );
  return results;
}
