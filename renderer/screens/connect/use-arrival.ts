import { computed, onScopeDispose, ref, shallowRef } from 'vue';
import { listRecentEvents } from '../../api/events.api.ts';
import { ApiFailure } from '../../api/http.ts';
import { openLiveStream, type LiveConnection, type LiveEvent } from '../../api/live.api.ts';
import { useProjectStore } from '../../stores/project.store.ts';
import { useSessionStore } from '../../stores/session.store.ts';

/** Between two looks back, when the first was not answered. */
const RETRY_MS = 3_000;

/** Waits at the door of the current project: the newest event, and whether it is the first one ever, seen as it came. */
export function useArrival() {
  const projects = useProjectStore();
  const session = useSessionStore();
  const projectId = projects.current!.id;

  const wasEmpty = !projects.current!.ingested_event;
  const since = new Date().toISOString();
  const latest = shallowRef<LiveEvent | null>(null);
  const connection = ref<LiveConnection>('connecting');
  /** What came before this page was open is not known yet. */
  const isLooking = ref(true);
  let again: ReturnType<typeof setTimeout> | undefined;
  const isFirst = computed(() => wasEmpty && latest.value !== null);

  function arrive(event: LiveEvent | undefined): void {
    if (!event) return;
    // The first event stays on screen: the user waited for it.
    if (isFirst.value) return;
    latest.value = event;
    session.markIngested(projectId);
  }

  // What came before this page was open, or while its stream was down.
  async function lookBack(): Promise<void> {
    clearTimeout(again);
    try {
      const [newest] = await listRecentEvents(projectId, { limit: 1 });
      if (latest.value === null) arrive(newest);
      isLooking.value = false;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      again = setTimeout(() => void lookBack(), RETRY_MS);
    }
  }

  const close = openLiveStream({
    projectId,
    filters: [],
    onMessage: ({ events }) => arrive(events.at(-1)),
    onConnection: (state) => {
      connection.value = state;
      if (state === 'open') void lookBack();
    },
  });
  onScopeDispose(() => {
    close();
    clearTimeout(again);
  });

  return { latest, isFirst, isLooking, since, connection };
}
