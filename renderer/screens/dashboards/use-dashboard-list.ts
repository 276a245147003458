import { computed, shallowRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { DashboardListItem as DashboardItem } from '../../../server/features/dashboards/dashboards.contract.ts';
import { isGenerated, listDashboardPreviews, listDashboards } from '../../api/dashboards.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useTypedSearch } from '../../composables/use-typed-search.ts';
import { useDashboardViewsStore } from '../../stores/dashboard-views.store.ts';
import { userNameOf } from '../../composables/user-name.ts';
import { useSessionStore } from '../../stores/session.store.ts';
import { readSort, writeSort, type TableSort } from '../../ui/data-table.ts';

export const WHICH = [
  { id: 'all', label: 'Dashboards' },
  { id: 'pinned', label: 'Pinned' },
  { id: 'shared', label: 'Shared' },
  { id: 'mine', label: 'Mine' },
  { id: 'generated', label: 'Generated' },
] as const;

/** What a column is sorted by. */
const ORDERS: Readonly<Record<string, (dashboard: DashboardItem) => string>> = {
  name: ({ name }) => name.toLowerCase(),
  owner: ({ created_by: owner }) => (owner ? userNameOf(owner).toLowerCase() : ''),
};

/** The dashboards of the URL's `search`, `tag`, `which` and `sort`. All are loaded together; there are few. */
export function useDashboardList(projectId: number) {
  const route = useRoute();
  const router = useRouter();
  const session = useSessionStore();
  const { typed, searchOf } = useTypedSearch();
  /** The tile layouts by dashboard. */
  const previews = shallowRef<ReadonlyMap<number, object[]>>(new Map());
  const { viewedAt } = useDashboardViewsStore();
  const list = useAnswer(
    async () => {
      const [dashboards, found] = await Promise.all([
        listDashboards(projectId),
        listDashboardPreviews(projectId),
      ]);
      previews.value = found;
      return dashboards;
    },
    { recovers: true },
  );

  const orders = { ...ORDERS, viewed: ({ id }: DashboardItem) => viewedAt(id) ?? '' };
  const all = computed(() => list.answer.value ?? []);
  /** A choice that would show nothing is not offered. */
  const choices = computed(() =>
    WHICH.filter(({ id }) => id !== 'generated' || which.value === id || all.value.some(isGenerated)),
  );
  const tags = computed(() => [
    { id: '', label: 'Any tag' },
    ...[...new Set(all.value.flatMap((dashboard) => dashboard.tags))]
      .toSorted((a, b) => a.localeCompare(b))
      .map((tag) => ({ id: tag, label: tag })),
  ]);
  const tag = computed({
    get: () => (typeof route.query['tag'] === 'string' ? route.query['tag'] : ''),
    set: (next) => replace({ tag: next || undefined }),
  });
  const which = computed({
    get: () => WHICH.find(({ id }) => id === route.query['which'])?.id ?? 'all',
    set: (next) => replace({ which: next === 'all' ? undefined : next }),
  });
  const sort = computed<TableSort | null>({
    get: () => readSort(route.query['sort'], orders),
    set: (next) => replace({ sort: next ? writeSort(next) : undefined }),
  });
  const isFiltered = computed(
    () => all.value.length > 0 && (searchOf() !== '' || tag.value !== '' || which.value !== 'all'),
  );
  const count = computed(() => (list.answer.value ? rows.value.length : null));

  const rows = computed(() => {
    const words = searchOf().toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.value.filter((one) => isOfKind(one) && matchesSearch(one, words));
    return sorted(found, sort.value, orders);
  });

  /** A search looks through generated ones too. */
  function isOfKind(one: DashboardItem): boolean {
    if (tag.value !== '' && !one.tags.includes(tag.value)) return false;
    if (which.value === 'generated') return isGenerated(one);
    if (which.value === 'all') return searchOf() !== '' || !isGenerated(one);
    if (which.value === 'pinned') return one.pinned;
    if (which.value === 'shared') return one.is_shared;
    return one.created_by?.id === session.session?.user.id;
  }

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  function clear(): void {
    typed.value = '';
    replace({ search: undefined, tag: undefined, which: undefined });
  }

  /** Shows a changed dashboard, without reloading the list. */
  function put(changed: DashboardItem): void {
    list.answer.value = all.value.map((one) => (one.id === changed.id ? { ...one, ...changed } : one));
  }

  void list.ask();
  return {
    ...list,
    all,
    rows,
    count,
    typed,
    tag,
    tags,
    which,
    choices,
    sort,
    isFiltered,
    previews,
    viewedAt,
    clear,
    put,
  };
}

function matchesSearch({ name, description, tags }: DashboardItem, words: readonly string[]): boolean {
  const text = [name, description, ...tags].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** As the server gives them (pinned first, then by name), or by a column. */
function sorted(
  dashboards: readonly DashboardItem[],
  sort: TableSort | null,
  orders: typeof ORDERS,
): DashboardItem[] {
  if (sort === null) return [...dashboards];
  const keyOf = orders[sort.columnId]!;
  const sign = sort.isDescending ? -1 : 1;
  return dashboards.toSorted((a, b) => sign * keyOf(a).localeCompare(keyOf(b)));
}
