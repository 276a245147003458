import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeTiles } from './place-tiles.ts';
import type { TileLayout } from './shared-data.ts';

const at = (x: number, y: number, w: number, h: number) => ({ layouts: { sm: { x, y, w, h } } });

test('tiles stand where they were put', () => {
  expect(placeTiles([at(0, 0, 6, 5), at(6, 0, 6, 5), at(0, 5, 12, 2)])).toEqual([
    { gridColumn: '1 / span 6', gridRow: '1 / span 5' },
    { gridColumn: '7 / span 6', gridRow: '1 / span 5' },
    { gridColumn: '1 / span 12', gridRow: '6 / span 2' },
  ]);
});

test('a tile wider than what is left of the grid ends with it', () => {
  expect(placeTiles([at(8, 0, 9, 1)])).toEqual([{ gridColumn: '9 / span 4', gridRow: '1 / span 1' }]);
});

test.each([
  ['lie over each other', [at(0, 0, 6, 5), at(3, 4, 6, 5)], ['span 6', 'span 6']],
  ['were never placed', [{ layouts: {} }, at(0, 0, 4, 2)], ['span 6', 'span 4']],
  ['lie nowhere', [at(-1, 0, 4, 2), at(0.5, 0, 4, 2), at(0, 9e9, 4, 2)], ['span 6', 'span 6', 'span 6']],
])('tiles that %s follow each other', (_what, tiles, columns) => {
  expect(placeTiles(tiles).map(({ gridColumn }) => gridColumn)).toEqual(columns);
});

test('no two tiles ever lie over each other by their places', () => {
  const side = fc.oneof(fc.integer({ min: -1, max: 13 }), fc.constant(undefined));
  const layout: fc.Arbitrary<TileLayout> = fc.record({ x: side, y: side, w: side, h: side });
  fc.assert(
    fc.property(fc.array(layout, { maxLength: 6 }), (layouts) => {
      const taken = new Set<string>();
      for (const { gridColumn, gridRow } of placeTiles(layouts.map((sm) => ({ layouts: { sm } })))) {
        const [columns, rows] = [gridColumn, gridRow].map((lines) =>
          /^(?:(\d+) \/ )?span (\d+)$/.exec(lines)!,
        );
        expect(Number(columns![2])).toBeGreaterThan(0);
        expect(Number(columns![1] ?? 1) + Number(columns![2])).toBeLessThanOrEqual(13);
        if (columns![1] === undefined) continue;
        for (let x = 0; x < Number(columns![2]); x++) {
          for (let y = 0; y < Number(rows![2]); y++) {
            const cell = `${Number(columns![1]) + x}:${Number(rows![1]) + y}`;
            expect(taken.has(cell)).toBe(false);
            taken.add(cell);
          }
        }
      }
    }),
  );
});
