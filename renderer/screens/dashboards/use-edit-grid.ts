import type { GridStack, GridStackNode } from 'gridstack';
import { onScopeDispose, type Ref } from 'vue';
import { inReadingOrder, isSame, LEAST_COLUMNS, type Boxes } from '../../ui/tile-boxes.ts';
import { createDragLayout } from './drag-layout.ts';
import { createTileDrag } from './tile-drag.ts';
import { leastRows } from './tile-labels.ts';

/** Height of a row with its gap, and half of the gap, in pixels; the stylesheet of the grid has the same. */
const ROW = 56;
const MARGIN = 4;
/** By what a tile is taken hold of, and what in it is no hold. */
const HANDLE = '.tile-head, .words';
const NO_HANDLE = 'button, a, input, textarea, select, .ui-resizable-handle';

interface EditGrid {
  /** Lets tiles be dragged and resized by mouse and touch. */
  begin(): Promise<void>;
  /** Lets go of them; they stay where the page has put them. */
  end(): void;
  /** Takes over places that were changed elsewhere, and tiles that came or went. */
  show(): void;
}

/**
 * Tiles are resized by gridstack, which is loaded when editing begins, and dragged by `createTileDrag` (decision 70). Vue alone
 * creates and removes tiles; both move existing ones and report all positions when the pointer is released.
 */
export function useEditGrid(
  root: Readonly<Ref<HTMLElement | null>>,
  slot: Readonly<Ref<HTMLElement | null>>,
  boxes: () => Boxes,
  onMoved: (boxes: Boxes, key: string | null) => void,
): EditGrid {
  let grid: GridStack | null = null;
  let drag: ReturnType<typeof createTileDrag> | null = null;
  let isWanted = false;
  /** The tile that is being resized. */
  let resizedKey: string | null = null;

  function items(): HTMLElement[] {
    return [...(root.value?.querySelectorAll<HTMLElement>(':scope > .grid-stack-item[gs-id]') ?? [])];
  }

  async function begin(): Promise<void> {
    isWanted = true;
    const { GridStack: Grid, GridStackEngine: Engine } = await import('gridstack');
    await import('gridstack/dist/gridstack.css');
    if (!isWanted || grid || !root.value || !slot.value) return;
    root.value.dataset['live'] = '';
    const begun = Grid.init(
      {
        column: 12,
        cellHeight: ROW,
        margin: MARGIN,
        animate: !matchMedia('(prefers-reduced-motion: reduce)').matches,
        auto: false,
        disableDrag: true,
        resizable: { handles: 'se, sw, e, w, s' },
      },
      root.value,
    );
    if (!begun) return;
    const hold = (_event: Event, element: HTMLElement) => (resizedKey = element.getAttribute('gs-id'));
    begun.on('resizestart', hold);
    begun.on('resizestop', report);
    grid = begun;
    drag = createTileDrag({
      root: root.value,
      handle: HANDLE,
      cancel: NO_HANDLE,
      slot: slot.value,
      rowHeight: ROW,
      margin: MARGIN,
      boxes,
      layout: (key, cell) => createDragLayout(Engine, boxes(), key, cell),
      place,
      onDropped: onMoved,
    });
    show();
  }

  function placesNow(): Boxes {
    const nodes: readonly GridStackNode[] = grid?.engine.nodes ?? [];
    return Object.fromEntries(
      nodes.map(({ id, x = 0, y = 0, w = 1, h = 1 }) => [id!, { x, y, w, h }] as const),
    );
  }

  function report(): void {
    onMoved(placesNow(), resizedKey);
    resizedKey = null;
  }

  function show(): void {
    if (!grid) return;
    const places = boxes();
    const now = placesNow();
    if (Object.keys(now).length === Object.keys(places).length && isSame(places, now)) return;
    drag?.cancel();
    place(places);
  }

  function place(places: Boxes): void {
    if (!grid) return;
    const elements = new Map(items().map((element) => [element.getAttribute('gs-id')!, element]));
    grid.batchUpdate();
    grid.removeAll(false, false);
    for (const key of inReadingOrder(places)) {
      const element = elements.get(key);
      const isSection = element?.dataset['low'] !== undefined;
      const place = places[key]!;
      // One that came lower from elsewhere stays so.
      const minH = Math.min(place.h, leastRows({ isSection }));
      if (element) grid.makeWidget(element, { id: key, ...place, minW: LEAST_COLUMNS, minH });
    }
    grid.batchUpdate(false);
  }

  function end(): void {
    isWanted = false;
    if (!grid) return;
    drag?.dispose();
    drag = null;
    const left = items();
    grid.destroy(false);
    grid = null;
    for (const element of left) {
      for (const side of ['top', 'left', 'width', 'height']) element.style.removeProperty(side);
      for (const name of ['x', 'y', 'w', 'h']) element.removeAttribute(`gs-${name}`);
      element.querySelectorAll('.ui-resizable-handle').forEach((handle) => handle.remove());
      element.classList.remove('ui-draggable-disabled', 'ui-resizable', 'ui-resizable-autohide');
    }
    root.value?.style.removeProperty('height');
    delete root.value?.dataset['live'];
  }

  onScopeDispose(end);
  return { begin, end, show };
}
