import { computed, shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import { isGenerated, listDashboardPreviews, listDashboards } from '../../api/dashboards.api.ts';
import { askQuery } from '../../api/query.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useDashboardViewsStore } from '../../stores/dashboard-views.store.ts';
import { usePolling } from '../../composables/use-polling.ts';
import { useIngestionStore } from '../../stores/ingestion.store.ts';
import { attentionOf } from './attention.ts';
import { HOURS_QUERY, PERSONS_QUERY, STOPPED_QUERY, todayOf, TOTALS_QUERY, type Today } from './today.ts';

/** Milliseconds between two looks. */
const INTERVAL = 30_000;
/** Lines of a list. */
const MOST = 5;
/** Insights that are loaded for them: those of generated dashboards are left out. */
const MOST_LOADED = 30;

/** What Home shows: today's numbers, the latest things, and what needs attention; kept fresh while it is seen. */
export function useHome(projectId: number) {
  const ingestion = useIngestionStore();
  const { viewedAt } = useDashboardViewsStore();
  /** Of the numbers of today. */
  const answeredAt = shallowRef(new Date());
  const today = useAnswer(
    async () => {
      const answer = await askToday(projectId);
      answeredAt.value = new Date();
      return answer;
    },
    { recovers: true },
  );
  const latest = useAnswer(
    () =>
      api.get('P/insights/', {
        projectId,
        query: { limit: MOST_LOADED, order: '-last_modified_at', saved: true, basic: true },
      }),
    { recovers: true },
  );
  /** All dashboards, with their tile layouts and the last view of this user. */
  const dashboards = useAnswer(
    async () => {
      const [found, previews] = await Promise.all([
        listDashboards(projectId),
        listDashboardPreviews(projectId),
      ]);
      return found.map((dashboard) => ({
        ...dashboard,
        layouts: previews.get(dashboard.id) ?? [],
        viewedAt: viewedAt(dashboard.id),
      }));
    },
    { recovers: true },
  );
  /** The insights that were changed last, without those that are only on generated dashboards. */
  const insights = computed(() => {
    const { value: found } = latest.answer;
    if (!found || (!dashboards.answer.value && !dashboards.failure.value)) return null;
    const generated = new Set((dashboards.answer.value ?? []).filter(isGenerated).map(({ id }) => id));
    const isOwn = (ids: readonly number[]) => ids.length === 0 || ids.some((id) => !generated.has(id));
    const own = found.results.filter((insight) => isOwn(insight.dashboards));
    return { count: found.count, results: own.slice(0, MOST) };
  });
  const failed = useAnswer(async () => (await api.get('P/burrow/failed_insights/', { projectId })).results, {
    recovers: true,
  });
  const stale = useAnswer(
    () => api.get('P/feature_flags/', { projectId, query: { limit: MOST, active: 'STALE', order: 'key' } }),
    { recovers: true },
  );
  /** Those that fire, then those that failed. */
  const alerts = useAnswer(
    async () => {
      const pages = (['Firing', 'Errored'] as const).map((state) =>
        api.get('P/alerts/', { projectId, query: { limit: MOST_LOADED, state } }),
      );
      return (await Promise.all(pages)).flatMap(({ results }) => results);
    },
    { recovers: true },
  );

  const forwarding = useAnswer(() => api.get('P/burrow/forwarding/', { projectId }), { recovers: true });

  const attention = computed(() =>
    attentionOf({
      projectId,
      report: ingestion.report,
      forwarding: forwarding.answer.value,
      alerts: (alerts.answer.value ?? []).filter(({ enabled }) => enabled),
      failed: failed.answer.value ?? [],
      stopped: today.answer.value?.stopped ?? [],
      staleFlags: stale.answer.value?.results ?? [],
      staleCount: stale.answer.value?.count ?? 0,
    }),
  );
  /** Whether everything that could need attention was looked at. */
  const isLookedThrough = computed(() =>
    [
      ingestion.report,
      alerts.answer.value,
      forwarding.answer.value,
      failed.answer.value,
      today.answer.value,
      stale.answer.value,
    ].every((answer) => answer !== null),
  );
  /** What could not be looked at. */
  const blindSpot = computed(
    () =>
      alerts.failure.value ??
      forwarding.failure.value ??
      failed.failure.value ??
      stale.failure.value ??
      today.failure.value,
  );

  async function refresh(): Promise<void> {
    await Promise.all([today, latest, dashboards, alerts, forwarding, failed, stale].map(({ ask }) => ask()));
  }

  usePolling(refresh, INTERVAL);
  return { today, answeredAt, insights, latest, dashboards, attention, isLookedThrough, blindSpot, refresh };
}

async function askToday(projectId: number): Promise<Today> {
  const [hours, totals, persons, stopped] = await Promise.all(
    [HOURS_QUERY, TOTALS_QUERY, PERSONS_QUERY, STOPPED_QUERY].map(async (query) => {
      const { results } = await askQuery(projectId, { kind: 'HogQLQuery', query });
      return results as unknown[][];
    }),
  );
  return todayOf({
    hours: hours!,
    totals: totals![0] ?? [],
    persons: persons![0] ?? [],
    stopped: stopped!,
  });
}
