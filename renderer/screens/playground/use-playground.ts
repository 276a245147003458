import { computed } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { FlagContext } from '../../api/flag-explanations.api.ts';
import {
  contextFromQuery,
  contextFromText,
  contextToQuery,
  contextToText,
  endpointFromText,
} from './context-text.ts';

/** What the third column shows. */
export type Part = 'why' | 'everyone' | 'request';

const PARTS: readonly string[] = ['why', 'everyone', 'request'];

/** The state in the URL: context, comparison context, endpoint, chosen flag and its view. */
export function usePlayground() {
  const route = useRoute();
  const router = useRouter();

  const context = computed<FlagContext>({
    get: () => contextFromQuery(route.query),
    set: (next) => replace(contextToQuery(next)),
  });
  const other = computed<FlagContext | null>({
    get: () => contextFromText(route.query['with']),
    set: (next) => replace({ with: next === null ? undefined : contextToText(next) }),
  });
  const endpointId = computed({
    get: () => endpointFromText(route.query['api']).id,
    set: (id) => replace({ api: id === 'flags2' ? undefined : id }),
  });
  const flagKey = computed({
    get: () => textOf(route.query['flag']),
    set: (key) => replace({ flag: key ?? undefined }),
  });
  const part = computed<Part>({
    get: () => {
      const text = textOf(route.query['part']);
      return text !== null && PARTS.includes(text) ? (text as Part) : 'why';
    },
    set: (next) => replace({ part: next === 'why' ? undefined : next }),
  });
  const endpoint = computed(() => endpointFromText(route.query['api']));

  function replace(change: Record<string, string | undefined>): void {
    void router.replace({ query: { ...route.query, ...change } });
  }

  /** Puts each in the place of the other. */
  function swap(): void {
    const { value: second } = other;
    if (second !== null) replace({ ...contextToQuery(second), with: contextToText(context.value) });
  }

  return { context, other, endpoint, endpointId, flagKey, part, swap };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
