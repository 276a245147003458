import { useTimeoutFn } from '@vueuse/core';
import { computed, ref, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/http.ts';
import { api } from '../../api/client.ts';
import type {
  RetentionJson as Retention,
  RetentionPreviewJson as RetentionPreview,
} from '../../../server/features/retention/retention.contract.ts';
import { usePolling } from '../../composables/use-polling.ts';
import { draftOf, isSameLimits, limitsOf, type RetentionDraft } from './retention-draft.ts';

/** Milliseconds without a key press before the preview is requested. */
const PAUSE = 150;
/** Milliseconds between two looks at what is stored. */
const INTERVAL = 3000;

/** A project's limits, a draft of them, and the preview of its deletions: requested again after each pause in typing. */
export function useRetention(projectId: number) {
  const retention = shallowRef<Retention | null>(null);
  const preview = shallowRef<RetentionPreview | null>(null);
  const draft = ref<RetentionDraft | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const isStale = ref(false);
  let run = 0;

  const limits = computed(() => (draft.value ? limitsOf(draft.value) : null));
  const isChanged = computed(() => {
    if (!retention.value || !draft.value) return false;
    return limits.value === null || !isSameLimits(limits.value, retention.value);
  });

  async function refresh(): Promise<void> {
    await guarded(async () => {
      const answer = await api.get('P/burrow/retention/', { projectId });
      const isFirst = retention.value === null;
      retention.value = answer;
      if (isFirst) draft.value = draftOf(answer);
    });
  }

  async function askPreview(): Promise<void> {
    const asked = limits.value;
    if (asked === null) return;
    run += 1;
    const mine = run;
    await guarded(async () => {
      const answer = await api.post('P/burrow/retention/preview/', { projectId, body: asked });
      if (mine !== run) return;
      preview.value = answer;
      isStale.value = false;
    });
  }

  async function guarded(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }

  /** Sets the drafted limits; throws `ApiFailure`. */
  async function save(): Promise<void> {
    if (limits.value === null) return;
    retention.value = await api.put('P/burrow/retention/', { projectId, body: limits.value });
    draft.value = draftOf(retention.value);
    await askPreview();
  }

  function discard(): void {
    if (retention.value) draft.value = draftOf(retention.value);
  }

  usePolling(refresh, INTERVAL);
  const { start: askPreviewLater } = useTimeoutFn(() => void askPreview(), PAUSE, { immediate: false });
  watch(
    draft,
    () => {
      isStale.value = preview.value !== null;
      askPreviewLater();
    },
    { deep: true },
  );
  // While events are being deleted, what the limits would still delete shrinks.
  watch(
    () => retention.value?.events,
    (events, before) => {
      if (before !== undefined && events !== before) void askPreview();
    },
  );

  return { retention, preview, draft, limits, failure, isStale, isChanged, refresh, save, discard };
}
