import { useDocumentVisibility, useTimeoutFn } from '@vueuse/core';
import { watch } from 'vue';
import { ApiFailure } from '../api/http.ts';

/** Milliseconds between two attempts while the server does not respond. */
const INTERVAL = 3000;
/** What a proxy answers while there is no server behind it. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether an error will pass by itself: the server is stopped or restarting. */
function isOutage(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 0 || GATEWAY.has(error.status));
}

/** Loads again what failed because the server did not respond, until it does; only while the page can be seen. */
export function useRecovery(failures: () => readonly unknown[], load: () => Promise<void>): void {
  const visibility = useDocumentVisibility();
  const isDown = (): boolean => visibility.value === 'visible' && failures().some((one) => isOutage(one));
  const { start, stop } = useTimeoutFn(
    async () => {
      await load();
      // A load that fails in the same way changes nothing that is watched.
      if (isDown()) start();
    },
    INTERVAL,
    { immediate: false },
  );
  watch(isDown, (down) => (down ? start() : stop()), { immediate: true });
}
