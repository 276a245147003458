import { computed, shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { listActions, type Action } from '../../api/actions.api.ts';
import { askQuery } from '../../api/query.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';

const PAGE_SIZE = 100;

/** The list that the address describes: `search`, `page`; and beside it how many events fit each action. */
export function useActionList(projectId: number) {
  const route = useRoute();
  const router = useRouter();
  const { typed, searchOf } = useTypedSearch(['page']);

  const search = computed(searchOf);
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replace({ page: next > 1 ? String(next) : undefined }),
  });
  const isFiltered = computed(() => search.value !== '' || page.value > 1);
  /** Events of the last 30 days by the action's id; an action that could not be counted is missing. */
  const counts = shallowRef<ReadonlyMap<number, number> | null>(null);
  let counting: AbortController | null = null;

  const list = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    const found = await listActions(projectId, {
      limit: PAGE_SIZE,
      offset,
      search: search.value || undefined,
    });
    return { ...found, offset };
  });

  watch([search, page], () => {
    if (route.name === 'actions') void list.ask();
  });
  // The list does not wait for the counts, nor fail with them.
  watch(list.answer, (answer) => void count(answer?.results ?? []));

  async function count(actions: readonly Action[]): Promise<void> {
    counting?.abort();
    counting = new AbortController();
    const { signal } = counting;
    // A count that is missing is shown as a dash.
    const found = await countMatches(projectId, actions, signal).catch(() => new Map<number, number>());
    if (!signal.aborted) counts.value = found;
  }

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replace({ search: undefined, page: undefined });
  }

  void list.ask();
  return { ...list, typed, page, isFiltered, counts, clear };
}

/** How many events of the last 30 days fit each action, in one query; one without steps fits none. */
async function countMatches(
  projectId: number,
  actions: readonly Action[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const asked = actions.filter(({ steps }) => steps.length > 0);
  if (asked.length === 0) return new Map(actions.map(({ id }) => [id, 0]));
  const { results } = await askQuery(
    projectId,
    {
      kind: 'TrendsQuery',
      series: asked.map(({ id }) => ({ kind: 'ActionsNode', id })),
      dateRange: { date_from: '-30d' },
      trendsFilter: { display: 'BoldNumber' },
    },
    { signal },
  );
  const totals = (results as { aggregated_value: number; action: { order: number } }[]).map(
    ({ aggregated_value: total, action: { order } }) => [asked[order]!.id, total] as const,
  );
  return new Map([...actions.map(({ id }) => [id, 0] as const), ...totals]);
}
