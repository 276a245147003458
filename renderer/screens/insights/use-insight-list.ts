import { computed, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { listInsights } from '../../api/insights.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { KINDS } from '../../insights/kinds.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';
import type { TableSort } from '../../ui/data-table.ts';

const PAGE_SIZE = 100;

export const TYPES: readonly { id: string; label: string }[] = [
  { id: 'all', label: 'Any type' },
  ...KINDS.map(({ name, label }) => ({ id: name.toUpperCase(), label })),
  { id: 'SQL', label: 'SQL' },
];
export const WHOSE = [
  { id: 'all', label: 'All' },
  { id: 'favourites', label: 'Favorites' },
  { id: 'mine', label: 'Mine' },
] as const;

/** Fields of the server by column. */
const ORDERS: Readonly<Record<string, string>> = { name: 'name', changed: 'last_modified_at' };

/** The insights that the address describes: `search`, `type`, `whose`, `sort`, `page`. */
export function useInsightList(projectId: number) {
  const route = useRoute();
  const router = useRouter();
  const { typed, searchOf } = useTypedSearch(['page']);
  const search = computed(searchOf);
  const type = queryValue('type', TYPES);
  const whose = queryValue('whose', WHOSE);
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replace({ page: next > 1 ? String(next) : undefined }),
  });
  const sort = computed<TableSort>({
    get: () => sortOf(route.query['sort']),
    set: ({ columnId, isDescending }) =>
      replace({ sort: `${isDescending ? '-' : ''}${columnId}`, page: undefined }),
  });
  const isFiltered = computed(
    () => search.value !== '' || type.value !== 'all' || whose.value !== 'all' || page.value > 1,
  );

  const list = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    const { columnId, isDescending } = sort.value;
    const found = await listInsights(projectId, {
      limit: PAGE_SIZE,
      offset,
      search: search.value || undefined,
      insight: type.value === 'all' ? undefined : type.value,
      favorited: whose.value === 'favourites' ? true : undefined,
      user: whose.value === 'mine' ? true : undefined,
      order: `${isDescending ? '-' : ''}${ORDERS[columnId]}`,
    });
    return { ...found, offset };
  });

  watch([search, type, whose, page, () => route.query['sort']], () => {
    if (route.name === 'insights') void list.ask();
  });

  /** A value of the address; the first is the usual one and stays out of it. */
  function queryValue<Id extends string>(name: string, values: readonly { id: Id }[]) {
    return computed<Id>({
      get: () => values.find(({ id }) => id === route.query[name])?.id ?? values[0]!.id,
      set: (next) => replace({ [name]: next === values[0]!.id ? undefined : next, page: undefined }),
    });
  }

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replace({ search: undefined, type: undefined, whose: undefined, page: undefined });
  }

  void list.ask();
  return { ...list, typed, type, whose, page, sort, isFiltered, clear };
}

/** The order of the address; what was changed last comes first where it names none. */
function sortOf(text: unknown): TableSort {
  const columnId = typeof text === 'string' ? text.replace(/^-/, '') : '';
  if (columnId in ORDERS) return { columnId, isDescending: String(text).startsWith('-') };
  return { columnId: 'changed', isDescending: true };
}
