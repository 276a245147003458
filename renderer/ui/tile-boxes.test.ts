import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  boxBelow,
  boxBeside,
  COLUMNS,
  inReadingOrder,
  lineUp,
  pairsOf,
  placeBoxes,
  settle,
  stepped,
  withBox,
  type Box,
  type Boxes,
} from './tile-boxes.ts';

const at = (x: number, y: number, w: number, h: number): Box => ({ x, y, w, h });

/** Cells that two boxes claim, and boxes that hang over the edge. */
function faultsOf(boxes: Boxes): string[] {
  const taken = new Map<string, string>();
  return Object.entries(boxes).flatMap(([name, { x, y, w, h }]) => {
    const faults = x < 0 || y < 0 || x + w > COLUMNS ? [`${name} is outside`] : [];
    for (let column = x; column < x + w; column += 1)
      for (let row = y; row < y + h; row += 1) {
        const cell = `${column}:${row}`;
        if (taken.has(cell)) faults.push(`${name} lies over ${taken.get(cell)}`);
        taken.set(cell, name);
      }
    return faults;
  });
}

const anyBox = fc.record({
  x: fc.integer({ min: -2, max: 14 }),
  y: fc.integer({ min: -2, max: 30 }),
  w: fc.integer({ min: 0, max: 14 }),
  h: fc.integer({ min: 0, max: 9 }),
});
const anyLayouts = fc.array(fc.oneof(anyBox, fc.constant(undefined), fc.constant('?')), { maxLength: 12 });
const named = (boxes: readonly Box[]): Boxes => Object.fromEntries(boxes.map((box, name) => [name, box]));

describe('stored positions', () => {
  test('are kept when they are valid', () => {
    const stored = [at(0, 0, 3, 2), at(3, 0, 9, 2), at(0, 2, 12, 5)];
    expect(placeBoxes(stored)).toEqual(stored);
  });

  test('are found for tiles without one: two in a row, below the others', () => {
    expect(placeBoxes([undefined, at(0, 0, 12, 3), {}])).toEqual([
      at(0, 3, 6, 5),
      at(0, 0, 12, 3),
      at(6, 3, 6, 5),
    ]);
  });

  test('never overlap, for any stored layouts', () => {
    fc.assert(
      fc.property(anyLayouts, (layouts) => {
        expect(faultsOf(named(placeBoxes(layouts)))).toEqual([]);
      }),
    );
  });

  test('are settled: settling them again changes no box', () => {
    fc.assert(
      fc.property(anyLayouts, (layouts) => {
        const boxes = named(placeBoxes(layouts));
        expect(settle(boxes)).toEqual(boxes);
      }),
    );
  });
});

describe('a moved tile', () => {
  const three = { a: at(0, 0, 6, 5), b: at(6, 0, 6, 5), c: at(0, 5, 12, 3) };

  test('pushes overlapping tiles below itself', () => {
    expect(withBox(three, 'b', at(0, 0, 6, 5))).toEqual({
      b: at(0, 0, 6, 5),
      a: at(0, 5, 6, 5),
      c: at(0, 10, 12, 3),
    });
  });

  test('swaps places with the tile below by a step down, and back by a step up', () => {
    const down = stepped({ a: at(0, 0, 6, 5), b: at(0, 5, 6, 2) }, 'a', { x: 0, y: 1 });
    expect(down).toEqual({ b: at(0, 0, 6, 2), a: at(0, 2, 6, 5) });
    expect(stepped(down, 'a', { x: 0, y: -1 })).toEqual({ a: at(0, 0, 6, 5), b: at(0, 5, 6, 2) });
  });

  test('stays when there is no room to move', () => {
    const one = { a: at(0, 0, 12, 5) };
    for (const step of [
      { x: 1, y: 0 },
      { x: 0, y: 1 },
      { x: -1, y: 0 },
    ])
      expect(stepped(one, 'a', step)).toEqual(one);
  });

  test('keeps its size and all other tiles, without overlap', () => {
    fc.assert(
      fc.property(anyLayouts, anyBox, fc.nat(), (layouts, wanted, which) => {
        fc.pre(layouts.length > 0);
        const boxes = named(placeBoxes(layouts));
        const name = String(which % layouts.length);
        const { w, h } = boxes[name]!;
        const moved = withBox(boxes, name, { ...wanted, w, h });
        expect(faultsOf(moved)).toEqual([]);
        expect(Object.keys(moved).toSorted()).toEqual(Object.keys(boxes).toSorted());
        expect(moved[name]).toMatchObject({ w, h });
      }),
    );
  });
});

describe('lining up', () => {
  test('fills every row to its end, in the previous order', () => {
    const boxes = { a: at(0, 0, 3, 2), b: at(4, 0, 4, 3), c: at(0, 3, 7, 5) };
    expect(lineUp(boxes)).toEqual({ a: at(0, 0, 5, 3), b: at(5, 0, 7, 3), c: at(0, 3, 12, 5) });
  });

  test('leaves no gap, for any layout', () => {
    fc.assert(
      fc.property(anyLayouts, (layouts) => {
        const before = named(placeBoxes(layouts));
        const boxes = lineUp(before);
        expect(faultsOf(boxes)).toEqual([]);
        expect(inReadingOrder(boxes)).toEqual(inReadingOrder(before));
        const area = Object.values(boxes).reduce((sum, { w, h }) => sum + w * h, 0);
        const height = Object.values(boxes).reduce((most, { y, h }) => Math.max(most, y + h), 0);
        expect(area).toBe(height * COLUMNS);
      }),
    );
  });
});

test('a copy is placed beside its original where there is room, else below', () => {
  expect(boxBeside(at(0, 2, 6, 5))).toEqual(at(6, 2, 6, 5));
  expect(boxBeside(at(4, 2, 6, 5))).toEqual(at(4, 7, 6, 5));
});

test('a new tile is placed below all others', () => {
  expect(boxBelow({ a: at(0, 0, 6, 5), b: at(6, 0, 6, 7) }, { w: 6, h: 5 })).toEqual(at(0, 7, 6, 5));
  expect(boxBelow({}, { w: 12, h: 1 })).toEqual(at(0, 0, 12, 1));
});

describe('on a narrow page', () => {
  test('small tiles are in pairs; a single one has its own row', () => {
    const boxes: Boxes = {
      number: at(0, 0, 3, 2),
      second: at(3, 0, 3, 2),
      third: at(6, 0, 3, 2),
      chart: at(0, 2, 8, 5),
      alone: at(8, 2, 4, 3),
      high: at(0, 7, 4, 4),
      last: at(4, 7, 4, 3),
      least: at(8, 7, 2, 1),
    };
    expect([...pairsOf(boxes)]).toEqual(['number', 'second', 'last', 'least']);
  });

  test('no tile is alone in half a row', () => {
    const box = fc.record({
      x: fc.nat(11),
      y: fc.nat(20),
      w: fc.integer({ min: 1, max: 12 }),
      h: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(box, { maxLength: 20 }), (drawn) => {
        const boxes: Boxes = Object.fromEntries(drawn.entries());
        const pairs = pairsOf(boxes);
        let isHalf = false;
        for (const key of inReadingOrder(boxes)) {
          if (!pairs.has(key)) expect(isHalf).toBe(false);
          else isHalf = !isHalf;
        }
        expect(isHalf).toBe(false);
      }),
    );
  });
});
