import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { api } from '../api/client.ts';
import type { NoticeJson as Notice } from '../../server/features/notices/notices.contract.ts';
import { isAttachedOnDesktop, watchServerOnDesktop, type ServerStatus } from '../api/desktop.api.ts';
import { ApiFailure } from '../api/http.ts';
import { showFailure } from '../composables/show-failure.ts';

/** Failed requests in a row after which the server is called unreachable: one may be lost while a laptop wakes up. */
const UNREACHABLE_AFTER = 2;
/** Milliseconds. A server that hangs answers nothing; the next request finds out whether it is back. */
const ANSWER_LIMIT = 4_000;

/** For how long capture can be paused; null: until it is resumed. */
export const PAUSES: readonly { minutes: number | null; label: string }[] = [
  { minutes: 15, label: 'for 15 minutes' },
  { minutes: 60, label: 'for an hour' },
  { minutes: null, label: 'until you resume it' },
];

/** What is wrong with the server as a whole, polled by the shell. */
export const useNoticesStore = defineStore('notices', () => {
  const notices = shallowRef<readonly Notice[]>([]);
  const isUnreachable = ref(false);
  /** What the desktop app sees of its server; null in a browser. */
  const desktop = shallowRef<ServerStatus | null>(null);
  /** Another Burrow runs the server of this window of the desktop app. */
  const isAttached = ref(false);
  let failures = 0;

  watchServerOnDesktop((status) => (desktop.value = status));
  void isAttachedOnDesktop().then((is) => (isAttached.value = is));

  /** Reads the notices; keeps the last ones when the request fails. */
  async function refresh(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(ANSWER_LIMIT);
      notices.value = (await api.get('/api/burrow/notices/', { signal })).results;
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
    await api.delete('/api/burrow/notices/:notice_id/', { notice_id: id });
    await refresh();
  }

  const isPaused = computed(() => notices.value.some(({ id }) => id === 'capture_paused'));

  /** Pauses capture for so many minutes; null: until it is resumed. A refusal is shown. */
  async function pauseCapture(minutes: number | null): Promise<void> {
    await setPause({ is_paused: true, minutes }, 'Capture could not be paused');
  }

  /** A refusal is shown. */
  async function resumeCapture(): Promise<void> {
    await setPause({ is_paused: false }, 'Capture could not be resumed');
  }

  async function setPause(
    body: { is_paused: boolean; minutes?: number | null },
    problem: string,
  ): Promise<void> {
    try {
      await api.put('/api/burrow/capture/', { body });
      await refresh();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      showFailure(error, problem);
    }
  }

  return {
    notices,
    isUnreachable,
    isPaused,
    isAttached,
    desktop,
    refresh,
    dismiss,
    pauseCapture,
    resumeCapture,
  };
});
