import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryValues } from './country-values.ts';
import { extentOf, inStackOrder, layersOf } from './chart-scale.ts';
import { dropOffs, flowLayout, shortPlaces } from './flow-layout.ts';
import { comparisonLabel, indexAt, seriesAt } from './held-place.ts';
import { pieSlices } from './pie-slices.ts';
import { COUNTRIES } from './world-map.ts';

describe('a pie', () => {
  const part = (value: number, at: number) => ({ id: String(at), name: `Part ${at}`, value, slot: at + 1 });

  test('has a slice for each part by its share, the largest first, and none for zero', () => {
    const slices = pieSlices([part(1, 0), part(0, 1), part(3, 2)]);
    expect(slices.map(({ id, share }) => [id, share])).toEqual([
      ['2', 0.75],
      ['0', 0.25],
    ]);
  });

  test('merges slices below 2 % and beyond five into a gray one at the end', () => {
    const slices = pieSlices([5240, 2811, 1466, 612, 100, 48].map((value, at) => part(value, at)));
    expect(slices.map(({ name }) => name)).toEqual(['Part 0', 'Part 1', 'Part 2', 'Part 3', 'Other (2)']);
    expect(slices.at(-1)).toMatchObject({ value: 148, slot: 0 });
  });

  test('joins small ones to those that are all others already', () => {
    const rest = { id: 'o', name: 'Other', value: 60, slot: 0 };
    expect(pieSlices([rest, part(39, 0), part(1, 1)]).map(({ name, value }) => [name, value])).toEqual([
      ['Part 0', 39],
      ['Other (2)', 61],
    ]);
  });

  test('has five slices at most, with the same total', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e6 }), { maxLength: 40 }), (values) => {
        const slices = pieSlices(values.map((value, at) => part(value, at)));
        const whole = values.reduce((sum, value) => sum + value, 0);
        expect(slices.length).toBeLessThanOrEqual(5);
        expect(slices.reduce((sum, { value }) => sum + value, 0)).toBe(whole);
        expect(slices.every(({ path }) => !path.includes('NaN'))).toBe(true);
      }),
    );
  });
});

describe('paths', () => {
  const edges = [
    { source: '1_/', target: '2_/prices', value: 6 },
    { source: '1_/', target: '2_/blog', value: 2 },
    { source: '2_/prices', target: '3_/pay', value: 3 },
  ];

  test('are laid out step by step, the most frequent first, with heights by count', () => {
    const { nodes, steps } = flowLayout(edges, 10);
    expect(steps).toBe(3);
    expect(nodes.map(({ name, step }) => [name, step])).toEqual([
      ['/', 0],
      ['/prices', 1],
      ['/blog', 1],
      ['/pay', 2],
    ]);
    expect(nodes[1]!.height / nodes[2]!.height).toBeCloseTo(3);
    expect(Math.max(...nodes.map(({ top, height }) => top + height))).toBeLessThanOrEqual(100.001);
  });

  test('leave out nodes that do not fit', () => {
    const { nodes, ribbons } = flowLayout(edges, 1);
    expect(nodes.map(({ name }) => name)).toEqual(['/', '/prices', '/pay']);
    expect(ribbons).toHaveLength(2);
  });

  test('have those who dropped off at the end of the next step, and none after the last', () => {
    const lost = dropOffs(edges);
    expect(lost).toEqual([
      { source: '2_/prices', target: '3_$$dropped', value: 3 },
      { source: '2_/blog', target: '3_$$dropped', value: 2 },
    ]);
    const { nodes } = flowLayout([...edges, ...lost], 1);
    expect(nodes.at(-1)).toMatchObject({ id: '3_$$dropped', value: 3 });
  });

  test('have short names: no host, the middle folded, and more where two would be the same', () => {
    const names = [
      'https://shop.example/docs/guides/import',
      'https://shop.example/',
      'https://shop.example/blog/a/fees?page=1',
      'https://shop.example/blog/b/fees',
      'signed up',
    ];
    expect([...shortPlaces(names).values()]).toEqual([
      '/docs/…/import',
      '/',
      '/blog/a/fees?page=1',
      '/blog/b/fees',
      'signed up',
    ]);
    expect([...shortPlaces(['https://a.example/x', 'https://b.example/x']).values()]).toEqual([
      'https://a.example/x',
      'https://b.example/x',
    ]);
  });

  test('without edges are empty', () => {
    expect(flowLayout([], 5)).toMatchObject({ nodes: [], ribbons: [] });
  });
});

describe('a map', () => {
  test('has the countries by two-letter code', () => {
    const norway = COUNTRIES.find(({ code }) => code === 'NO')!;
    expect(norway.path).toMatch(/^M[\d.,L-]+Z/);
    expect(COUNTRIES.length).toBeGreaterThan(170);
  });

  test('shows numbers by code or by name, darker for larger ones', () => {
    const numbers = [
      { id: 'a', code: 'no', value: 100 },
      { id: 'b', code: 'Chile', value: 1 },
      { id: 'c', code: 'SG', value: 0 },
    ];
    const found = countryValues(numbers, ['NO', 'CL']);
    expect(found.get('NO')).toMatchObject({ name: 'Norway', level: 4 });
    expect(found.get('CL')).toMatchObject({ name: 'Chile', level: 1 });
    expect(found.get('SG')).toMatchObject({ name: 'Singapore', level: 0 });
  });
});

describe('stacked areas', () => {
  const series = [
    { id: 'a', name: 'A', values: [1, 2], slot: 1 },
    { id: 'b', name: 'B', values: [3, 4], slot: 2 },
  ];

  test('end where the sum of all before them and themselves ends', () => {
    expect(layersOf(series, 'area')).toEqual([
      [
        [0, 1],
        [0, 2],
      ],
      [
        [1, 4],
        [2, 6],
      ],
    ]);
    expect(Math.max(...extentOf(series, 'area'))).toBe(6);
  });

  test('have the largest series at the bottom, and all others on top', () => {
    const rest = { id: 'o', name: 'Other', values: [90, 90], slot: 0 };
    expect(inStackOrder([rest, ...series]).map(({ id }) => id)).toEqual(['b', 'a', 'o']);
  });

  test('are hovered by the nearest one', () => {
    const scale = { low: 0, high: 6, ticks: [0, 6] };
    expect(seriesAt(5, 1, { series, scale, shape: 'area' })).toBe('b');
    expect(seriesAt(70, 1, { series, scale, shape: 'area' })).toBe('a');
    expect(indexAt(0.6, 2, 'area')).toBe(1);
    expect(indexAt(0.4, 2, 'bar')).toBe(0);
  });
});

test.each([
  [12, 10, '20% more than before (10)'],
  [8, 10, '20% less than before (10)'],
  [10, 10, 'same as before'],
  [3, 0, 'before: 0'],
  [3, undefined, ''],
])('%i against %s is %j', (value, before, words) => {
  expect(comparisonLabel(value, before, 'before')).toBe(words);
});
