import { computed, ref, shallowRef } from 'vue';
import { getServerInfo, type ServerInfo } from '../../api/server.api.ts';
import {
  changeShareLink,
  endOldShareLink,
  getShareLink,
  refreshShareLink,
  setShareExpiry,
  type ShareLink,
  type ShareSettings,
  type ShareTarget,
} from '../../api/sharing.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { useChange } from '../../composables/use-change.ts';
import { usePolling } from '../../composables/use-polling.ts';

/** Milliseconds between two looks at the clock, and at what others may have changed. */
const TICK = 5000;

/** The link of a dashboard or an insight, as it is now, and what can be done with it. */
export function useShareLink(target: ShareTarget) {
  const server = shallowRef<ServerInfo | null>(null);
  const now = ref(Date.now());
  const { answer: link, failure, ask } = useAnswer<ShareLink>(() => getShareLink(target));
  const { isBusy, problem, run } = useChange('The link could not be changed');
  const isOn = computed(() => link.value?.enabled === true);

  usePolling(async () => {
    now.value = Date.now();
    if (!isBusy.value) await ask();
    server.value ??= await getServerInfo().catch(() => null);
  }, TICK);

  /** Does one thing, and shows what the link is after it. */
  function change(task: () => Promise<void>): Promise<void> {
    return run(async () => {
      await task();
      now.value = Date.now();
      await ask();
    });
  }

  return {
    link,
    server,
    now,
    failure,
    isOn,
    isBusy,
    problem,
    ask,
    turn: (enabled: boolean) => change(() => changeShareLink(target, { enabled })),
    refresh: () => change(() => refreshShareLink(target)),
    endOld: () => change(() => endOldShareLink(target)),
    expire: (expiresAt: string | null) => change(() => setShareExpiry(target, expiresAt)),
    look: (settings: ShareSettings) => change(() => changeShareLink(target, { settings })),
  };
}
