import { computed, nextTick, type Ref } from 'vue';
import { stepFrom, type ListHandle } from '../../ui/data-table.ts';

/** Rows that are buttons, of which one is chosen: the keyboard's row is the chosen one, and the only one where Tab stops. */
export function useChosenRow(
  list: Readonly<Ref<HTMLElement | null>>,
  keys: () => readonly string[],
  chosen: Ref<string | null>,
) {
  const index = computed(() => (chosen.value === null ? -1 : keys().indexOf(chosen.value)));
  const stop = computed(() => keys()[Math.max(0, index.value)] ?? null);

  function move(step: number): void {
    const next = stepFrom(index.value, step, keys().length);
    if (next === -1) return;
    chosen.value = keys()[next]!;
    void nextTick(() => list.value?.querySelectorAll<HTMLElement>('button')[next]?.focus());
  }

  /** Choosing is all that the keyboard does here. */
  const handle: ListHandle = { move, openActive: () => {}, pickActive: () => {} };
  return { stop, handle };
}
