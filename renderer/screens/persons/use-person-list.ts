import { computed, ref, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { listPersons } from '../../api/persons.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';
import { filtersFromText, filtersToText } from './person-filters.ts';

const PAGE_SIZE = 100;

/** The list that the address describes: `search`, `filters`, `page`. */
export function usePersonList(projectId: number) {
  const route = useRoute();
  const router = useRouter();

  const { typed, searchOf } = useTypedSearch(['page']);
  const search = computed(searchOf);
  const filters = computed({
    get: () => filtersFromText(route.query['filters']),
    set: (next) => replaceQuery({ filters: filtersToText(next), page: undefined }),
  });
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replaceQuery({ page: next > 1 ? String(next) : undefined }),
  });
  const isFiltered = computed(() => search.value !== '' || filters.value.length > 0);

  /** The number of persons without search and filters; `null` until it is loaded. */
  const total = ref<number | null>(null);
  const { answer, failure, isAsking, ask } = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    const wasFiltered = isFiltered.value;
    const found = await listPersons(projectId, {
      limit: PAGE_SIZE,
      offset,
      search: search.value,
      filters: filters.value,
    });
    if (!wasFiltered) total.value = found.count;
    else total.value ??= (await listPersons(projectId, { limit: 1 })).count;
    return { ...found, offset };
  });

  watch([search, () => route.query['filters'], page], () => {
    if (route.name === 'persons') void ask();
  });

  function replaceQuery(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replaceQuery({ search: undefined, filters: undefined, page: undefined });
  }

  void ask();
  return { typed, filters, page, isFiltered, total, answer, failure, isAsking, ask, clear };
}
