import { ref, shallowRef } from 'vue';
import { ApiFailure } from '../api/http.ts';
import { api } from '../api/client.ts';
import type { IngestionWarningJson as IngestionWarning } from '../../server/features/ingestion-warnings/ingestion-warnings.contract.ts';
import { usePolling } from './use-polling.ts';

/** Milliseconds between two looks. */
const INTERVAL = 5000;

/** The warnings of a project, kept fresh while they are shown; a failure keeps those of the last look. */
export function useIngestionWarnings(projectId: number) {
  const warnings = shallowRef<readonly IngestionWarning[] | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const requestedAt = ref(Date.now());

  async function refresh(): Promise<void> {
    try {
      warnings.value = (
        await api.get('P/burrow/ingestion_warnings/', { projectId, query: { limit: 1000 } })
      ).results;
      failure.value = null;
      requestedAt.value = Date.now();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }

  usePolling(refresh, INTERVAL);
  return { warnings, failure, requestedAt, refresh };
}
