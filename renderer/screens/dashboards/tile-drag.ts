import { COLUMNS, isSame, rowsOf, type Box, type Boxes } from '../../ui/tile-boxes.ts';
import type { Cell } from './drag-layout.ts';

/** Pixels that a pointer moves before a drag starts. */
const START = 4;
/** Milliseconds of the animation from the pointer to the tile's place. */
const LANDING = 160;

interface DragOptions {
  /** The grid; its children with `gs-id` are dragged by what `handle` names, but not by what `cancel` does. */
  root: HTMLElement;
  handle: string;
  cancel: string;
  /** Shows where the tile would land. */
  slot: HTMLElement;
  rowHeight: number;
  margin: number;
  boxes: () => Boxes;
  layout: (key: string, cell: Cell) => { to(left: number, top: number): Boxes | null };
  /** Moves all tiles to their places immediately. */
  place: (boxes: Boxes) => void;
  onDropped: (boxes: Boxes, key: string) => void;
}

/** A running drag and what was measured when it started. */
interface Drag {
  key: string;
  item: HTMLElement;
  others: readonly { key: string; element: HTMLElement }[];
  layout: ReturnType<DragOptions['layout']>;
  cell: Cell;
  start: Boxes;
  now: Boxes;
  /** From the corner of the tile to the pointer. */
  grip: { x: number; y: number };
  corner: { x: number; y: number };
  scroll: ReturnType<typeof scrollAtEdges>;
}

/**
 * Carries tiles by mouse, touch or pen. The page is measured when a tile is taken and when it scrolls, never in between: a
 * movement writes one transform, and tiles that give way slide without being laid out or painted again.
 */
export function createTileDrag(options: DragOptions) {
  const { root, slot } = options;
  let pressed: { item: HTMLElement; key: string; event: PointerEvent } | null = null;
  let drag: Drag | null = null;
  /** Where the grid begins and where the pointer is, in the window. */
  let origin = { x: 0, y: 0 };
  let pointer = { x: 0, y: 0 };

  function handleAt(event: Event): HTMLElement | null {
    const target = event.target instanceof Element ? event.target : null;
    if (!target || target.closest(options.cancel) || !target.closest(options.handle)) return null;
    return target.closest<HTMLElement>('[gs-id]');
  }

  function onDown(event: PointerEvent): void {
    const item = handleAt(event);
    if (!item || event.button !== 0 || !event.isPrimary) return;
    cancel();
    pressed = { item, key: item.getAttribute('gs-id')!, event };
    item.setPointerCapture(event.pointerId);
  }

  /** No text is marked, and a field that had the focus takes over what was typed. */
  function onMouseDown(event: MouseEvent): void {
    if (event.button !== 0 || !handleAt(event)) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }

  function onMove(event: PointerEvent): void {
    if (!pressed || event.pointerId !== pressed.event.pointerId) return;
    const { clientX: x, clientY: y } = pressed.event;
    if (!drag && Math.abs(event.clientX - x) + Math.abs(event.clientY - y) < START) return;
    drag ??= take(pressed);
    pointer = { x: event.clientX, y: event.clientY };
    follow(drag);
  }

  function take({ item, key, event }: NonNullable<typeof pressed>): Drag {
    // It may still be on its way from before.
    item.getAnimations().forEach((animation) => animation.cancel());
    const at = item.getBoundingClientRect();
    const cell = { width: measure().width / COLUMNS, height: options.rowHeight, margin: options.margin };
    const start = options.boxes();
    const others = [...root.querySelectorAll<HTMLElement>(':scope > [gs-id]')]
      .filter((element) => element !== item)
      .map((element) => ({ key: element.getAttribute('gs-id')!, element }));
    const grip = { x: event.clientX - at.left, y: event.clientY - at.top };
    const scroll = scrollAtEdges(root.closest('.scroll'), event.clientY);
    const layout = options.layout(key, cell);
    lift(item, at);
    showSlot(start[key]!);
    return {
      key,
      item,
      others,
      layout,
      cell,
      start,
      now: start,
      grip,
      corner: { x: at.left, y: at.top },
      scroll,
    };
  }

  /** Out of the grid, to where it is in the window. */
  function lift(item: HTMLElement, { left, top, width, height }: DOMRect): void {
    root.dataset['drag'] = 'moving';
    item.dataset['dragged'] = '';
    Object.assign(item.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    slot.hidden = false;
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    window.addEventListener('keydown', onKey, true);
  }

  function measure(): DOMRect {
    const rect = root.getBoundingClientRect();
    origin = { x: rect.left, y: rect.top };
    return rect;
  }

  function follow(tile: Drag): void {
    const { item, grip, corner, scroll } = tile;
    item.style.transform = `translate(${pointer.x - grip.x - corner.x}px, ${pointer.y - grip.y - corner.y}px)`;
    scroll.lookAt(pointer.y);
    reflowOthers(tile);
  }

  /** Moves the other tiles out of the way of the dragged one. */
  function reflowOthers(tile: Drag): void {
    const { grip, layout, key, others, start, cell } = tile;
    const next = layout.to(pointer.x - grip.x - origin.x, pointer.y - grip.y - origin.y);
    if (!next) return;
    for (const { key: other, element } of others) {
      if (isAt(next[other]!, tile.now[other]!)) continue;
      const [x, y] = [next[other]!.x - start[other]!.x, next[other]!.y - start[other]!.y];
      element.style.transform = x || y ? `translate(${x * cell.width}px, ${y * cell.height}px)` : '';
    }
    tile.now = next;
    showSlot(next[key]!);
    root.style.height = `${rowsOf(next) * cell.height}px`;
  }

  function showSlot({ x, y, w, h }: Box): void {
    for (const [name, value] of Object.entries({ x, y, w, h }))
      slot.style.setProperty(`--${name}`, `${value}`);
  }

  function onScroll(): void {
    if (!drag) return;
    measure();
    reflowOthers(drag);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  }

  function onUp(event: PointerEvent): void {
    if (!pressed || event.pointerId !== pressed.event.pointerId) return;
    const dropped = event.type === 'pointerup' ? drag : null;
    if (dropped) drop(dropped, dropped.now);
    cancel();
    if (dropped && !isSame(dropped.start, dropped.now)) options.onDropped(dropped.now, dropped.key);
  }

  function drop({ item, others, scroll }: Drag, boxes: Boxes): void {
    const from = item.getBoundingClientRect();
    drag = null;
    scroll.stop();
    document.removeEventListener('scroll', onScroll, true);
    window.removeEventListener('keydown', onKey, true);
    slot.hidden = true;
    // No tile is animated: all are at their displayed positions.
    root.dataset['drag'] = 'dropped';
    delete item.dataset['dragged'];
    for (const element of [item, ...others.map((other) => other.element)]) element.style.transform = '';
    options.place(boxes);
    const to = item.getBoundingClientRect();
    delete root.dataset['drag'];
    land(item, { x: from.x - to.x, y: from.y - to.y });
  }

  /** Nothing was moved after all. */
  function cancel(): void {
    pressed = null;
    if (drag) drop(drag, drag.start);
  }

  const listeners = [
    ['pointerdown', onDown],
    ['mousedown', onMouseDown],
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onUp],
  ] as const;
  for (const [name, listener] of listeners) root.addEventListener(name, listener as EventListener);

  function dispose(): void {
    cancel();
    for (const [name, listener] of listeners) root.removeEventListener(name, listener as EventListener);
  }

  return { cancel, dispose };
}

