import { computed } from 'vue';
import { useRoute } from 'vue-router';
import { usePagedList } from '../../composables/use-paged-list.ts';
import { createSource, type DataKind } from './definition-source.ts';

const MARKS = {
  all: {},
  verified: { verified: true },
  unverified: { verified: false, hidden: false },
  hidden: { hidden: true },
} as const;

/** The list that the URL describes: the kind of definitions, `group`, `search`, `mark`, `origin`, `sort`, `page`, and the one that is `open`. */
export function useDefinitionList(projectId: number) {
  const route = useRoute();

  const kind = computed(() => (route.params['kind'] || 'events') as DataKind);
  const list = usePagedList({
    filters: {
      group: '0',
      mark: ['all', 'verified', 'unverified', 'hidden'],
      origin: ['all', 'own', 'posthog'],
    },
    scope: ['group'],
    scopeKey: () => kind.value,
    orders: { name: 'name', first: 'created_at', last: 'last_seen_at' },
    load: async ({ order: ordering, ...page }, { group, mark, origin }) => {
      const source = createSource(projectId, kind.value, Number(group));
      const { count, definitions } = await source.list({ ...page, ordering, origin, ...MARKS[mark] });
      return { results: definitions, count };
    },
  });
  const source = computed(() => createSource(projectId, kind.value, Number(list.group.value)));
  const openName = computed({
    get: () => (typeof route.query['open'] === 'string' ? route.query['open'] : null),
    set: (name) => list.replace({ open: name ?? undefined }),
  });

  return { ...list, kind, source, openName };
}
