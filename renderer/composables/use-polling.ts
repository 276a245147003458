import { createSharedComposable, useIdle } from '@vueuse/core';
import { onScopeDispose, watch } from 'vue';

/** Without pointer and keys for so long a page polls less often, so that an open window costs a laptop next to nothing. */
const IDLE_AFTER_MS = 60_000;
const IDLE_FACTOR = 5;

const useIdlePage = createSharedComposable(() => useIdle(IDLE_AFTER_MS));

/**
 * Calls `task` now and then again `interval` milliseconds after it settled, while the page can be seen; five times as
 * rarely after a minute without pointer and keys, and without delay when they are used again. With `isLater` the first
 * call is after the interval, for a screen that has loaded already.
 */
export function usePolling(
  task: () => Promise<void>,
  interval: number,
  { isLater = false }: { isLater?: boolean } = {},
): void {
  const { idle } = useIdlePage();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  let isRunning = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (isRunning || isEnded || document.visibilityState === 'hidden') return;
    isRunning = true;
    try {
      await task();
    } finally {
      isRunning = false;
      if (!isEnded) wait();
    }
  }

  function wait(): void {
    timer = setTimeout(run, interval * (idle.value ? IDLE_FACTOR : 1));
  }

  document.addEventListener('visibilitychange', run);
  watch(idle, (isIdle) => {
    if (!isIdle) void run();
  });
  onScopeDispose(() => {
    isEnded = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', run);
  });
  if (isLater) wait();
  else void run();
}
