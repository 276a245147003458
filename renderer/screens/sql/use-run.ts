import { useIntervalFn } from '@vueuse/core';
import { ref, watch } from 'vue';
import type {
  QueryAnswerJson as QueryAnswer,
  QueryNode,
} from '../../../server/features/query/query.contract.ts';
import { askQuery } from '../../api/query.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';

/** An answer, with the query that it answers and how long it took to come. */
export interface Run {
  query: QueryNode;
  answer: QueryAnswer;
  milliseconds: number;
}

/** Milliseconds between updates of the time of a running query. */
const TICK = 100;

/** Runs one query at a time; a new one ends the one before. The last answer stays while the next is on its way; `before` is one of an earlier visit. */
export function useRun(projectId: number, before: Run | null = null) {
  const wasCancelled = ref(false);
  const elapsed = ref(0);
  let next: QueryNode;
  let started = 0;

  const {
    answer: run,
    failure,
    isAsking: isRunning,
    ask,
    stop,
  } = useAnswer(async (signal): Promise<Run> => {
    const query = next;
    const answer = await askQuery(projectId, query, { signal });
    return { query, answer, milliseconds: performance.now() - started };
  });

  run.value = before;

  function start(query: QueryNode): Promise<void> {
    next = query;
    started = performance.now();
    elapsed.value = 0;
    wasCancelled.value = false;
    return ask();
  }

  /** Ends the query here and on the server; what was shown before stays. */
  function cancel(): void {
    wasCancelled.value ||= isRunning.value;
    stop();
  }

  const ticking = useIntervalFn(() => (elapsed.value = performance.now() - started), TICK, {
    immediate: false,
  });
  watch(isRunning, (running) => (running ? ticking.resume() : ticking.pause()));

  return { run, failure, wasCancelled, elapsed, isRunning, start, cancel };
}
