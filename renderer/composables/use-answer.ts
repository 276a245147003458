import { readonly, ref, shallowRef } from 'vue';

/** Asks, and keeps the newest answer: an older one that comes late is not shown. A failure keeps the last answer beside it. */
export function useAnswer<Answer>(task: () => Promise<Answer>) {
  const answer = shallowRef<Answer | null>(null);
  const failure = shallowRef<unknown>(null);
  const isAsking = ref(false);
  let latest = 0;

  async function ask(): Promise<void> {
    latest += 1;
    const number = latest;
    isAsking.value = true;
    try {
      const next = await task();
      if (number !== latest) return;
      answer.value = next;
      failure.value = null;
    } catch (error) {
      if (number === latest) failure.value = error;
    } finally {
      if (number === latest) isAsking.value = false;
    }
  }

  return { answer, failure, isAsking: readonly(isAsking), ask };
}
