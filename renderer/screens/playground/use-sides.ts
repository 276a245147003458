import { computed } from 'vue';
import { callerName, explainedFlag } from './explained-flag.ts';
import { compareText, differentValues } from './compare-values.ts';
import { compareFlags } from './flag-rows.ts';
import { useExplained, type Explained } from './use-explained.ts';
import type { useFlagDefinitions } from './use-flag-definitions.ts';
import type { usePlayground } from './use-playground.ts';

/** The answers to the context and to the one it is compared with, and the chosen flag explained for each. */
export function useSides(
  playground: ReturnType<typeof usePlayground>,
  definitions: ReturnType<typeof useFlagDefinitions>,
) {
  const { context, other, endpoint, flagKey } = playground;
  const first = useExplained(
    () => context.value,
    () => endpoint.value,
  );
  const second = useExplained(
    () => other.value,
    () => endpoint.value,
  );

  const one = computed(() => sideOf(first, context.value.distinctId));
  const two = computed(() => sideOf(second, other.value?.distinctId ?? ''));

  function sideOf({ answer, failure, isAsking }: ReturnType<typeof useExplained>, distinctId: string) {
    const explained = distinctId === '' ? null : answer.value;
    return {
      explained,
      failure: failure.value,
      isStale: isAsking.value,
      name:
        (explained && callerName(explained.explanation, explained.context.distinctId)) ||
        distinctId ||
        'No person',
      why: explained && flagKey.value !== null ? explain(explained, flagKey.value) : null,
    };
  }

  function explain({ explanation }: Explained, key: string) {
    return explainedFlag(explanation, key, { shape: definitions.shapeOf(key), names: definitions.names });
  }

  /** Both in words; empty until both are answered. */
  function asText(): string {
    const [a, b] = [one.value.explained, two.value.explained];
    if (!a || !b) return '';
    const { different, same } = compareFlags(a.explanation, b.explanation);
    return compareText({
      names: [one.value.name, two.value.name],
      ids: [a.context.distinctId, b.context.distinctId],
      total: different.length + same.length,
      different: different.map(({ key }) => ({ key, one: explain(a, key), other: explain(b, key) })),
      values: differentValues(a, b),
    });
  }

  async function ask(): Promise<void> {
    await Promise.all([first.ask(), second.ask()]);
  }

  return { one, two, asText, ask };
}
