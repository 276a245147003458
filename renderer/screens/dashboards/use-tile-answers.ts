import { computed, onScopeDispose, ref, shallowReactive, shallowRef } from 'vue';
import type {
  DashboardJson as Dashboard,
  TileJson as DashboardTile,
} from '../../../server/features/dashboards/dashboards.contract.ts';
import type { QueryNode } from '../../../server/features/query/query.contract.ts';
import { ApiFailure } from '../../api/http.ts';
import { streamTiles, type Overrides, type Refresh } from '../../api/dashboards.api.ts';
import { askQuery } from '../../api/query.api.ts';
import type { AnswerJson } from '../../insights/answer.ts';
import { insightQueryOf } from '../../insights/kinds.ts';
import { withoutUnsupported } from '../../insights/query-warnings.ts';
import { courseOf } from '../../insights/trends/trend-lines.ts';
import type { TileInsight } from './dashboard-draft.ts';

/** What an insight answered, and to which query: the dashboard's filters are in it. */
export interface TileAnswer {
  query: QueryNode;
  answer: AnswerJson;
  /** When it was computed: ISO 8601. */
  computedAt: string | null;
}

/** One request to the server, for one insight or for all; a later one has a higher order. */
interface Asker {
  order: number;
  controller: AbortController;
}

/** The results of a dashboard's insights, by the insight's id. They arrive one by one, and stay while newer ones are loading. */
export function useTileAnswers(projectId: number, dashboardId: number) {
  const answers = shallowReactive(new Map<number, TileAnswer>());
  /** What large numbers draw beside them. */
  const courses = shallowReactive(new Map<number, AnswerJson>());
  const failures = shallowReactive(new Map<number, string>());
  const waiting = shallowReactive(new Set<number>());
  const failure = shallowRef<unknown>(null);
  const isStreaming = ref(false);
  /** Tiles whose last request the server did not respond to, with the error. */
  const unreachedTiles = shallowReactive(new Map<number, ApiFailure>());
  const unreached = computed(() => [...unreachedTiles.values()][0] ?? null);
  /** The latest request of each insight: results of earlier ones are discarded, however late they arrive. */
  const askers = new Map<number, Asker>();
  let asked = 0;
  /** The current request for all insights. */
  let running: Asker | null = null;

  /** When the oldest of what is shown was computed. */
  const computedAt = computed(() => {
    const times = [...answers.values()].flatMap(({ computedAt: at }) => (at === null ? [] : [at]));
    return times.toSorted()[0] ?? null;
  });

  /** Takes over what came with the dashboard itself. */
  function takeKnown({ tiles }: Dashboard): void {
    for (const tile of tiles) if (tile.insight && tile.insight.result !== null) take(tile);
  }

  function take({ insight, error }: DashboardTile): void {
    if (!insight) return;
    if (error) {
      failures.set(insight.id, error.message);
      return;
    }
    failures.delete(insight.id);
    const { result, hasMore, columns, types, hogql, timezone, last_refresh: at } = insight;
    const answer = { results: result, hasMore, columns, types, hogql, timezone };
    const query = withoutUnsupported(insight.query as QueryNode | null, insight.warnings);
    if (query) keep(insight.id, { query, answer, computedAt: at });
  }

  function keep(id: number, answer: TileAnswer): void {
    answers.set(id, answer);
    void askCourse(id, answer);
  }

  /** The way that a large number came; it is drawn when it is there, and missing it is no failure. */
  async function askCourse(id: number, answer: TileAnswer): Promise<void> {
    const insightQuery = insightQueryOf(answer.query);
    const course = insightQuery && courseOf(insightQuery);
    if (!course) return;
    const found = await askQuery(projectId, course).catch(() => null);
    if (found && answers.get(id) === answer) courses.set(id, found);
  }

  function newAsker(): Asker {
    asked += 1;
    return { order: asked, controller: new AbortController() };
  }

  /** From now on `asker` loads an insight; an earlier request for this insight only is aborted. */
  function begin(id: number, asker: Asker): void {
    const before = askers.get(id);
    if (before !== running) before?.controller.abort();
    askers.set(id, asker);
    unreachedTiles.delete(id);
    waiting.add(id);
  }

  function end(id: number, asker: Asker): void {
    if (askers.get(id) === asker) waiting.delete(id);
  }

  /** Loads all stored tiles of the dashboard; earlier requests are aborted. */
  async function askAll(
    insights: readonly TileInsight[],
    overrides: Overrides,
    refresh: Refresh = 'blocking',
  ): Promise<void> {
    stopAll();
    const mine = newAsker();
    running = mine;
    isStreaming.value = true;
    for (const { id } of insights) begin(id, mine);
    const takeMine = (tile: DashboardTile): void => {
      const id = tile.insight?.id;
      if (id === undefined || (askers.get(id)?.order ?? 0) > mine.order) return;
      take(tile);
      end(id, mine);
    };
    const { signal } = mine.controller;
    try {
      await streamTiles(projectId, dashboardId, { overrides, refresh, signal }, takeMine);
      failure.value = null;
    } catch (error) {
      if (!signal.aborted) failure.value = error;
    } finally {
      if (running === mine) stopAll();
    }
  }

  /**
   * Queries one insight, refreshed if requested; for a tile that is not stored yet, has another chart type, or is
   * refreshed alone.
   */
  async function askOne(
    { id, query: stored, warnings }: TileInsight,
    overrides: Overrides,
    refresh: 'blocking' | 'force_blocking' = 'blocking',
    insightQuery?: QueryNode,
  ): Promise<void> {
    // The query that was answered has the dashboard's filters in it already.
    const query = insightQuery ?? answers.get(id)?.query ?? withoutUnsupported(stored, warnings);
    if (!query) return;
    const mine = newAsker();
    begin(id, mine);
    const isMine = () => askers.get(id) === mine;
    try {
      const answer = await askQuery(projectId, query, {
        refresh,
        signal: mine.controller.signal,
        ...overrides,
      });
      if (!isMine()) return;
      keep(id, { query, answer, computedAt: answer.last_refresh ?? null });
      failures.delete(id);
    } catch (error) {
      if (!isMine()) return;
      failures.set(id, error instanceof Error ? error.message : String(error));
      if (error instanceof ApiFailure && error.status === 0) unreachedTiles.set(id, error);
    } finally {
      end(id, mine);
    }
  }

  /** Tiles without a response count as not loaded: the server may be back. */
  function forgetUnreached(): void {
    for (const id of unreachedTiles.keys()) {
      failures.delete(id);
      answers.delete(id);
    }
    unreachedTiles.clear();
  }

  /** Aborts the request for all insights; those for single ones continue. */
  function stopAll(): void {
    const mine = running;
    running = null;
    isStreaming.value = false;
    if (!mine) return;
    mine.controller.abort();
    for (const [id, asker] of askers) if (asker === mine) end(id, mine);
  }

  function stop(): void {
    stopAll();
    for (const [id, asker] of askers) {
      asker.controller.abort();
      end(id, asker);
    }
  }

  onScopeDispose(stop);
  return {
    answers,
    courses,
    failures,
    waiting,
    failure,
    unreached,
    forgetUnreached,
    isStreaming,
    computedAt,
    takeKnown,
    askAll,
    askOne,
    stop,
  };
}
