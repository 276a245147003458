import { computed, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';
import { readSort, writeSort, type TableSort } from '../../ui/data-table.ts';
import { createSource, type DataKind, type Definition, type SourceQuery } from './definition-source.ts';

const PAGE_SIZE = 100;

export type MarkFilter = 'all' | 'verified' | 'unverified' | 'hidden';
const MARKS: Readonly<Record<MarkFilter, { verified?: boolean; hidden?: boolean }>> = {
  all: {},
  verified: { verified: true },
  unverified: { verified: false, hidden: false },
  hidden: { hidden: true },
};
const ORDERINGS: Record<string, string> = { name: 'name', first: 'created_at', last: 'last_seen_at' };

/** The list that the address describes: the kind, `search`, `mark`, `origin`, `sort`, `page`, and the one that is `open`. */
export function useDefinitionList(projectId: number) {
  const route = useRoute();
  const router = useRouter();

  const kind = computed(() => (route.params['kind'] || 'events') as DataKind);
  const groupType = queryValue('group', '0');
  const { typed, searchOf } = useTypedSearch(['page']);
  const search = computed(searchOf);
  const mark = queryValue<MarkFilter>('mark', 'all');
  const origin = queryValue<SourceQuery['origin']>('origin', 'all');
  const openName = computed({
    get: () => textOf(route.query['open']) || null,
    set: (name) => replaceQuery({ open: name ?? undefined }),
  });
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replaceQuery({ page: next > 1 ? String(next) : undefined }),
  });
  const sort = computed<TableSort | null>({
    get: () => readSort(route.query['sort'], ORDERINGS),
    set: (next) => replaceQuery({ sort: next ? writeSort(next) : undefined, page: undefined }),
  });
  const isFiltered = computed(() => search.value !== '' || mark.value !== 'all' || origin.value !== 'all');
  const source = computed(() => createSource(projectId, kind.value, Number(groupType.value)));

  const { answer, failure, isAsking, ask } = useAnswer(async () => {
    const asked = source.value;
    const offset = (page.value - 1) * PAGE_SIZE;
    const found = await asked.list({
      limit: PAGE_SIZE,
      offset,
      search: search.value || undefined,
      origin: origin.value,
      ordering: orderingOf(sort.value),
      ...MARKS[mark.value],
    });
    return { ...found, offset, source: asked };
  });

  watch([source, search, mark, origin, page, () => route.query['sort']], () => {
    if (route.name === 'data') void ask();
  });

  /** A value of the address; one that is the usual one stays out of it. A change leads to the first page. */
  function queryValue<Value extends string>(name: string, usual: Value) {
    return computed<Value>({
      get: () => (textOf(route.query[name]) || usual) as Value,
      set: (next) => replaceQuery({ [name]: next === usual ? undefined : next, page: undefined }),
    });
  }

  function replaceQuery(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replaceQuery({ search: undefined, mark: undefined, origin: undefined, page: undefined });
  }

  /** Shows a changed definition, without reloading the whole list. */
  function put(changed: Definition): void {
    if (!answer.value) return;
    const definitions = answer.value.definitions.map((row) => (row.id === changed.id ? changed : row));
    answer.value = { ...answer.value, definitions };
  }

  void ask();
  return {
    kind,
    groupType,
    typed,
    mark,
    origin,
    openName,
    page,
    sort,
    isFiltered,
    source,
    answer,
    failure,
    isAsking,
    ask,
    clear,
    put,
  };
}

function orderingOf(sort: TableSort | null): string | undefined {
  return sort ? writeSort({ ...sort, columnId: ORDERINGS[sort.columnId]! }) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
