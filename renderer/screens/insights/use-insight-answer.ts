import { useTimeoutFn } from '@vueuse/core';
import { computed, onScopeDispose, ref, watch } from 'vue';
import { askQuery } from '../../api/query.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { problemOfQuery } from '../../insights/kinds.ts';
import type { InsightQuery } from '../../insights/insight-query.ts';
import { courseOf } from '../../insights/trends/trend-lines.ts';

/** Milliseconds without a change before the server is queried. */
const PAUSE = 150;

/** The result of the query, run again after each pause; a query that was changed meanwhile is canceled. */
export function useInsightAnswer(projectId: number, insightQuery: () => InsightQuery | null) {
  const pause = ref(0);
  let isForced = false;

  const list = useAnswer(async (signal) => {
    const asked = insightQuery()!;
    const started = performance.now();
    const how = isForced ? { signal, refresh: 'force_blocking' as const } : { signal };
    isForced = false;
    const course = courseOf(asked);
    const [answer, along] = await Promise.all([
      askQuery(projectId, asked, how),
      // A number says what it says without its course.
      course && askQuery(projectId, course, how).catch(() => null),
    ]);
    return { insightQuery: asked, answer, course: along, milliseconds: performance.now() - started };
  });
  const problem = computed(() => {
    const asked = insightQuery();
    return asked ? problemOfQuery(asked) : '';
  });

  const { start: askLater, stop: forget } = useTimeoutFn(askNow, pause, { immediate: false });

  function stop(): void {
    forget();
    list.stop();
  }

  function askNow(): void {
    stop();
    if (insightQuery() && problem.value === '') void list.ask();
  }

  function refresh(): void {
    isForced = true;
    askNow();
  }

  watch(
    () => JSON.stringify(insightQuery()),
    (_, before) => {
      stop();
      pause.value = before === undefined || before === 'null' ? 0 : PAUSE;
      askLater();
    },
    { immediate: true },
  );
  onScopeDispose(stop);

  return { ...list, problem, refresh };
}
