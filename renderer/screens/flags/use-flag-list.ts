import { computed, shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import {
  listFeatureFlags,
  listFlagNotes,
  type FeatureFlag,
  type FlagNote,
  type FlagQuery,
} from '../../api/feature-flags.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';
import type { TableSort } from '../../ui/data-table.ts';

const PAGE_SIZE = 100;

export type StateFilter = 'all' | 'true' | 'false' | 'STALE';
export type TypeFilter = 'all' | 'boolean' | 'multivariant' | 'remote_config';
export type RuntimeFilter = 'any' | 'all' | 'client' | 'server';

/** Fields of the server by column. */
const ORDERS: Readonly<Record<string, string>> = {
  flag: 'key',
  called: 'last_called_at',
  changed: 'updated_at',
};

/** The flags that the address describes: `search`, `state`, `type`, `runtime`, `sort`, `page`; and what is noted of each. */
export function useFlagList(projectId: number) {
  const route = useRoute();
  const router = useRouter();

  const { typed, searchOf } = useTypedSearch(['page']);
  const search = computed(searchOf);
  const state = queryValue<StateFilter>('state', ['all', 'true', 'false', 'STALE']);
  const type = queryValue<TypeFilter>('type', ['all', 'boolean', 'multivariant', 'remote_config']);
  const runtime = queryValue<RuntimeFilter>('runtime', ['any', 'all', 'client', 'server']);
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replaceQuery({ page: next > 1 ? String(next) : undefined }),
  });
  const sort = computed<TableSort>({
    get: () => sortOf(route.query['sort']),
    set: ({ columnId, isDescending }) =>
      replaceQuery({ sort: (isDescending ? '-' : '') + columnId, page: undefined }),
  });
  const isFiltered = computed(
    () => search.value !== '' || state.value !== 'all' || type.value !== 'all' || runtime.value !== 'any',
  );

  const notes = shallowRef<ReadonlyMap<number, FlagNote>>(new Map());
  const { answer, failure, isAsking, ask } = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    // The list does not wait for the notes, nor fail with them.
    void listFlagNotes(projectId).then(
      (found) => (notes.value = new Map(found.map((note) => [note.id, note]))),
      () => {},
    );
    const found = await listFeatureFlags(projectId, { ...queryOf(), limit: PAGE_SIZE, offset });
    return { ...found, offset };
  });

  function queryOf(): Omit<FlagQuery, 'limit'> {
    const { columnId, isDescending } = sort.value;
    return {
      search: search.value || undefined,
      active: state.value === 'all' ? undefined : state.value,
      type: type.value === 'all' ? undefined : type.value,
      evaluation_runtime: runtime.value === 'any' ? undefined : runtime.value,
      order: (isDescending ? '-' : '') + ORDERS[columnId],
    };
  }

  watch([search, state, type, runtime, page, () => route.query['sort']], () => {
    if (route.name === 'flags') void ask();
  });

  /** A value of the address; the first is the usual one and stays out of it. A change leads to the first page. */
  function queryValue<Value extends string>(name: string, values: readonly Value[]) {
    return computed<Value>({
      get: () => values.find((value) => value === route.query[name]) ?? values[0]!,
      set: (next) => replaceQuery({ [name]: next === values[0] ? undefined : next, page: undefined }),
    });
  }

  function replaceQuery(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    const gone = { search: undefined, state: undefined, type: undefined, runtime: undefined };
    replaceQuery({ ...gone, page: undefined });
  }

  /** Shows a flag as it is now, without asking for the whole list again. */
  function put(flag: FeatureFlag): void {
    if (!answer.value) return;
    const results = answer.value.results.map((row) => (row.id === flag.id ? flag : row));
    answer.value = { ...answer.value, results };
  }

  void ask();
  return {
    typed,
    state,
    type,
    runtime,
    page,
    sort,
    isFiltered,
    notes,
    answer,
    failure,
    isAsking,
    ask,
    clear,
    put,
  };
}

/** The order of the address; what was changed last comes first where it names none. */
function sortOf(text: unknown): TableSort {
  const columnId = typeof text === 'string' ? text.replace(/^-/, '') : '';
  if (columnId in ORDERS) return { columnId, isDescending: String(text).startsWith('-') };
  return { columnId: 'changed', isDescending: true };
}
