import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { ApiFailure } from '../api/http.ts';
import { api } from '../api/client.ts';
import type { IngestionReport } from '../../server/features/ingestion/ingestion.contract.ts';
import { eventsPerMinute } from './rate.ts';
import { useProjectStore } from './project.store.ts';
import { useSessionStore } from './session.store.ts';

/** The ingestion report of the current project, kept fresh by the shell: the status line, Live and Connect read it. */
export const useIngestionStore = defineStore('ingestion', () => {
  const projects = useProjectStore();
  const sessions = useSessionStore();
  const report = shallowRef<IngestionReport | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const requestedAt = ref(0);

  const rate = computed(() =>
    report.value ? eventsPerMinute(report.value.per_minute, requestedAt.value) : null,
  );

  /** Reloads the report; after a failure the last report stays, with the error in `failure`. */
  async function refresh(): Promise<void> {
    const projectId = projects.current?.id;
    if (projectId === undefined) return;
    try {
      const answer = await api.get('P/burrow/ingestion/', { projectId });
      if (projects.current?.id !== projectId) return;
      requestedAt.value = Date.now();
      report.value = answer;
      // The first event counts on every screen, not only on Connect.
      if (answer.stored > 0 && !projects.current.ingested_event) sessions.markIngested(projectId);
      failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }

  /** Forgets the report of a project that is no longer shown. */
  function reset(): void {
    report.value = null;
    failure.value = null;
  }

  return { report, failure, requestedAt, rate, refresh, reset };
});
