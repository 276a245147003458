import type { Ref } from 'vue';
import type { ListHandle } from '../ui/data-table.ts';
import { useHotkeys, type Hotkey } from './use-hotkeys.ts';

interface ListKeys {
  /** Heading under which the keys are listed, the screen's title. */
  group: string;
  /** What a row is: `person`. */
  noun: string;
  /** Given where rows can be picked. */
  isPickable?: boolean;
  /** Given where there is a search field. */
  search?: () => void;
  /** Set when the list has pages: opens the next or the previous one, if there is one. */
  turn?: (isForward: boolean) => void;
}

/** The keys of every list: J and K or the arrows move, Enter opens, X picks, / searches, N and P turn pages. */
export function useListKeys(
  list: Readonly<Ref<ListHandle | null>>,
  { group, noun, isPickable, search, turn }: ListKeys,
): void {
  const move = (step: number) => () => list.value?.move(step);
  const hotkeys: Hotkey[] = [
    { keys: 'j', label: `Next ${noun}`, group, run: move(1) },
    { keys: 'k', label: `Previous ${noun}`, group, run: move(-1) },
    { keys: 'arrowdown', run: move(1) },
    { keys: 'arrowup', run: move(-1) },
    { keys: 'enter', label: `Open the ${noun}`, group, run: () => list.value?.openActive() },
  ];
  if (isPickable)
    hotkeys.push({ keys: 'x', label: `Select the ${noun}`, group, run: () => list.value?.pickActive() });
  if (search) hotkeys.push({ keys: '/', label: 'Search', group, run: search });
  if (turn) {
    hotkeys.push({ keys: 'n', label: 'Next page', group, run: () => turn(true) });
    hotkeys.push({ keys: 'p', label: 'Previous page', group, run: () => turn(false) });
  }
  useHotkeys(hotkeys);
}
