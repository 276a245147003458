import { expect, test } from 'vitest';
import { isFirst, orderFrom, placesOf, type IdOrder } from './id-order.ts';

const stored = (...ids: string[]): IdOrder =>
  orderFrom(ids.map((distinctId, position) => ({ distinctId, position })));
const idsOf = (order: IdOrder): string[] => placesOf(order).all.map(({ distinctId }) => distinctId);

test('ids are in front of the stored ones, the last pushed first, and behind them in order', () => {
  const order = stored('b', 'c');
  order.back.push('d', 'e');
  order.front.push('a', 'z');
  expect(placesOf(order)).toEqual({
    all: [
      { distinctId: 'z', position: -2 },
      { distinctId: 'a', position: -1 },
      { distinctId: 'b', position: 0 },
      { distinctId: 'c', position: 1 },
      { distinctId: 'd', position: 2 },
      { distinctId: 'e', position: 3 },
    ],
    changed: [
      { distinctId: 'z', position: -2 },
      { distinctId: 'a', position: -1 },
      { distinctId: 'd', position: 2 },
      { distinctId: 'e', position: 3 },
    ],
  });
});

test('an id that was moved to the front is there once', () => {
  const order = stored('a', 'b', 'c');
  order.front.push('c');
  expect(idsOf(order)).toEqual(['c', 'a', 'b']);
  expect(placesOf(order).changed).toEqual([{ distinctId: 'c', position: -1 }]);
});

test('merged ids are at the end, in their order', () => {
  const inner = stored('d');
  inner.front.push('c');
  inner.back.push('e');
  const order = stored('a');
  order.back.push('b', inner, 'f');
  order.front.push('e');
  expect(idsOf(order)).toEqual(['e', 'a', 'b', 'c', 'd', 'f']);
});

test('the first id is found without walking through all', () => {
  const order = stored('a', 'b');
  expect([isFirst(order, 'a'), isFirst(order, 'b')]).toEqual([true, false]);
  order.front.push('b');
  expect([isFirst(order, 'a'), isFirst(order, 'b')]).toEqual([false, true]);
});

test('orders nested a hundred thousand deep are traversed', () => {
  let order = stored('0');
  for (let n = 1; n < 100_000; n++) {
    const next = stored(String(n));
    next.back.push(order);
    order = next;
  }
  const ids = idsOf(order);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([100_000, '99999', '0']);
});