function land(item: HTMLElement, { x, y }: { x: number; y: number }): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const above = { zIndex: 3 };
  const frames = [
    { ...above, transform: `translate(${x}px, ${y}px)` },
    { ...above, transform: 'none' },
  ];
  item.animate(frames, { duration: LANDING, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' });
}

const isAt = (a: Box, b: Box): boolean => a.x === b.x && a.y === b.y;

/** So near an edge it begins: this part of the height, or so many pixels. */
const BAND = { share: 0.08, least: 30 };
/** Pixels that a pointer moves towards an edge before it scrolls: a tile picked up at an edge does not scroll. */
const TOWARDS = 10;
/** Pixels in a frame: at the inner end of the band, and at the edge and beyond. */
const SPEED = { slow: 5, fast: 16 };

/** Scrolls while a dragging pointer stays near the upper or the lower edge; measures once. */
function scrollAtEdges(scroller: Element | null, from: number) {
  const edges = scroller?.getBoundingClientRect() ?? new DOMRect();
  const band = Math.max(BAND.least, edges.height * BAND.share);
  let speed = 0;
  let frame = 0;

  function speedAt(y: number): number {
    const up = edges.top + band - y;
    const down = y - (edges.bottom - band);
    const depth = Math.min(1, Math.max(up, down) / band);
    if (depth <= 0) return 0;
    const towards = up > down ? from - y : y - from;
    return towards < TOWARDS ? 0 : Math.sign(down - up) * (SPEED.slow + (SPEED.fast - SPEED.slow) * depth);
  }

  function step(): void {
    if (speed !== 0) scroller?.scrollBy(0, speed);
    frame = speed === 0 ? 0 : requestAnimationFrame(step);
  }

  /** The pointer is there now, in pixels of the window. */
  function lookAt(y: number): void {
    speed = speedAt(y);
    if (speed !== 0 && frame === 0) frame = requestAnimationFrame(step);
  }

  function stop(): void {
    cancelAnimationFrame(frame);
    speed = 0;
  }

  return { lookAt, stop };
}
