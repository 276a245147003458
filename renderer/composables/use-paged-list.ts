import { computed, watch, type ComputedRef, type Ref, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { readSort, writeSort, type TableSort } from '../ui/data-table.ts';
import { useAnswer } from './use-answer.ts';
import { useTypedSearch } from './use-typed-search.ts';

const PAGE_SIZE = 100;

/** What a `ResourceList` shows. `usePagedList` makes it. */
export interface ListOf<Row> {
  rows: ComputedRef<readonly Row[]>;
  /** How many there are on all pages; `null` until they are loaded. */
  count: ComputedRef<number | null>;
  /** The text of the search field. */
  typed: Ref<string>;
  isFiltered: ComputedRef<boolean>;
  answer: Ref<unknown>;
  failure: Ref<unknown>;
  isAsking: Readonly<Ref<boolean>>;
  ask(): Promise<void>;
  /** Removes search and filters. */
  clear(): void;
  sort?: Ref<TableSort | null>;
  pages?: ComputedRef<{ offset: number; shown: number; total: number; hasNext: boolean } | null>;
  turn?(isForward: boolean): void;
}

type Filters = Readonly<Record<string, string | readonly string[]>>;
type Chosen<Of extends Filters> = {
  [Name in keyof Of]: Of[Name] extends readonly string[] ? Of[Name][number] : string;
};

interface PageQuery {
  limit: number;
  offset: number;
  search: string | undefined;
  /** The field of the server to sort by, with `-` for descending; none for a list without `orders`. */
  order: string | undefined;
}

interface PagedList<Of extends Filters, Row> {
  /** URL parameters and their values; the first value is the default and stays out of the URL. Of one with any value the default. */
  filters: Of;
  /** Those of them that say which list it is: they do not count as filters, and rows of another list are not shown. */
  scope?: readonly (keyof Of)[];
  /** Says which list it is where that is in the path. */
  scopeKey?: () => string;
  /** Fields of the server by column; the default is `changed`, descending, where the list has it. */
  orders?: Readonly<Record<string, string>>;
  /** URL parameters that a change of search, page or filter removes. */
  resets?: readonly string[];
  load: (page: PageQuery, filters: Chosen<Of>) => Promise<{ results: readonly Row[]; count: number }>;
}

/** A list in pages that the URL describes: `search`, `page`, `sort` and filters. It is loaded immediately and whenever they change. */
export function usePagedList<const Of extends Filters, Row extends { id: unknown }>({
  filters: values,
  scope: scopeNames = [],
  scopeKey = () => '',
  orders = {},
  resets = [],
  load,
}: PagedList<Of, Row>) {
  const route = useRoute();
  const router = useRouter();
  const { name: routeName } = route;
  const { typed, searchOf } = useTypedSearch(['page', ...resets]);
  const names = Object.keys(values).filter((name) => !scopeNames.includes(name));
  const reset = Object.fromEntries(resets.map((name) => [name, undefined]));
  const usualSort = 'changed' in orders ? { columnId: 'changed', isDescending: true } : null;

  const search = computed(searchOf);
  const filters = Object.fromEntries(Object.keys(values).map((name) => [name, filterOf(name)])) as {
    [Name in keyof Of]: WritableComputedRef<Chosen<Of>[Name]>;
  };
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replace({ page: next > 1 ? String(next) : undefined, ...reset }),
  });
  const sort = computed<TableSort | null>({
    get: () => readSort(route.query['sort'], orders) ?? usualSort,
    set: (next) => replace({ sort: next ? writeSort(next) : undefined, page: undefined }),
  });
  const currentScope = computed(() =>
    [scopeKey(), ...scopeNames.map((name) => filters[name].value)].join(' '),
  );
  const isFiltered = computed(
    () =>
      search.value !== '' || names.some((name) => filters[name]!.value !== defaultOf(name)) || page.value > 1,
  );

  const list = useAnswer(
    async () => {
      const offset = (page.value - 1) * PAGE_SIZE;
      const chosen = Object.fromEntries(Object.entries(filters).map(([name, { value }]) => [name, value]));
      const scope = currentScope.value;
      const found = await load(
        {
          limit: PAGE_SIZE,
          offset,
          search: search.value || undefined,
          order: sort.value
            ? writeSort({ ...sort.value, columnId: orders[sort.value.columnId]! })
            : undefined,
        },
        chosen as Chosen<Of>,
      );
      return { ...found, offset, scope };
    },
    { recovers: true },
  );
  const { answer } = list;

  const shown = computed(() => (answer.value?.scope === currentScope.value ? answer.value : null));
  const rows = computed(() => shown.value?.results ?? []);
  const count = computed(() => shown.value?.count ?? null);
  const pages = computed(() => {
    if (!shown.value) return null;
    const { offset, count: total } = shown.value;
    const { length } = rows.value;
    return { offset, shown: length, total, hasNext: offset + length < total };
  });

  watch([search, ...Object.values(filters), scopeKey, page, () => route.query['sort']], () => {
    if (route.name === routeName) void list.ask();
  });

  function defaultOf(name: string): string {
    const value = values[name]!;
    return typeof value === 'string' ? value : value[0]!;
  }

  function filterOf(name: string) {
    const allowed = values[name]!;
    const usual = defaultOf(name);
    return computed({
      get: () => {
        const text = route.query[name];
        if (typeof text !== 'string' || text === '') return usual;
        return typeof allowed === 'string' || allowed.includes(text) ? text : usual;
      },
      set: (next) => replace({ [name]: next === usual ? undefined : next, page: undefined, ...reset }),
    });
  }

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replace(Object.fromEntries(['search', ...names, 'page', ...resets].map((name) => [name, undefined])));
  }

  /** Goes to the next or the previous page, if there is one. */
  function turn(isForward: boolean): void {
    if (isForward && pages.value?.hasNext) page.value += 1;
    else if (!isForward && page.value > 1) page.value -= 1;
  }

  /** Shows a row as it is now, without loading the list again. */
  function put(changed: Row): void {
    if (!answer.value) return;
    const results = answer.value.results.map((row) => (row.id === changed.id ? changed : row));
    answer.value = { ...answer.value, results };
  }

  void list.ask();
  return {
    ...list,
    ...filters,
    rows,
    count,
    typed,
    search,
    page,
    pages,
    sort,
    isFiltered,
    clear,
    turn,
    put,
    replace,
  };
}
