import { onScopeDispose } from 'vue';

/** Calls `task` now and then again `interval` milliseconds after it settled, while the page can be seen. */
export function usePolling(task: () => Promise<void>, interval: number): void {
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
      if (!isEnded) timer = setTimeout(run, interval);
    }
  }

  document.addEventListener('visibilitychange', run);
  onScopeDispose(() => {
    isEnded = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', run);
  });
  void run();
}
