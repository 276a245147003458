import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areaParts,
  areaPath,
  barsOf,
  changeOf,
  labelled,
  linePath,
  lineParts,
  logScaleOf,
  scaleOf,
  spread,
  topOf,
} from './chart-scale.ts';
import { cutText, textWidth } from './text-width.ts';

describe('a scale', () => {
  test.each([
    [
      [455, 380],
      [0, 100, 200, 300, 400, 500],
    ],
    [[], [0, 1]],
    [
      [0, 0],
      [0, 1],
    ],
    [
      [3, -2],
      [-2, -1, 0, 1, 2, 3],
    ],
    [[0.3], [0, 0.1, 0.2, 0.3]],
  ])('of %j has round ticks', (values, ticks) => {
    expect(scaleOf(values)).toEqual({ low: ticks[0], high: ticks.at(-1), ticks });
  });

  test('covers all values, with few ticks', () => {
    const number = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 50 }), (values) => {
        const scale = scaleOf(values);
        expect(scale.ticks.length).toBeLessThan(14);
        for (const value of values) {
          const top = topOf(value, scale);
          expect(top).toBeGreaterThanOrEqual(-1e-6);
          expect(top).toBeLessThanOrEqual(100 + 1e-6);
        }
      }),
    );
  });
});

describe('a logarithmic scale', () => {
  test('has powers of ten at equal distances around all values above zero', () => {
    const scale = logScaleOf([3, 0, 7417]);
    expect(scale).toEqual({ low: 1, high: 10_000, ticks: [1, 10, 100, 1000, 10_000], isLog: true });
    expect(scale.ticks.map((tick) => topOf(tick, scale))).toEqual([100, 75, 50, 25, 0]);
  });

  test('has a gap in a line where a value is zero', () => {
    const scale = logScaleOf([1, 10]);
    expect(linePath([1, 0, 10, 1], scale)).toBe('M0,100ZM666.67,0L1000,100');
  });

  test('without values above zero is an even one', () => {
    expect(logScaleOf([0, -3])).toEqual({ low: 0, high: 1, ticks: [0, 1] });
  });
});

test('a text is as wide as its characters, and is never cut within one', () => {
  expect(textWidth('👩‍💻')).toBeLessThan(textWidth('abc'));
  expect(cutText('👩‍💻👩‍💻👩‍💻', 2)).toBe('👩‍💻…');
  expect(cutText('مرحبا', 5)).toBe('مرحبا');
});

test('a scale covers the values of a very long chart', () => {
  const values = Array.from({ length: 300_000 }, (_, index) => index % 7);
  expect(scaleOf(values)).toMatchObject({ low: 0, high: 6 });
});

test('a line runs from edge to edge', () => {
  expect(linePath([0, 5, 10], { low: 0, high: 10, ticks: [] })).toBe('M0,100L500,50L1000,0');
});

test('a line is split before the unfinished interval', () => {
  const scale = { low: 0, high: 10, ticks: [] };
  expect(lineParts([0, 5, 10], scale, 2)).toEqual({
    finished: 'M0,100L500,50',
    unfinished: 'M500,50L1000,0',
  });
  expect(lineParts([0, 5, 10], scale, 0)).toEqual({ finished: '', unfinished: 'M0,100L500,50L1000,0' });
  expect(lineParts([0, 5, 10], scale, null)).toEqual({ finished: 'M0,100L500,50L1000,0', unfinished: '' });
});

test('a line with fewer places than its chart ends where its places end', () => {
  const scale = { low: 0, high: 10, ticks: [] };
  expect(lineParts([0, 5], scale, null, 3).finished).toBe('M0,100L500,50');
});

test('an area is split where the line above it is', () => {
  const scale = { low: 0, high: 10, ticks: [] };
  expect(areaPath([0, 5, 10], scale)).toBe('M0,100L500,50L1000,0L1000,100L500,100L0,100Z');
  expect(areaParts([0, 5, 10], scale, { from: 2, below: [0, 5, 5] })).toEqual({
    finished: 'M0,100L500,50L500,50L0,100Z',
    unfinished: 'M500,50L1000,0L1000,50L500,50Z',
  });
  expect(areaParts([0, 5, 10], scale, { from: 1 })).toEqual({
    finished: '',
    unfinished: 'M0,100L500,50L1000,0L1000,100L500,100L0,100Z',
  });
});

test('bars are stacked, and point down for negative values', () => {
  const bars = barsOf(
    [
      { id: 'new', name: '', slot: 1, values: [2] },
      { id: 'back', name: '', slot: 2, values: [3] },
      { id: 'gone', name: '', slot: 3, values: [-5] },
    ],
    { low: -5, high: 5, ticks: [] },
    false,
  );
  expect(bars.map(({ y, height }) => [y, height])).toEqual([
    [30, 20],
    [0, 30],
    [50, 50],
  ]);
});

test('overlapping labels are moved apart, in order, within the plot', () => {
  expect(spread([40, 41, 10], 5)).toEqual([40, 45, 10]);
  expect(spread([99, 100], 5)).toEqual([95, 100]);
});

test('labels are placed where there is room', () => {
  expect(labelled(31, 6)).toEqual([0, 6, 12, 18, 24, 30]);
  expect(labelled(1, 6)).toEqual([0]);
});

test('a change from zero has no percentage', () => {
  expect(changeOf(5, 4)).toBe(0.25);
  expect(changeOf(5, 0)).toBeNull();
});
