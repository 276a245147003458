import { ref, watch } from 'vue';
import { useRoute } from 'vue-router';
import { useLateAddress } from '../../composables/use-late-address.ts';

/** A text in an address may be so long; a longer one stays on the page alone. */
const MOST_IN_ADDRESS = 8_000;
/** Milliseconds without a keystroke before the address follows. */
const PAUSE = 400;

/** The text of the query, which the address holds too: copied, it opens the same query. */
export function useQueryText() {
  const route = useRoute();
  const write = useLateAddress(PAUSE);
  const text = ref(textOf(route.query['q']));

  watch(text, (next) => {
    write(() => {
      const isShort = next !== '' && next.length <= MOST_IN_ADDRESS;
      return textOf(route.query['q']) === next ? null : { q: isShort ? next : undefined };
    });
  });

  watch(
    () => route.query['q'],
    (next) => {
      if (route.name === 'sql' && next !== undefined) text.value = textOf(next);
    },
  );

  return text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
