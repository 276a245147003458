import { GridStackEngine } from 'gridstack';
import { expect, test } from 'vitest';
import type { Boxes } from '../../ui/tile-boxes.ts';
import { createDragLayout } from './drag-layout.ts';

const CELL = { width: 100, height: 50, margin: 4 };

/** Three beside each other, and one below that is as wide as all of them. */
const BOARD: Boxes = {
  left: { x: 0, y: 0, w: 4, h: 4 },
  middle: { x: 4, y: 0, w: 4, h: 4 },
  right: { x: 8, y: 0, w: 4, h: 4 },
  wide: { x: 0, y: 4, w: 12, h: 2 },
};

const take = (key: string, boxes = BOARD) => createDragLayout(GridStackEngine, boxes, key, CELL);

/** Carries it there evenly; returns where all stand at the end, and how often that has changed. */
function layout(key: string, [x, y]: [number, number], boxes = BOARD): { boxes: Boxes; changes: number } {
  const { to } = take(key, boxes);
  const from = boxes[key]!;
  let now = boxes;
  let changes = 0;
  for (let step = 1; step <= 40; step += 1) {
    const [column, row] = [from.x + ((x - from.x) * step) / 40, from.y + ((y - from.y) * step) / 40];
    const next = to(column * CELL.width, row * CELL.height);
    if (next) changes += 1;
    now = next ?? now;
  }
  return { boxes: now, changes };
}

test('a dragged tile swaps places with each tile of the same size that it passes', () => {
  const { boxes, changes } = layout('left', [8, 0]);
  expect(changes).toBe(2);
  expect(boxes).toEqual({
    ...BOARD,
    left: BOARD['right'],
    middle: BOARD['left'],
    right: BOARD['middle'],
  });
});

test('a tile is not displaced until half of it is covered', () => {
  const { to } = take('left');
  expect(to(190, 0)).toBeNull();
  expect(to(230, 0)).toMatchObject({ left: BOARD['middle'], middle: BOARD['left'] });
});

test('a tile dragged below the last one is placed right below it, and the others move up', () => {
  const { boxes } = layout('middle', [4, 9]);
  expect(boxes['middle']).toEqual({ x: 4, y: 6, w: 4, h: 4 });
  expect(boxes['wide']).toEqual(BOARD['wide']);
});

test('a tile dragged beyond the edges stays within the grid, without further changes', () => {
  const { to } = take('right');
  expect(to(CELL.width * 40, 0)).toBeNull();
  expect(to(-CELL.width * 40, -CELL.height * 40)?.['right']).toMatchObject({ x: 0, y: 0 });
  expect(to(-CELL.width * 41, -CELL.height * 40)).toBeNull();
});

test('the given boxes are not modified', () => {
  const before = structuredClone(BOARD);
  layout('left', [8, 6]);
  expect(BOARD).toEqual(before);
});
