import { onScopeDispose, readonly, ref } from 'vue';

/** The time (Unix milliseconds), fresh every `interval` milliseconds. */
export function useNow(interval = 1000) {
  const now = ref(Date.now());
  const timer = setInterval(() => (now.value = Date.now()), interval);
  onScopeDispose(() => clearInterval(timer));
  return readonly(now);
}
