import type { SharedTile, TileLayout } from './shared-data.ts';

/** Columns of a dashboard's grid, and what a tile takes that says nothing. */
const COLUMNS = 12;
const USUAL = { w: 6, h: 5 };

/** Lines of the grid, from 1. */
export interface Place {
  gridColumn: string;
  gridRow: string;
}

/**
 * Where each tile stands on a wide page, in the order given. When the places that were stored cannot all be kept, because
 * some lack or lie over each other, tiles follow each other instead, in their widths.
 */
export function placeTiles(tiles: readonly Pick<SharedTile, 'layouts'>[]): Place[] {
  const boxes = tiles.map(({ layouts }) => boxOf(layouts.sm));
  const stored = boxes.filter((box) => box !== null);
  const isWhole =
    stored.length === boxes.length && !stored.some((box, i) => stored.slice(i + 1).some(overlaps(box)));
  if (isWhole) {
    return stored.map(({ x, y, w, h }) => ({
      gridColumn: `${x + 1} / span ${w}`,
      gridRow: `${y + 1} / span ${h}`,
    }));
  }
  return boxes.map((box) => {
    const { w, h } = box ?? USUAL;
    return { gridColumn: `span ${w}`, gridRow: `span ${h}` };
  });
}

type Box = Required<TileLayout>;

/** Further down than this nobody looks, and a grid of more lines is cut by browsers. */
const MAX_ROWS = 5_000;

function boxOf(layout: TileLayout | undefined): Box | null {
  const { x, y, w, h } = layout ?? {};
  const isFit =
    isWithin(x, 0, COLUMNS - 1) &&
    isWithin(y, 0, MAX_ROWS) &&
    isWithin(w, 1, COLUMNS) &&
    isWithin(h, 1, MAX_ROWS);
  return isFit ? { x: x!, y: y!, w: Math.min(w!, COLUMNS - x!), h: h! } : null;
}

function isWithin(value: number | undefined, least: number, most: number): boolean {
  return Number.isInteger(value) && value! >= least && value! <= most;
}

function overlaps(a: Box): (b: Box) => boolean {
  return (b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
