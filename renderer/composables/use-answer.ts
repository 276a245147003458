import { onScopeDispose, readonly, ref, shallowRef } from 'vue';

/**
 * Runs a query and keeps the newest result. A new run, `stop` and the end of the component abort the previous run, on
 * the server too when the task passes its signal on. After a failure the last result is kept beside the error.
 */
export function useAnswer<Answer>(task: (signal: AbortSignal) => Promise<Answer>) {
  const answer = shallowRef<Answer | null>(null);
  const failure = shallowRef<unknown>(null);
  const isAsking = ref(false);
  let asked: AbortController | null = null;

  async function ask(): Promise<void> {
    stop();
    const mine = new AbortController();
    asked = mine;
    isAsking.value = true;
    try {
      const next = await task(mine.signal);
      if (asked !== mine) return;
      answer.value = next;
      failure.value = null;
    } catch (error) {
      if (asked === mine) failure.value = error;
    } finally {
      if (asked === mine) {
        asked = null;
        isAsking.value = false;
      }
    }
  }

  function stop(): void {
    asked?.abort();
    asked = null;
    isAsking.value = false;
  }

  onScopeDispose(stop, true);
  return { answer, failure, isAsking: readonly(isAsking), ask, stop };
}
