import { computed, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';

const PAGE_SIZE = 100;

/** Whose log: of the project that the address names, or of the whole organization. */
export type ActivityPlace = 'project' | 'organization';
export type ActivitySince = 'ever' | '-24h' | '-7d' | '-30d';

/** The list that the address describes: `place`, `search`, `kind`, `who`, `since`, `page`, and the entry that is `open`. */
export function useActivityList(projectId: number) {
  const route = useRoute();
  const router = useRouter();
  const { typed, searchOf } = useTypedSearch(['page', 'open']);

  const place = queryValue<ActivityPlace>('place', 'project');
  const kind = queryValue('kind', 'all');
  const who = queryValue('who', 'anyone');
  const since = queryValue<ActivitySince>('since', 'ever');
  const openId = computed({
    get: () => textOf(route.query['open']) || null,
    set: (id) => replaceQuery({ open: id ?? undefined }),
  });
  const page = computed({
    get: () => Math.max(1, Math.trunc(Number(route.query['page'])) || 1),
    set: (next) => replaceQuery({ page: next > 1 ? String(next) : undefined, open: undefined }),
  });
  const isFiltered = computed(
    () => searchOf() !== '' || kind.value !== 'all' || who.value !== 'anyone' || since.value !== 'ever',
  );

  const { answer, failure, isAsking, ask } = useAnswer(async () => {
    const offset = (page.value - 1) * PAGE_SIZE;
    const asked = place.value;
    const query = {
      search: searchOf() || undefined,
      scopes: kind.value === 'all' ? undefined : kind.value,
      user: who.value === 'anyone' ? undefined : Number(who.value),
      date_from: since.value === 'ever' ? undefined : since.value,
      limit: PAGE_SIZE,
      offset,
    };
    const found =
      asked === 'organization'
        ? await api.get('/api/organizations/:organization_id/activity_log/', {
            organization_id: '@current',
            query,
          })
        : await api.get('P/activity_log/', { projectId, query });
    return { ...found, offset, place: asked };
  });

  watch([place, kind, who, since, page, searchOf], () => {
    if (route.name === 'activity') void ask();
  });

  /** A value of the address; the usual one stays out of it. A change leads to the first page. */
  function queryValue<Value extends string>(name: string, usual: Value) {
    return computed<Value>({
      get: () => (textOf(route.query[name]) || usual) as Value,
      set: (next) =>
        replaceQuery({ [name]: next === usual ? undefined : next, page: undefined, open: undefined }),
    });
  }

  function replaceQuery(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    const gone = ['search', 'kind', 'who', 'since', 'page', 'open'].map((name) => [name, undefined]);
    replaceQuery(Object.fromEntries(gone) as Record<string, undefined>);
  }

  void ask();
  return { place, typed, kind, who, since, openId, page, isFiltered, answer, failure, isAsking, ask, clear };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
