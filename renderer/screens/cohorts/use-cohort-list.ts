import { computed, shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { listCohorts, listCohortUses, type CohortUse } from '../../api/cohorts.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';

const PAGE_SIZE = 100;

export type CohortKind = 'all' | 'dynamic' | 'static';

/** The list that the address describes: `search`, `kind`, `page`; and beside it what uses each cohort. */
export function useCohortList(projectId: number) {
  const route = useRoute();
  const router = useRouter();
  const { typed, searchOf } = useTypedSearch(['page']);

  const search = computed(searchOf);
  const kind = computed<CohortKind>({
    get: () => {
      const asked = route.query['kind'];
      return asked === 'dynamic' || asked === 'static' ? asked : 'all';
    },
    set: (next) => replace({ kind: next === 'all' ? undefined : next, page: undefined }),
  });
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replace({ page: next > 1 ? String(next) : undefined }),
  });
  const isFiltered = computed(() => search.value !== '' || kind.value !== 'all' || page.value > 1);
  const uses = shallowRef<ReadonlyMap<number, CohortUse>>(new Map());

  const list = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    const found = await listCohorts(projectId, {
      limit: PAGE_SIZE,
      offset,
      search: search.value,
      type: kind.value === 'all' ? undefined : kind.value,
    });
    return { ...found, offset };
  });

  watch([search, kind, page], () => {
    if (route.name === 'cohorts') void list.ask();
  });

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replace({ search: undefined, kind: undefined, page: undefined });
  }

  // Uses complete the list; it does not wait for them, nor fail with them.
  void listCohortUses(projectId).then(
    (found) => (uses.value = new Map(found.map((use) => [use.id, use]))),
    () => {},
  );
  void list.ask();
  return { ...list, typed, kind, page, isFiltered, uses, clear };
}
