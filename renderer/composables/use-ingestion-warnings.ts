import { ref, shallowRef } from 'vue';
import { ApiFailure } from '../api/http.ts';
import { listIngestionWarnings, type IngestionWarning } from '../api/ingestion-warnings.api.ts';
import { usePolling } from './use-polling.ts';

/** Milliseconds between two looks. */
const INTERVAL = 5000;

/** The warnings of a project, kept fresh while they are shown; a failure keeps those of the last look. */
export function useIngestionWarnings(projectId: number) {
  const warnings = shallowRef<readonly IngestionWarning[] | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const askedAt = ref(Date.now());

  async function refresh(): Promise<void> {
    try {
      warnings.value = await listIngestionWarnings(projectId);
      failure.value = null;
      askedAt.value = Date.now();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }

  usePolling(refresh, INTERVAL);
  return { warnings, failure, askedAt, refresh };
}
