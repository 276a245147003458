import { ref, watch } from 'vue';
import { useRoute } from 'vue-router';
import { useLateAddress } from './use-late-address.ts';

/** Milliseconds without a key after which a search is asked. */
const TYPING_PAUSE = 200;

/** What is typed into a search field reaches the address (`search`) after a pause, without the parameters in `resets`; and back at once. */
export function useTypedSearch(resets: readonly string[] = []) {
  const route = useRoute();
  const write = useLateAddress(TYPING_PAUSE);
  const typed = ref(searchOf());

  function searchOf(): string {
    return typeof route.query['search'] === 'string' ? route.query['search'] : '';
  }

  watch(typed, (text) => {
    write(() => {
      if (text === searchOf()) return null;
      return { ...Object.fromEntries(resets.map((name) => [name, undefined])), search: text || undefined };
    });
  });
  watch(searchOf, (text) => (typed.value = text));
  return { typed, searchOf };
}
