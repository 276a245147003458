import { expect, test } from 'vitest';
import type { Box } from '../../ui/tile-boxes.ts';
import type { ShownTile } from './dashboard-draft.ts';
import { wallPages } from './wall-pages.ts';

type Placed = Record<string, Box & { isSection?: boolean }>;

const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });

function pagesOf(placed: Placed, mostRows = 9) {
  const tiles = Object.entries(placed).map(
    ([key, { isSection = false }]) => ({ key, text: `## ${key}`, insight: null, isSection }) as ShownTile,
  );
  const boxes = Object.fromEntries(
    Object.entries(placed).map(([key, { x, y, w, h }]) => [key, { x, y, w, h }]),
  );
  return wallPages(tiles, boxes, mostRows);
}

const keysOf = (placed: Placed, mostRows?: number) =>
  pagesOf(placed, mostRows).map(({ tiles }) => tiles.map(({ key }) => key).join(' '));

test('a dashboard that fits is one page, with its sections', () => {
  const placed = { A: at(0, 0, 12, 4), Section: { ...at(0, 4, 12, 1), isSection: true }, B: at(0, 5, 12, 4) };
  expect(keysOf(placed)).toEqual(['A Section B']);
});

test('a longer dashboard is cut between rows of tiles, and each page begins with row 0', () => {
  const placed = { A: at(0, 0, 6, 5), B: at(6, 0, 6, 5), C: at(0, 5, 12, 5), D: at(0, 10, 12, 4) };
  expect(keysOf(placed)).toEqual(['A B', 'C D']);
  expect(pagesOf(placed)[1]).toMatchObject({
    name: 'C',
    rows: 9,
    boxes: { C: at(0, 0, 12, 5), D: at(0, 5, 12, 4) },
  });
});

test('a page begins with a section and has its name', () => {
  const placed = {
    Growth: { ...at(0, 0, 12, 1), isSection: true },
    A: at(0, 1, 12, 4),
    Payments: { ...at(0, 5, 12, 1), isSection: true },
    B: at(0, 6, 12, 5),
  };
  expect(pagesOf(placed).map(({ name }) => name)).toEqual(['Growth', 'Payments']);
});

test('a section stays with the tile below it, however high that is', () => {
  const placed = {
    A: at(0, 0, 12, 8),
    Payments: { ...at(0, 8, 12, 1), isSection: true },
    B: at(0, 9, 12, 14),
  };
  expect(keysOf(placed)).toEqual(['A', 'Payments B']);
});

test('tiles without a line between them are cut in reading order', () => {
  const placed = { A: at(0, 0, 6, 6), B: at(6, 0, 6, 4), C: at(6, 4, 6, 6), D: at(0, 6, 6, 6) };
  expect(keysOf(placed)).toEqual(['A B', 'C D']);
});

test('a tile higher than the screen has a page of its own; an empty dashboard has none', () => {
  expect(keysOf({ A: at(0, 0, 12, 20), B: at(0, 20, 12, 2) })).toEqual(['A', 'B']);
  expect(pagesOf({})).toEqual([]);
});
