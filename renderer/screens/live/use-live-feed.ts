import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/http.ts';
import { listRecentEvents, type EventQuery } from '../../api/events.api.ts';
import { openLiveStream, type LiveConnection, type LiveFilter } from '../../api/live.api.ts';
import { filtersToText, matchesFilters } from './filters.ts';
import { addStored, emptyBuffer, receive, release as releaseRows } from './live-buffer.ts';

/** Stored events shown before the first live one. */
const BACKLOG = 100;
/** How far back is looked for events missed in a break, and for those that pass filters which the listing cannot apply. */
const LONG_BACKLOG = 1000;

interface LiveFeedOptions {
  projectId: number;
  filters: Ref<LiveFilter[]>;
  /** While true, new events wait instead of moving the rows. */
  isHeld: Ref<boolean>;
}

/** The live events of a project, above the stored ones; restarts whenever the filters change. */
export function useLiveFeed({ projectId, filters, isHeld }: LiveFeedOptions) {
  const buffer = shallowRef(emptyBuffer());
  const connection = ref<LiveConnection>('connecting');
  const isLoading = ref(true);
  const failure = shallowRef<unknown>(null);
  let close = () => {};
  let run = 0;

  async function loadStored(limit: number): Promise<void> {
    const mine = run;
    try {
      const events = await listRecentEvents(projectId, backlogQuery(filters.value, limit));
      if (mine !== run) return;
      const passing = events.filter((event) => matchesFilters(event, filters.value)).slice(0, limit);
      buffer.value = addStored(buffer.value, passing);
      failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (mine === run) failure.value = error;
    } finally {
      if (mine === run) isLoading.value = false;
    }
  }

  function restart(): void {
    close();
    run += 1;
    buffer.value = emptyBuffer();
    isLoading.value = true;
    failure.value = null;
    close = openLiveStream({
      projectId,
      filters: filters.value,
      onMessage: (message) => (buffer.value = receive(buffer.value, message, isHeld.value)),
      onConnection: (state) => {
        connection.value = state;
        // On every opening: the first fills the table, later ones bring what came during the break.
        if (state === 'open') void loadStored(isLoading.value ? BACKLOG : LONG_BACKLOG);
        else if (state === 'lost' && isLoading.value) void loadStored(BACKLOG);
      },
    });
  }

  function release(): void {
    buffer.value = releaseRows(buffer.value);
  }

  watch(() => filtersToText(filters.value), restart, { immediate: true });
  watch(isHeld, (held) => {
    if (!held) release();
  });
  onScopeDispose(() => close());

  return { buffer, connection, isLoading, failure, release, restart };
}

/** What the listing can apply itself; the rest is sifted here. */
function backlogQuery(filters: readonly LiveFilter[], limit: number): EventQuery {
  const query: EventQuery = { limit: filters.length > 0 ? LONG_BACKLOG : limit };
  for (const { field, operator, value } of filters) {
    if (operator !== 'exact' || value === undefined) continue;
    if (field === 'event') query.event = value;
    if (field === 'distinct_id') query.distinct_id = value;
  }
  return query;
}
