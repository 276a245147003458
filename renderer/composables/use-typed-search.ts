import { ref, watch } from 'vue';
import { useRoute } from 'vue-router';
import { useDebouncedQueryParam } from './use-debounced-query-param.ts';

/** Milliseconds without a keystroke after which the search is written. */
const TYPING_PAUSE = 200;

/** The text of a search field: written to the URL (`search`) after a pause, without the parameters in `resets`, and read from it immediately. */
export function useTypedSearch(resets: readonly string[] = []) {
  const route = useRoute();
  const write = useDebouncedQueryParam(TYPING_PAUSE);
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
