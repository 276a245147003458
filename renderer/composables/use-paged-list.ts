import { computed, watch, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { readSort, writeSort, type TableSort } from '../ui/data-table.ts';
import { useAnswer } from './use-answer.ts';
import { useTypedSearch } from './use-typed-search.ts';

const PAGE_SIZE = 100;

type Filters = Readonly<Record<string, readonly string[]>>;

interface PageQuery {
  limit: number;
  offset: number;
  search: string | undefined;
  /** The field of the server to sort by, with `-` for descending; none for a list without `orders`. */
  order: string | undefined;
}

interface PagedList<Of extends Filters, Found> {
  /** URL parameters and their values; the first value is the default and stays out of the URL. */
  filters: Of;
  /** Fields of the server by column; the default is `changed`, descending. */
  orders?: Readonly<Record<string, string>>;
  load: (page: PageQuery, filters: { [Name in keyof Of]: Of[Name][number] }) => Promise<Found>;
}

/** A list in pages that the URL describes: `search`, `page`, `sort` and filters. It is loaded immediately and on every change of them. */
export function usePagedList<const Of extends Filters, Found extends object>({
  filters: values,
  orders = {},
  load,
}: PagedList<Of, Found>) {
  const route = useRoute();
  const router = useRouter();
  const { name: routeName } = route;
  const { typed, searchOf } = useTypedSearch(['page']);
  const names = Object.keys(values);

  const search = computed(searchOf);
  const filters = Object.fromEntries(names.map((name) => [name, filterOf(name)])) as {
    [Name in keyof Of]: WritableComputedRef<Of[Name][number]>;
  };
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replace({ page: next > 1 ? String(next) : undefined }),
  });
  const sort = computed<TableSort>({
    get: () => readSort(route.query['sort'], orders) ?? { columnId: 'changed', isDescending: true },
    set: (next) => replace({ sort: writeSort(next), page: undefined }),
  });
  const isFiltered = computed(
    () =>
      search.value !== '' ||
      names.some((name) => filters[name]!.value !== values[name]![0]) ||
      page.value > 1,
  );

  const list = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    const { columnId, isDescending } = sort.value;
    const field = orders[columnId];
    const chosen = Object.fromEntries(names.map((name) => [name, filters[name]!.value]));
    const found = await load(
      {
        limit: PAGE_SIZE,
        offset,
        search: search.value || undefined,
        order: field && writeSort({ columnId: field, isDescending }),
      },
      chosen as { [Name in keyof Of]: Of[Name][number] },
    );
    return { ...found, offset };
  });

  watch([search, ...Object.values(filters), page, () => route.query['sort']], () => {
    if (route.name === routeName) void list.ask();
  });

  function filterOf(name: string) {
    const [usual] = values[name]!;
    return computed({
      get: () => values[name]!.find((value) => value === route.query[name]) ?? usual,
      set: (next) => replace({ [name]: next === usual ? undefined : next, page: undefined }),
    });
  }

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replace(Object.fromEntries(['search', ...names, 'page'].map((name) => [name, undefined])));
  }

  void list.ask();
  return { ...list, ...filters, typed, page, sort, isFiltered, clear, replace };
}
