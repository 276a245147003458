import { useTimeoutFn } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import { api } from '../../api/client.ts';
import type { InsightVariableJson as InsightVariable } from '../../../server/features/insight-variables/insight-variables.contract.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { useRecovery } from '../../composables/use-recovery.ts';
import { sourceOf } from '../../insights/insight-query.ts';
import type { ShownTile, TileInsight } from './dashboard-draft.ts';
import { withDates, withLook } from './tile-look.ts';
import { useDashboardDraft } from './use-dashboard-draft.ts';
import { useLiveFilters } from './use-live-filters.ts';
import { useTileAnswers } from './use-tile-answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Milliseconds without a change of the filters after which tiles are computed. */
const PAUSE = 150;

/** A dashboard with what its tiles answer: under the filters that are seen, and as soon as anything of it changes. */
export function useDashboardPage(projectId: number, id: number, isEditing: () => boolean) {
  const draft = useDashboardDraft(projectId, id);
  const live = useLiveFilters(draft, isEditing);
  const answers = useTileAnswers(projectId, id);
  const allVariables = shallowRef<readonly InsightVariable[]>([]);
  /** Whether the results in the response of the dashboard were used, which need no further request. */
  let hasTaken = false;

  const tiles = computed<readonly ShownTile[]>(() => draft.shown.value?.tiles ?? []);
  const insights = computed(() => tiles.value.flatMap(({ insight }) => (insight ? [insight] : [])));
  /** Whether an insight is stored as shown: then the dashboard's response has its result. */
  const isStored = ({ id: its }: TileInsight) =>
    !draft.looks.value.has(its) &&
    (draft.saved.value?.tiles.some(({ insight }) => insight?.id === its) ?? false);

  /** The variables used by the SQL of a tile. */
  const variables = computed(() => {
    const asked = new Set(
      insights.value.flatMap(({ query }) => {
        const source = sourceOf(query) as { variables?: Record<string, unknown> } | null;
        return Object.keys(source?.variables ?? {});
      }),
    );
    return allVariables.value.filter((variable) => asked.has(variable.id));
  });

  async function load(): Promise<void> {
    await draft.load();
    const { value: saved } = draft.saved;
    if (!saved) return;
    if (isPlain()) answers.takeKnown(saved);
    hasTaken = true;
    askMissing();
    try {
      allVariables.value = (
        await api.get('P/insight_variables/', { projectId, query: { limit: 100 } })
      ).results;
    } catch (error) {
      showFailure(error, 'The variables could not be loaded');
    }
  }

  function isPlain(): boolean {
    const { filters, variables: values } = live.overrides.value;
    return filters === undefined && values === undefined;
  }

  /** Computes what is shown and not answered yet. */
  function askMissing(): void {
    const { answers: known, failures, waiting } = answers;
    const missing = insights.value.filter(
      ({ id: its }) => !known.has(its) && !failures.has(its) && !waiting.has(its),
    );
    if (missing.some(isStored)) void answers.askAll(missing.filter(isStored), live.overrides.value);
    for (const insight of missing) if (!isStored(insight)) void askOne(insight);
  }

  async function askOne(
    insight: TileInsight,
    refresh: 'blocking' | 'force_blocking' = 'blocking',
  ): Promise<void> {
    const { id: its } = insight;
    const own = draft.saved.value?.tiles.find((tile) => tile.insight?.id === its)?.filters_overrides;
    const look = draft.looks.value.get(its);
    const overrides = {
      filters: look && own ? filtersOfTile(live.filters.value, own) : live.filters.value,
      variables: live.variables.value,
    };
    // The query that was answered has another look, and the dashboard's filters in it.
    const stored =
      look &&
      (await api.get('P/insights/:id/', { projectId, id: its, query: { basic: true } }).catch(() => null))
        ?.query;
    await answers.askOne(
      insight,
      overrides,
      refresh,
      stored ? withDates(withLook(stored, look), overrides.filters) : undefined,
    );
  }

  /** Refreshes all tiles. */
  async function refresh(): Promise<void> {
    const stored = insights.value.filter(isStored);
    const others = insights.value.filter((insight) => !isStored(insight));
    await Promise.all([
      answers.askAll(stored, live.overrides.value, 'force_blocking'),
      ...others.map((insight) => askOne(insight, 'force_blocking')),
    ]);
  }

  /** Refreshes all tiles, with the stored tiles and positions. */
  async function reload(): Promise<void> {
    await draft.load();
    if (draft.saved.value) await refresh();
  }

  /** Loads the results of what is stored, cached ones where they still hold. */
  function askStored(): void {
    void answers.askAll(insights.value.filter(isStored), live.overrides.value);
  }

  /** Loads what is missing after the server did not respond. */
  async function recover(): Promise<void> {
    if (!draft.saved.value) return load();
    if (draft.failure.value) await draft.load();
    if (answers.failure.value) askStored();
    answers.forgetUnreached();
    askMissing();
  }

  useRecovery(() => [draft.failure.value, answers.failure.value, answers.unreached.value], recover);

  const { start: askAllLater } = useTimeoutFn(
    () => {
      if (!draft.saved.value) return;
      askStored();
      for (const insight of insights.value) if (!isStored(insight)) void askOne(insight);
    },
    PAUSE,
    { immediate: false },
  );
  watch(
    () => JSON.stringify(live.overrides.value),
    () => askAllLater(),
  );
  watch(
    () => insights.value.map(({ id: its }) => its).join(),
    () => hasTaken && askMissing(),
  );
  watch(draft.looks, (now, before) => {
    const changed = insights.value.filter(
      ({ id: its }) => JSON.stringify(now.get(its)) !== JSON.stringify(before.get(its)),
    );
    const back = changed.filter(isStored);
    if (back.length > 0) void answers.askAll(back, live.overrides.value);
    for (const insight of changed) if (!isStored(insight)) void askOne(insight);
  });

  return { draft, live, answers, tiles, insights, variables, load, reload, refresh, askOne, askStored };
}

/** A tile's own dates replace those of its dashboard as a pair, as on the server. */
function filtersOfTile(filters: Fields, own: Fields): Fields {
  if ((own['date_from'] ?? own['date_to'] ?? null) === null) return { ...filters, ...own };
  const { date_from: _from, date_to: _to, explicitDate: _exact, ...rest } = filters;
  return { ...rest, ...own };
}
