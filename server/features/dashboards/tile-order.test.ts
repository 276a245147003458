import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gridPlace, inOrder } from './tile-order.ts';

const coordinate = fc.option(fc.oneof(fc.integer({ min: 0, max: 120 }), fc.constant('3'), fc.constant(NaN)), {
  nil: undefined,
});
const layout = fc.option(fc.record({ x: coordinate, y: coordinate }), { nil: undefined });
const tiles = fc.uniqueArray(fc.record({ id: fc.nat(), layouts: fc.record({ sm: layout, xs: layout }) }), {
  selector: ({ id }) => id,
});

test('tiles are sorted by row, then by column, then by id', () => {
  const sorted = inOrder([
    { id: 1, layouts: { sm: { x: 6, y: 0 } } },
    { id: 2, layouts: {} },
    { id: 3, layouts: { sm: { x: 0, y: 5 } } },
    { id: 4, layouts: { sm: { x: 0, y: 0 } } },
    { id: 5, layouts: { sm: { x: 0, y: 0 } } },
    { id: 6, layouts: { sm: { x: 0, y: 101 } } },
    { id: 7, layouts: { sm: 'nowhere' } },
  ]);
  expect(sorted.map(({ id }) => id)).toEqual([4, 5, 1, 3, 2, 7, 6]);
});

test('any tiles have one order, whatever their input order, and none is lost', () => {
  fc.assert(
    fc.property(tiles, fc.constantFrom('sm' as const, 'xs' as const), (some, size) => {
      const sorted = inOrder(some, size).map(({ id }) => id);
      expect(inOrder(some.toReversed(), size).map(({ id }) => id)).toEqual(sorted);
      expect([...sorted].sort()).toEqual(some.map(({ id }) => id).sort());
    }),
  );
});

test('tiles in a grid are in their original order, on screens of both sizes', () => {
  fc.assert(
    fc.property(fc.nat({ max: 40 }), (count) => {
      const ids = Array.from({ length: count }, (_, index) => index);
      const placed = ids.map((id) => ({ id, layouts: gridPlace(id) })).toReversed();
      expect(inOrder(placed, 'sm').map(({ id }) => id)).toEqual(ids);
      expect(inOrder(placed, 'xs').map(({ id }) => id)).toEqual(ids);
    }),
  );
});
