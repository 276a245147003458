import { ref, type Ref } from 'vue';
import { useHotkeys } from '../../composables/use-hotkeys.ts';
import { useListKeys } from '../../composables/use-list-keys.ts';
import type { ListHandle } from '../../ui/data-table.ts';

interface RowPanel {
  table: Readonly<Ref<ListHandle | null>>;
  /** What a row is: `key`. */
  noun: string;
  /** Creates another one; its shortcut is N. `null` without the permission. */
  add: { label: string; run(): void } | null;
  /** Forgets what was said of the row before. */
  reset(): void;
}

/** A page of the settings with one list and a panel beside it: which row is open, and the keys for both. */
export function useRowPanel<Key extends string | number>({ table, noun, add, reset }: RowPanel) {
  const openKey = ref(null) as Ref<Key | null>;

  /** Opens a row, or closes it when it is the open one. */
  function show(key: Key | null): void {
    reset();
    openKey.value = key === openKey.value ? null : key;
  }

  useListKeys(table, { group: 'Settings', noun });
  if (add) useHotkeys([{ keys: 'n', group: 'Settings', ...add }]);
  useHotkeys([{ keys: 'escape', run: () => show(null) }]);
  return { openKey, show };
}
