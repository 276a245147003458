import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import type { AnnotationJson as Annotation } from '../../server/features/annotations/annotations.contract.ts';
import { api } from '../api/client.ts';

/** Milliseconds after which they are loaded again where they are shown next: scripts create some too. */
const FRESH = 60_000;
/** The server's longest page. */
const PAGE = 1000;

/** The annotations of the project that was looked at last, for all of its charts. */
export const useAnnotationsStore = defineStore('annotations', () => {
  const annotations = shallowRef<readonly Annotation[]>([]);
  const projectId = ref<number | null>(null);
  let requestedAt = 0;

  /** Loads those of a project unless they are loaded; charts work without them when that fails. */
  async function load(id: number): Promise<void> {
    if (projectId.value === id && Date.now() - requestedAt < FRESH) return;
    if (projectId.value !== id) annotations.value = [];
    projectId.value = id;
    requestedAt = Date.now();
    const found = await listAll(id).catch(() => null);
    if (projectId.value !== id) return;
    if (found) annotations.value = found;
    else requestedAt = 0;
  }

  /** Shows a changed annotation; a deleted one is removed. */
  function put(id: number, annotation: Annotation): void {
    if (projectId.value !== id) return;
    const others = annotations.value.filter((one) => one.id !== annotation.id);
    annotations.value = annotation.deleted ? others : [...others, annotation];
  }

  return { annotations, load, put };
});

async function listAll(projectId: number): Promise<Annotation[]> {
  const found: Annotation[] = [];
  for (;;) {
    const page = await api.get('P/annotations/', { projectId, query: { limit: PAGE, offset: found.length } });
    found.push(...page.results);
    if (page.next === null || page.results.length === 0) return found;
  }
}
