import { inReadingOrder, type Boxes } from '../../ui/tile-boxes.ts';
import type { ShownTile } from './dashboard-draft.ts';
import { nameOfTile } from './tile-labels.ts';

/** Tiles that are on a wall together; `boxes` begin with row 0. */
export interface WallPage {
  name: string;
  tiles: readonly ShownTile[];
  boxes: Boxes;
  /** How many rows share the height of the screen. */
  rows: number;
}

/**
 * The pages of a dashboard on a wall. One that fits is a single page. Otherwise a page ends before a section and where
 * `mostRows` are full, between tiles; those that stand too close for that are cut in reading order.
 */
export function wallPages(tiles: readonly ShownTile[], boxes: Boxes, mostRows: number): WallPage[] {
  const byKey = new Map(tiles.map((tile) => [tile.key, tile]));
  const keys = inReadingOrder(boxes).filter((key) => byKey.has(key));
  const pages: string[][] = [];
  const isSection = (band: readonly string[]) => byKey.get(band[0]!)!.isSection;
  const bands = heightOf(keys, boxes) <= mostRows ? [keys] : bandsOf(keys, boxes, mostRows);
  for (const band of bands) {
    const page = pages.at(-1);
    const isFull = page !== undefined && heightOf([...page, ...band], boxes) > mostRows;
    // A section is never without what is below it: a tile that is too high shrinks.
    const isOnlySection = page?.every((key) => byKey.get(key)!.isSection) === true;
    if (page !== undefined && (isOnlySection || (!isFull && !isSection(band)))) page.push(...band);
    else pages.push([...band]);
  }
  return pages
    .filter((page) => page.length > 0)
    .map((page) =>
      pageOf(
        page.map((key) => byKey.get(key)!),
        boxes,
      ),
    );
}

/** Runs of tiles between which a line can be drawn across all columns; one that is too high is cut. */
function bandsOf(keys: readonly string[], boxes: Boxes, mostRows: number): string[][] {
  const bands: string[][] = [];
  let low = 0;
  for (const key of keys) {
    const { y, h } = boxes[key]!;
    if (bands.length === 0 || y >= low) bands.push([]);
    bands.at(-1)!.push(key);
    low = Math.max(low, y + h);
  }
  return bands.flatMap((band) =>
    heightOf(band, boxes) > mostRows ? cutBand(band, boxes, mostRows) : [band],
  );
}

function cutBand(band: readonly string[], boxes: Boxes, mostRows: number): string[][] {
  const parts: string[][] = [];
  for (const key of band) {
    const part = parts.at(-1);
    if (part === undefined || heightOf([...part, key], boxes) > mostRows) parts.push([key]);
    else part.push(key);
  }
  return parts;
}

function heightOf(keys: readonly string[], boxes: Boxes): number {
  const top = Math.min(...keys.map((key) => boxes[key]!.y));
  return Math.max(0, ...keys.map((key) => boxes[key]!.y + boxes[key]!.h - top));
}

function pageOf(tiles: readonly ShownTile[], boxes: Boxes): WallPage {
  const top = Math.min(...tiles.map(({ key }) => boxes[key]!.y));
  const own = Object.fromEntries(tiles.map(({ key }) => [key, { ...boxes[key]!, y: boxes[key]!.y - top }]));
  const named = tiles.find(({ isSection }) => isSection) ?? tiles[0]!;
  return {
    name: nameOfTile(named),
    tiles,
    boxes: own,
    rows: heightOf(
      tiles.map(({ key }) => key),
      boxes,
    ),
  };
}
