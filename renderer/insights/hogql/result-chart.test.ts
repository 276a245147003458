import { expect, test } from 'vitest';
import { chartOf, firstChoice } from './result-chart.ts';
import { columnsOf } from './result-values.ts';

const columnsFor = (...types: [name: string, type: string][]) =>
  columnsOf({ columns: types.map(([name]) => name), types });
const weekly = columnsFor(['week', 'Date'], ['tone', 'String'], ['paid', 'UInt64'], ['median', 'Float64']);

test('a date is the x axis, a text splits the series, and the last number is the y axis', () => {
  expect(firstChoice(weekly)).toEqual({ x: 0, y: 3, split: 1 });
  expect(firstChoice(columnsFor(['n', 'UInt64'], ['event', 'String']))).toEqual({ x: 1, y: 0, split: null });
  expect(firstChoice(columnsFor(['event', 'String']))).toBeNull();
  expect(firstChoice(columnsFor(['a', 'UInt64'], ['b', 'UInt64']))).toBeNull();
});

test('dates are lines sorted by date, and gaps stay gaps', () => {
  const rows = [
    ['2026-11-09', 'direct', 3, 8.1],
    ['2026-11-02', 'control', 2, 10.4],
    ['2026-11-02', 'direct', 2, 9.9],
  ];
  expect(chartOf(rows, weekly, { x: 0, y: 3, split: 1 })).toEqual({
    kind: 'line',
    labels: ['2026-11-02', '2026-11-09'],
    series: [
      { name: 'direct', values: [9.9, 8.1] },
      { name: 'control', values: [10.4, null] },
    ],
    left: 0,
  });
});

test('without a split column, each number is a series', () => {
  const columns = columnsFor(['event', 'String'], ['times', 'UInt64'], ['persons', 'UInt64']);
  const choice = firstChoice(columns)!;
  expect(choice).toEqual({ x: 0, y: null, split: null });
  expect(chartOf([['signup', 5, 2]], columns, choice).series).toEqual([
    { name: 'times', values: [5] },
    { name: 'persons', values: [2] },
  ]);
});

test('names are bars in the order of the rows; rows with equal names are summed', () => {
  const columns = columnsFor(['event', 'Nullable(String)'], ['n', 'UInt64']);
  const rows = [
    ['signup', 5],
    [null, 1],
    ['signup', 2],
  ];
  expect(chartOf(rows, columns, { x: 0, y: 1, split: null })).toEqual({
    kind: 'bar',
    labels: ['signup', '(none)'],
    series: [{ name: 'n', values: [7, 1] }],
    left: 0,
  });
});

test('of many series eight are drawn, and the others are counted', () => {
  const columns = columnsFor(['day', 'Date'], ['who', 'String'], ['n', 'UInt64']);
  const rows = Array.from({ length: 11 }, (_, at) => ['2026-11-02', `u_${at}`, at]);
  const { series, left } = chartOf(rows, columns, { x: 0, y: 2, split: 1 });
  expect(series).toHaveLength(8);
  expect(left).toBe(3);
});
