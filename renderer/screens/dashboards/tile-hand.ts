import { COLUMNS, isSame, rowsOf, type Box, type Boxes } from '../../ui/tile-boxes.ts';
import type { Cell } from './tile-carry.ts';

/** The distance after which a movement is a drag: a click is not quite still. Pixels. */
const START = 4;
/** How long a tile takes to its place when the hand lets go; ms. */
const LANDING = 160;

interface HandOptions {
  /** The grid; its children with `gs-id` are carried by what `handle` names, but not by what `cancel` does. */
  root: HTMLElement;
  handle: string;
  cancel: string;
  /** Shows where the tile would land. */
  slot: HTMLElement;
  rowHeight: number;
  margin: number;
  boxes: () => Boxes;
  carry: (key: string, cell: Cell) => { to(left: number, top: number): Boxes | null };
  /** Moves all tiles to their places immediately. */
  place: (boxes: Boxes) => void;
  onDropped: (boxes: Boxes, key: string) => void;
}

/** A tile in hand, and all that was measured when it was taken. */
interface Held {
  key: string;
  item: HTMLElement;
  others: readonly { key: string; element: HTMLElement }[];
  carry: ReturnType<HandOptions['carry']>;
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
export function createTileHand(options: HandOptions) {
  const { root, slot } = options;
  let pressed: { item: HTMLElement; key: string; event: PointerEvent } | null = null;
  let held: Held | null = null;
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
    letGo();
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
    if (!held && Math.abs(event.clientX - x) + Math.abs(event.clientY - y) < START) return;
    held ??= take(pressed);
    pointer = { x: event.clientX, y: event.clientY };
    follow(held);
  }

  function take({ item, key, event }: NonNullable<typeof pressed>): Held {
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
    const carry = options.carry(key, cell);
    lift(item, at);
    showSlot(start[key]!);
    return {
      key,
      item,
      others,
      carry,
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
    root.dataset['hand'] = 'carries';
    item.dataset['held'] = '';
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

  function follow(tile: Held): void {
    const { item, grip, corner, scroll } = tile;
    item.style.transform = `translate(${pointer.x - grip.x - corner.x}px, ${pointer.y - grip.y - corner.y}px)`;
    scroll.lookAt(pointer.y);
    makeWay(tile);
  }

  /** Others go where they must for the tile in hand. */
  function makeWay(tile: Held): void {
    const { grip, carry, key, others, start, cell } = tile;
    const next = carry.to(pointer.x - grip.x - origin.x, pointer.y - grip.y - origin.y);
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
    if (!held) return;
    measure();
    makeWay(held);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    letGo();
  }

  function onUp(event: PointerEvent): void {
    if (!pressed || event.pointerId !== pressed.event.pointerId) return;
    const dropped = event.type === 'pointerup' ? held : null;
    if (dropped) putDown(dropped, dropped.now);
    letGo();
    if (dropped && !isSame(dropped.start, dropped.now)) options.onDropped(dropped.now, dropped.key);
  }

  function putDown({ item, others, scroll }: Held, boxes: Boxes): void {
    const from = item.getBoundingClientRect();
    held = null;
    scroll.stop();
    document.removeEventListener('scroll', onScroll, true);
    window.removeEventListener('keydown', onKey, true);
    slot.hidden = true;
    // No tile is animated: all are at their displayed positions.
    root.dataset['hand'] = 'rests';
    delete item.dataset['held'];
    for (const element of [item, ...others.map((other) => other.element)]) element.style.transform = '';
    options.place(boxes);
    const to = item.getBoundingClientRect();
    delete root.dataset['hand'];
    land(item, { x: from.x - to.x, y: from.y - to.y });
  }

  /** Nothing was moved after all. */
  function letGo(): void {
    pressed = null;
    if (held) putDown(held, held.start);
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
    letGo();
    for (const [name, listener] of listeners) root.removeEventListener(name, listener as EventListener);
  }

  return { letGo, dispose };
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
/** The distance towards an edge before it scrolls: a tile picked up at an edge does not scroll. Pixels. */
const TOWARDS = 10;
/** Pixels in a frame: at the inner end of the band, and at the edge and beyond. */
const SPEED = { slow: 5, fast: 16 };

/** Scrolls while a pointer that carries something stays near the upper or the lower edge; measures once. */
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
