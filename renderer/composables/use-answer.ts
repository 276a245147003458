import { onScopeDispose, readonly, ref, shallowRef } from 'vue';
import { useRecovery } from './use-recovery.ts';

/**
 * Runs a query and keeps the newest result. A new run, `stop` and the end of the component abort the previous run, on
 * the server too when the task passes its signal on. After a failure the last result is kept beside the error; with
 * `recovers` it runs again by itself when the server responds again.
 */
export function useAnswer<Answer>(
  task: (signal: AbortSignal) => Promise<Answer>,
  { recovers = false }: { recovers?: boolean } = {},
) {
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

  if (recovers) useRecovery(() => [failure.value], ask);
  onScopeDispose(stop, true);
  return { answer, failure, isAsking: readonly(isAsking), ask, stop };
}
