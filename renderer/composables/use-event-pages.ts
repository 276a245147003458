import { computed, onScopeDispose, ref, shallowRef } from 'vue';
import { listEvents, listEventsAt, type EventQuery } from '../api/events.api.ts';
import type { LiveEvent } from '../api/live.api.ts';
import { usePolling } from './use-polling.ts';

/** Milliseconds between two looks for new events. */
const LOOK_INTERVAL = 4000;
/** How many new events one look finds; when it is all of them, there may be more. */
const LOOK_SIZE = 20;

interface EventPages {
  projectId: number;
  /** The query parameters, without `limit`. */
  query: () => Omit<EventQuery, 'limit'>;
  pageSize: number;
}

/** Stored events page by page, newest first; new ones are looked for while the page is seen, and wait until they are let in. */
export function useEventPages({ projectId, query, pageSize }: EventPages) {
  const events = shallowRef<readonly LiveEvent[] | null>(null);
  const waiting = shallowRef<readonly LiveEvent[]>([]);
  const next = ref<string | null>(null);
  const failure = shallowRef<unknown>(null);
  const isAsking = ref(false);
  let turn = 0;

  /** Loads the newest page, as at the start. */
  async function restart(): Promise<void> {
    await run(
      () => listEvents(projectId, { ...query(), limit: pageSize }),
      (page) => {
        events.value = page.events;
        waiting.value = [];
        next.value = page.next;
      },
    );
  }

  /** Adds the page of those before the oldest shown. */
  async function more(): Promise<void> {
    if (next.value === null || isAsking.value) return;
    const address = next.value;
    await run(
      () => listEventsAt(address),
      (page) => {
        events.value = [...(events.value ?? []), ...page.events];
        next.value = page.next;
      },
    );
  }

  async function run<Page>(ask: () => Promise<Page>, take: (page: Page) => void): Promise<void> {
    turn += 1;
    const mine = turn;
    isAsking.value = true;
    try {
      const page = await ask();
      if (mine !== turn) return;
      take(page);
      failure.value = null;
    } catch (error) {
      if (mine === turn) failure.value = error;
    } finally {
      if (mine === turn) isAsking.value = false;
    }
  }

  /**
   * Loads newer events in the background. A failure is not shown: the next run follows soon, and the displayed events
   * stay valid.
   */
  async function look(): Promise<void> {
    if (events.value === null || isAsking.value) return;
    const mine = turn;
    const page = await listEvents(projectId, { ...query(), limit: LOOK_SIZE }).catch(() => null);
    if (page === null || mine !== turn) return;
    const known = new Set(events.value.map(({ id }) => id));
    waiting.value = page.events.filter(({ id }) => !known.has(id));
  }

  /** Shows what came meanwhile. Events that happened earlier than the newest shown find their place by time. */
  async function release(): Promise<void> {
    if (waiting.value.length >= LOOK_SIZE) return restart();
    const all = [...waiting.value, ...(events.value ?? [])];
    events.value = all.toSorted((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
    waiting.value = [];
  }

  void restart();
  usePolling(look, LOOK_INTERVAL);
  onScopeDispose(() => (turn += 1));
  return {
    events,
    waitingCount: computed(() => waiting.value.length),
    /** Whether more may wait than were counted. */
    isWaitingMore: computed(() => waiting.value.length >= LOOK_SIZE),
    hasMore: computed(() => next.value !== null),
    failure,
    isAsking,
    restart,
    more,
    release,
  };
}
