import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { watchServerOnDesktop, type ServerStatus } from '../api/desktop.api.ts';
import { ApiFailure } from '../api/http.ts';
import { dismissNotice, listNotices, type Notice } from '../api/notices.api.ts';

/** Failed requests in a row after which the server is called unreachable: one may be lost while a laptop wakes up. */
const UNREACHABLE_AFTER = 2;

/** What is wrong with the server as a whole, polled by the shell. */
export const useNoticesStore = defineStore('notices', () => {
  const notices = shallowRef<readonly Notice[]>([]);
  const isUnreachable = ref(false);
  /** What the desktop app sees of its server; null in a browser. */
  const desktop = shallowRef<ServerStatus | null>(null);
  let failures = 0;

  watchServerOnDesktop((status) => (desktop.value = status));

  /** Reads the notices; keeps the last ones when the request fails. */
  async function refresh(): Promise<void> {
    try {
      notices.value = await listNotices();
      failures = 0;
      isUnreachable.value = false;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failures = error.status === 0 ? failures + 1 : 0;
      isUnreachable.value = failures >= UNREACHABLE_AFTER;
    }
  }

  /** Throws ApiFailure when the server refuses. */
  async function dismiss(id: string): Promise<void> {
    await dismissNotice(id);
    await refresh();
  }

  return { notices, isUnreachable, desktop, refresh, dismiss };
});
