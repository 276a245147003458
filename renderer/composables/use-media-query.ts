import { onScopeDispose, readonly, ref } from 'vue';

/** Whether a media query holds, kept up to date. */
export function useMediaQuery(query: string) {
  const list = window.matchMedia(query);
  const isMatching = ref(list.matches);
  const update = () => (isMatching.value = list.matches);
  list.addEventListener('change', update);
  onScopeDispose(() => list.removeEventListener('change', update));
  return readonly(isMatching);
}
