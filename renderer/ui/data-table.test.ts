import { describe, expect, test } from 'vitest';
import { nextSort, pickKeys, readSort, stepFrom, writeSort } from './data-table.ts';

describe('the keyboard in a list', () => {
  test('the first step leads to the first row, or from below to the last', () => {
    expect(stepFrom(-1, 1, 3)).toBe(0);
    expect(stepFrom(-1, -1, 3)).toBe(2);
  });

  test('steps end at both ends', () => {
    expect(stepFrom(2, 1, 3)).toBe(2);
    expect(stepFrom(0, -1, 3)).toBe(0);
    expect(stepFrom(1, 1, 3)).toBe(2);
  });

  test('an empty list has no focusable row', () => {
    expect(stepFrom(-1, 1, 0)).toBe(-1);
  });
});

describe('picking rows', () => {
  const keys = ['a', 'b', 'c', 'd'];

  test('one after another, and back', () => {
    const one = pickKeys(keys, new Set(), { key: 'b', from: null, isRange: false });
    expect([...one]).toEqual(['b']);
    expect([...pickKeys(keys, one, { key: 'b', from: 'b', isRange: false })]).toEqual([]);
  });

  test('Shift selects the range between, in both directions', () => {
    const down = pickKeys(keys, new Set(['a']), { key: 'c', from: 'a', isRange: true });
    expect([...down].toSorted()).toEqual(['a', 'b', 'c']);
    const up = pickKeys(keys, new Set(['d']), { key: 'b', from: 'd', isRange: true });
    expect([...up].toSorted()).toEqual(['b', 'c', 'd']);
  });

  test('Shift without an earlier row, or from one of another page, selects only the row', () => {
    expect([...pickKeys(keys, new Set(), { key: 'c', from: 'z', isRange: true })]).toEqual(['c']);
  });
});

test('a column sorts descending first, then ascending', () => {
  const first = nextSort(null, 'name');
  expect(first).toEqual({ columnId: 'name', isDescending: true });
  expect(nextSort(first, 'name')).toEqual({ columnId: 'name', isDescending: false });
  expect(nextSort(first, 'other')).toEqual({ columnId: 'other', isDescending: true });
});

test.each([
  ['name', { columnId: 'name', isDescending: false }],
  ['-name', { columnId: 'name', isDescending: true }],
  ['owner', null],
  ['constructor', null],
  [['name'], null],
  [undefined, null],
])('the text %j is the order %j', (text, sort) => {
  expect(readSort(text, { name: 'key' })).toEqual(sort);
  if (sort) expect(writeSort(sort)).toBe(text);
});
