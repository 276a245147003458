import { onScopeDispose, ref, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Milliseconds without a key after which a search is asked. */
const TYPING_PAUSE = 200;

/** What is typed into a search field reaches the address (`search`) after a pause, without the parameters in `resets`; and back at once. */
export function useTypedSearch(resets: readonly string[] = []) {
  const route = useRoute();
  const router = useRouter();
  const typed = ref(searchOf());
  let timer: ReturnType<typeof setTimeout> | undefined;

  function searchOf(): string {
    return typeof route.query['search'] === 'string' ? route.query['search'] : '';
  }

  watch(typed, (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (text === searchOf()) return;
      const without = Object.fromEntries(resets.map((name) => [name, undefined]));
      void router.replace({ query: { ...route.query, ...without, search: text || undefined } });
    }, TYPING_PAUSE);
  });
  watch(searchOf, (text) => (typed.value = text));
  onScopeDispose(() => clearTimeout(timer));
  return { typed, searchOf };
}
