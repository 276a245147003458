import { computed, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { listAnnotations } from '../../api/annotations.api.ts';
import { SCOPES } from '../../components/annotations/annotation-notes.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';

const PAGE_SIZE = 100;

/** The choices of the list: of all scopes or of one. */
export const WHICH = [
  { id: 'all', label: 'Any scope' },
  ...SCOPES.map(({ id, label }) => ({ id, label })),
] as const;

/** The list that the address describes: `search`, `scope`, `page`. */
export function useAnnotationList(projectId: number) {
  const route = useRoute();
  const router = useRouter();
  const { typed, searchOf } = useTypedSearch(['page']);

  const search = computed(searchOf);
  const scope = computed({
    get: () => WHICH.find(({ id }) => id === route.query['scope'])?.id ?? 'all',
    set: (next) => replace({ scope: next === 'all' ? undefined : next, page: undefined }),
  });
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replace({ page: next > 1 ? String(next) : undefined }),
  });
  const isFiltered = computed(() => search.value !== '' || scope.value !== 'all' || page.value > 1);

  const list = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    const found = await listAnnotations(projectId, {
      limit: PAGE_SIZE,
      offset,
      search: search.value || undefined,
      scope: scope.value === 'all' ? undefined : scope.value,
    });
    return { ...found, offset };
  });

  watch([search, scope, page], () => {
    if (route.name === 'annotations') void list.ask();
  });

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replace({ search: undefined, scope: undefined, page: undefined });
  }

  void list.ask();
  return { ...list, typed, scope, page, isFiltered, clear, replace };
}
