import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { askQuery } from '../../api/query.api.ts';
import { sentQuery, type EventsQuery } from '../../insights/events-query.ts';
import { usePolling } from '../../composables/use-polling.ts';
import type { SpanMoments } from '../../ui/dates/span-moments.ts';
import { boundsOf, pagingOf, rowOf, selectedOf, type EventRow } from './event-rows.ts';

const PAGE = 100;
/** Rows that are shown; beyond it the list is to be narrowed. */
export const ROW_LIMIT = 2_000;
/** Milliseconds between two looks for new events. */
const LOOK_INTERVAL = 3_000;

interface Events {
  projectId: number;
  /** `null` until the saved view is loaded. */
  query: () => EventsQuery | null;
  moments: () => SpanMoments;
  isLive: () => boolean;
  /** Called when new events came. */
  onNew(): void;
}

/**
 * The events of a query, page by page. Live, new ones are looked for by the same query: the live stream has other filters.
 */
export function useEvents({ projectId, query, moments, isLive, onNew }: Events) {
  const rows = shallowRef<readonly EventRow[] | null>(null);
  const failure = shallowRef<unknown>(null);
  const isAsking = ref(false);
  const hasMore = ref(false);
  const milliseconds = ref<number | null>(null);
  const isFull = computed(() => (rows.value?.length ?? 0) >= ROW_LIMIT);
  let cursor: string | null = null;
  let asked: AbortController | null = null;

  async function page(at: { offset?: number; cursor?: string | null }, signal: AbortSignal) {
    const wanted = query()!;
    const paging = pagingOf(wanted);
    const select = selectedOf(wanted);
    const answer = await askQuery(
      projectId,
      {
        ...sentQuery(wanted),
        select,
        ...boundsOf(moments()),
        limit: PAGE,
        ...(at.offset !== undefined && paging === 'offset' && { offset: at.offset }),
        ...(typeof at.cursor === 'string' && paging !== 'offset' && { [paging]: at.cursor }),
      },
      { signal },
    );
    const found = (answer.results as unknown[][]).map((cells) => rowOf(select, cells));
    return { found, hasMore: answer.hasMore === true, cursor: answer.nextCursor ?? null };
  }

  type Page = Awaited<ReturnType<typeof page>>;

  async function run(at: Parameters<typeof page>[0], take: (found: Page) => void): Promise<void> {
    if (query() === null) return;
    asked?.abort();
    const mine = new AbortController();
    asked = mine;
    isAsking.value = true;
    const begin = performance.now();
    try {
      const found = await page(at, mine.signal);
      if (asked !== mine) return;
      milliseconds.value = performance.now() - begin;
      failure.value = null;
      take(found);
    } catch (error) {
      if (asked === mine) failure.value = error;
    } finally {
      if (asked === mine) {
        asked = null;
        isAsking.value = false;
      }
    }
  }

  function restart(): Promise<void> {
    return run({}, (first) => {
      rows.value = first.found;
      hasMore.value = first.hasMore;
      cursor = first.cursor;
    });
  }

  async function more(): Promise<void> {
    if (!hasMore.value || isAsking.value || isFull.value) return;
    await run({ offset: rows.value!.length, cursor }, (next) => {
      const known = new Set(rows.value!.map(({ id }) => id));
      rows.value = [...rows.value!, ...next.found.filter(({ id }) => !known.has(id))];
      hasMore.value = next.hasMore;
      cursor = next.cursor;
    });
  }

  /** Puts new events above the others; where there were more than a page, the list begins again with it. */
  async function look(): Promise<void> {
    if (!isLive() || isAsking.value || rows.value === null) return;
    await run({}, (newest) => {
      const known = new Set(rows.value!.map(({ id }) => id));
      const fresh = newest.found.filter(({ id }) => !known.has(id));
      if (fresh.length === 0) return;
      if (fresh.length === PAGE || known.size === 0) {
        rows.value = newest.found;
        hasMore.value = newest.hasMore;
        cursor = newest.cursor;
      } else {
        rows.value = [...fresh, ...rows.value!]
          .toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
          .slice(0, ROW_LIMIT);
      }
      onNew();
    });
  }

  usePolling(look, LOOK_INTERVAL);
  watch(isLive, (now) => now && void look());
  onScopeDispose(() => {
    asked?.abort();
    asked = null;
  });

  return { rows, failure, isAsking, hasMore, isFull, milliseconds, restart, more };
}
