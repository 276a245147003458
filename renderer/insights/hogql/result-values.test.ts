import { expect, test } from 'vitest';
import { cellText, columnsOf, rowText, rowsOf, sortRows, typeWord } from './result-values.ts';

const answer = {
  columns: ['day', 'n', 'n'],
  types: [
    ['day', "Nullable(DateTime64(6, 'UTC'))"],
    ['n', 'UInt64'],
    ['n', 'Nullable(Float64)'],
  ],
  results: [
    ['2026-11-02T00:00:00.000000Z', 10, null],
    ['2026-11-01T12:30:00.000000Z', 9, 2.5],
    [null, 100, 1],
  ],
};
const columns = columnsOf(answer);

test('columns of the same name stay separate, each with its own type', () => {
  expect(columns.map(({ at, name, kind }) => [at, name, kind])).toEqual([
    [0, 'day', 'moment'],
    [1, 'n', 'number'],
    [2, 'n', 'number'],
  ]);
  expect(columnsOf({ columns: ['a'], types: ['String'] })[0]!.kind).toBe('text');
});

test('a type is shown by its short name', () => {
  const types = ['Nullable(UInt64)', 'Float64', "DateTime64(6, 'UTC')", 'Array(String)', 'Bool', 'JSON'];
  expect(types.map(typeWord)).toEqual(['Int', 'Float', 'DateTime', 'Array', 'Bool', 'JSON']);
});

test('numbers sort as numbers, both ways, and null values are last', () => {
  const rows = rowsOf(answer);
  const order = (at: number, isDescending: boolean) =>
    sortRows(rows, columns, { at, isDescending }).map((row) => rows.indexOf(row));
  expect(order(1, false)).toEqual([1, 0, 2]);
  expect(order(1, true)).toEqual([2, 0, 1]);
  expect(order(2, false)).toEqual([2, 1, 0]);
  expect(order(2, true)).toEqual([1, 2, 0]);
  expect(order(0, true)).toEqual([0, 1, 2]);
  expect(sortRows(rows, columns, null)).toBe(rows);
});

test('a time is shown without zero seconds, and copied unchanged', () => {
  expect(cellText('2026-11-01T12:30:00.000000Z', columns[0]!)).toBe('2026-11-01 12:30:00');
  expect(cellText('2026-11-01T12:30:00.120000Z', columns[0]!)).toBe('2026-11-01 12:30:00.120000');
  expect(cellText(1234567.5, columns[2]!)).toBe('1,234,567.5');
  expect(cellText(0.00001, columns[2]!)).toBe('0.00001');
  expect(rowText(['a\tb\nc', null, ['x'], 1234])).toBe('a b c\t\t["x"]\t1234');
});
