/** Places on the grid of a dashboard, in columns and rows from 0. */

export const COLUMNS = 12;
/** What a tile takes that says nothing, as PostHog lays them out. */
const USUAL = { w: 6, h: 5 };
/** Narrower than this nothing can be read. */
export const LEAST_COLUMNS = 2;
const LEAST = { w: LEAST_COLUMNS, h: 1 };
/** The maximum row of a tile. */
const MOST_ROWS = 5_000;
const MOST_HEIGHT = 40;

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Boxes by the name of their tile. */
export type Boxes = Readonly<Record<string, Box>>;

/** The position of each of these layouts: none overlaps another, and none has a gap above. */
export function placeBoxes(layouts: readonly unknown[]): Box[] {
  const read = layouts.map((layout) => readBox(layout));
  const lowest = read.reduce((low, box) => Math.max(low, box ? box.y + box.h : 0), 0);
  const boxes: Record<string, Box> = {};
  let [x, y, row] = [0, lowest, 0];
  read.forEach((box, at) => {
    const { w, h } = box ?? sizeOf(layouts[at]);
    if (!box && x + w > COLUMNS) [x, y, row] = [0, y + row, 0];
    boxes[at] = box ?? { x, y, w, h };
    if (!box) [x, row] = [x + w, Math.max(row, h)];
  });
  const settled = settle(boxes);
  return read.map((_, at) => settled[at]!);
}

function sizeOf(layout: unknown): { w: number; h: number } {
  const { w, h } = (typeof layout === 'object' && layout !== null ? layout : {}) as Partial<Box>;
  return {
    w: isWhole(w) ? clamp(w!, LEAST.w, COLUMNS) : USUAL.w,
    h: isWhole(h) ? clamp(h!, LEAST.h, MOST_HEIGHT) : USUAL.h,
  };
}

function readBox(layout: unknown): Box | null {
  if (typeof layout !== 'object' || layout === null) return null;
  const { x, y } = layout as Partial<Box>;
  if (!isWhole(x) || !isWhole(y) || x! < 0 || x! >= COLUMNS || y! < 0 || y! > MOST_ROWS) return null;
  const { w, h } = sizeOf(layout);
  return fit({ x: x!, y: y!, w, h });
}

const isWhole = (value: unknown): boolean => Number.isInteger(value);
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The same box within the grid. */
export function fit({ x, y, w, h }: Box): Box {
  const width = clamp(w, LEAST.w, COLUMNS);
  return {
    x: clamp(x, 0, COLUMNS - width),
    y: Math.max(0, y),
    w: width,
    h: clamp(h, LEAST.h, MOST_HEIGHT),
  };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Names from above, in a row from the left. */
export function inReadingOrder(boxes: Boxes): string[] {
  return Object.keys(boxes).toSorted((a, b) => boxes[a]!.y - boxes[b]!.y || boxes[a]!.x - boxes[b]!.x);
}

/** Up to this size two tiles have room beside each other on a narrow page. */
const SMALL = { w: 4, h: 3 };

/** Small tiles that stand in pairs on a narrow page, where every other has a row: one that is left over would leave half a row empty. */
export function pairsOf(boxes: Boxes): ReadonlySet<string> {
  const pairs = new Set<string>();
  let first: string | null = null;
  for (const key of inReadingOrder(boxes)) {
    const isSmall = boxes[key]!.w <= SMALL.w && boxes[key]!.h <= SMALL.h;
    if (isSmall && first !== null) pairs.add(first).add(key);
    first = isSmall && first === null ? key : null;
  }
  return pairs;
}

/** Moves all boxes up as far as possible, in their order; one that would overlap another is placed below it. */
export function settle(boxes: Boxes): Boxes {
  return stack(inReadingOrder(boxes), boxes);
}

/** Each as far up as those before it in the list let it go. */
function stack(names: readonly string[], boxes: Boxes): Boxes {
  const placed: Record<string, Box> = {};
  for (const name of names) placed[name] = comeUp(boxes[name]!, Object.values(placed));
  return placed;
}

function comeUp(box: Box, others: readonly Box[]): Box {
  const isFree = (y: number) => !others.some((other) => overlap({ ...box, y }, other));
  let { y } = box;
  while (!isFree(y)) y += 1;
  while (y > 0 && isFree(y - 1)) y -= 1;
  return { ...box, y };
}

/** The boxes after one of them was moved: it is at its new position, and overlapping ones move below it. */
export function withBox(boxes: Boxes, name: string, wanted: Box): Boxes {
  const box = fit(wanted);
  const { [name]: before, ...others } = boxes;
  // What it comes down upon moves up into its old place first.
  const rest = before && box.y > before.y ? settle(others) : others;
  const names = inReadingOrder(rest);
  const above = names.filter((other) => rest[other]!.y < box.y && !overlap(rest[other]!, box));
  const below = names.filter((other) => !above.includes(other));
  return stack([...above, name, ...below], { ...rest, [name]: box });
}

/** The boxes after one of them went a step: a column, or as many rows as it takes to change places with another. */
export function stepped(boxes: Boxes, name: string, { x, y }: { x: number; y: number }): Boxes {
  const box = boxes[name]!;
  if (y === 0) return withBox(boxes, name, { ...box, x: box.x + x });
  for (let rows = 1; rows <= MOST_HEIGHT; rows += 1) {
    const next = withBox(boxes, name, { ...box, y: box.y + y * rows });
    if (!isSame(next, boxes)) return next;
  }
  return boxes;
}

/** Whether all stand at the same places. */
export function isSame(one: Boxes, other: Boxes): boolean {
  return Object.entries(one).every(([name, { x, y, w, h }]) => {
    const there = other[name];
    return there?.x === x && there.y === y && there.w === w && there.h === h;
  });
}

/** Where a new box of this size fits first below everything that is there. */
export function boxBelow(boxes: Boxes, { w, h }: { w: number; h: number }): Box {
  const y = Object.values(boxes).reduce((low, box) => Math.max(low, box.y + box.h), 0);
  return fit({ x: 0, y, w, h });
}

/** A place for a copy: right of the original where there is room, else below it. */
export function boxBeside({ x, y, w, h }: Box): Box {
  return x + 2 * w <= COLUMNS ? { x: x + w, y, w, h } : { x, y: y + h, w, h };
}

/** All boxes lined up without gaps, in their order and about their sizes: each row is filled to its end. */
export function lineUp(boxes: Boxes): Boxes {
  const rows: string[][] = [];
  let used = COLUMNS;
  for (const name of inReadingOrder(boxes)) {
    const { w } = boxes[name]!;
    if (used + w > COLUMNS) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)!.push(name);
    used += w;
  }
  const placed: Record<string, Box> = {};
  let y = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((name) => boxes[name]!.h));
    const whole = row.reduce((sum, name) => sum + boxes[name]!.w, 0);
    let x = 0;
    row.forEach((name, at) => {
      const isLast = at === row.length - 1;
      const w = isLast ? COLUMNS - x : Math.floor((boxes[name]!.w / whole) * COLUMNS);
      placed[name] = { x, y, w, h: height };
      x += w;
    });
    y += height;
  }
  return placed;
}

/** How many rows a grid needs for all of them. */
export function rowsOf(boxes: Boxes): number {
  return Object.values(boxes).reduce((most, { y, h }) => Math.max(most, y + h), 0);
}
