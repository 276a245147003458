import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { api } from '../api/client.ts';
import type { DemoLiveJson, DemoProjectJson } from '../../server/features/demo/demo.contract.ts';
import { useProjectStore } from './project.store.ts';
import { useSessionStore } from './session.store.ts';

export type DemoOrder = Pick<DemoProjectJson, 'kind' | 'size'>;

export type LiveOrder = Pick<DemoLiveJson, 'events_per_minute' | 'script'> & { at: string | null };

/** Milliseconds between two looks at the progress. */
const INTERVAL = 400;

/** Demo data: the dialog that creates it, how far that is, and its removal. */
export const useDemoStore = defineStore('demo', () => {
  const projects = useProjectStore();
  const session = useSessionStore();
  const isOpen = ref(false);
  /** What is being created, as it was seen last. */
  const running = shallowRef<DemoProjectJson | null>(null);
  const isRemoving = ref(false);
  /** The events that keep coming in the current project, as they were seen last. */
  const live = shallowRef<DemoLiveJson | null>(null);
  /** How often it was started or stopped: an answer from before says nothing any more. */
  let changes = 0;
  const canCreate = computed(() => session.isAdmin);

  /** Begins; the server goes on when this page is closed. Throws `ApiFailure`. */
  async function create(order: DemoOrder): Promise<DemoProjectJson> {
    const demo = await api.post('/api/burrow/demo/', { body: order });
    projects.put(await api.get('P/', { projectId: demo.id }));
    running.value = demo;
    return demo;
  }

  /** Waits until all events are stored; null: it was canceled. Throws `ApiFailure`. */
  async function wait(id: number): Promise<DemoProjectJson | null> {
    for (;;) {
      const { results } = await api.get('/api/burrow/demo/');
      const found = results.find((one) => one.id === id) ?? null;
      if (found === null || running.value?.id !== id) return null;
      running.value = found;
      if (found.state !== 'creating') break;
      await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    }
    const found = running.value!;
    running.value = null;
    if (found.state === 'ready') session.markIngested(id);
    return found;
  }

  /** Deletes a project with demo data, also while it is created. Throws `ApiFailure`. */
  async function remove(id: number): Promise<void> {
    isRemoving.value = true;
    try {
      if (running.value?.id === id) running.value = null;
      await api.delete('/api/burrow/demo/:id/', { id });
      projects.remove(id);
    } finally {
      isRemoving.value = false;
    }
  }

  /** Throws `ApiFailure`. */
  async function loadLive(id: number): Promise<void> {
    const before = changes;
    const { results } = await api.get('/api/burrow/demo/');
    if (changes === before) live.value = results.find((one) => one.id === id)?.live ?? null;
  }

  /** Throws `ApiFailure`. */
  async function startLive(id: number, order: LiveOrder): Promise<void> {
    const started = (await api.put('/api/burrow/demo/:id/live/', { id, body: order })).live;
    changes += 1;
    live.value = started;
  }

  /** Throws `ApiFailure`. */
  async function stopLive(id: number): Promise<void> {
    await api.delete('/api/burrow/demo/:id/live/', { id });
    changes += 1;
    live.value = null;
  }

  return {
    live,
    loadLive,
    startLive,
    stopLive,
    isOpen,
    running,
    isRemoving,
    canCreate,
    create,
    wait,
    remove,
  };
});
