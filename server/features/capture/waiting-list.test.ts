import { expect, test } from 'vitest';
import { createWaitingList } from './waiting-list.ts';

test('an entry is removed by its id', () => {
  const list = createWaitingList<string>();
  const first = list.add('first');
  const second = list.add('second');

  expect(list.take(second)).toBe('second');
  expect(list.take(first)).toBe('first');
});

test('ids are reused, but never while they are in use', () => {
  const list = createWaitingList<number>();
  const open = new Map<number, number>();
  for (let value = 0; value < 1_000; value++) {
    const id = list.add(value);
    expect(open.has(id)).toBe(false);
    open.set(id, value);
    // Two of three leave, the oldest first.
    if (value % 3 === 0) continue;
    const [oldest, held] = open.entries().next().value!;
    expect(list.take(oldest)).toBe(held);
    open.delete(oldest);
  }
  for (const [id, value] of open) expect(list.take(id)).toBe(value);
  expect(list.add(-1)).toBeLessThan(1_000);
});

test('an entry cannot be removed twice', () => {
  const list = createWaitingList<string>();
  const id = list.add('once');
  list.take(id);

  expect(() => list.take(id)).toThrow('Nothing waits');
  expect(() => list.take(99)).toThrow('Nothing waits');
});
