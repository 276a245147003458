import { nextTick, type Ref } from 'vue';
import type { useDashboardDraft } from './use-dashboard-draft.ts';
import type { useTileEdits } from './use-tile-edits.ts';

const STEPS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

interface TileKeys {
  draft: ReturnType<typeof useDashboardDraft>;
  edits: ReturnType<typeof useTileEdits>;
  /** What holds the tiles. */
  root: Readonly<Ref<HTMLElement | null>>;
  openSettings(key: string): void;
}

/**
 * The keys of a tile that has the focus while the dashboard is edited: arrows move it, Shift with arrows resizes it, Enter
 * opens its settings, Delete removes it, Esc puts it back to where it was taken from.
 */
export function useTileKeys({ draft, edits, root, openSettings }: TileKeys) {
  /** A series of presses on one tile is one step of undo, and what Esc takes back. */
  let series: { key: string; name: string } | null = null;
  let count = 0;

  function tileElement(key: string): HTMLElement | null {
    return root.value?.querySelector<HTMLElement>(`[gs-id="${key}"] [role="group"]`) ?? null;
  }

  /** Vue may have put the tile elsewhere in the page, which takes the focus from it. */
  async function focus(key: string): Promise<void> {
    await nextTick();
    tileElement(key)?.focus({ preventScroll: true });
    tileElement(key)?.scrollIntoView({ block: 'nearest' });
  }

  function seriesOf(key: string): string {
    if (series?.key !== key) {
      count += 1;
      series = { key, name: `keys ${count}` };
    }
    return series.name;
  }

  /** Called with every key that is pressed on a tile; the tile itself must have the focus. */
  function onKeydown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const key = target.closest('[gs-id]')?.getAttribute('gs-id');
    if (!key || target !== tileElement(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) edits.step(key, step, event.shiftKey, seriesOf(key));
    else if (event.key === 'Enter') {
      series = null;
      openSettings(key);
    } else if (event.key === 'Delete' || event.key === 'Backspace') edits.remove(key);
    else if (event.key === 'Escape' && series?.key === key) takeBack(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (step || event.key === 'Escape') void focus(key);
  }

  function takeBack(key: string): void {
    if (draft.past.value.at(-1)?.merge === series?.name) draft.undo();
    series = null;
    edits.said.value = `${edits.nameOf(key)} moved back`;
  }

  /** Another tile, or none, has the focus: the series is over. */
  function endSeries(key: string | null): void {
    if (series && series.key !== key) series = null;
  }

  return { onKeydown, endSeries, focus };
}
