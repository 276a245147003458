import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableText } from './table.ts';
import { widthOf } from './terminal.ts';

const lines = (columns: string[], results: unknown[][], width: number): string[] =>
  tableText({ columns, results }, width, false).trimEnd().split('\n');

test('numbers are aligned to the right, texts to the left, by the columns they take', () => {
  expect(
    lines(
      ['name', 'n'],
      [
        ['日本', 5],
        ['ab', 1234],
        ['🦫x', null],
      ],
      80,
    ),
  ).toEqual(['name     n', '────  ────', '日本     5', 'ab    1234', '🦫x   null', '3 rows']);
});

test('the widest columns are shortened until the table fits', () => {
  const table = lines(['id', 'long', 'longer'], [[1, 'a'.repeat(50), 'b'.repeat(90)]], 40);
  expect(table[2]).toBe(` 1  ${'a'.repeat(16)}…  ${'b'.repeat(16)}…`);
});

test('where the columns do not fit next to each other, each row is a list', () => {
  const columns = Array.from({ length: 6 }, (_, at) => `column ${at}`);
  const table = lines(columns, [['x'.repeat(40), 1, 2, 3, 4, 5]], 30);
  expect(table[0]).toBe(`column 0  ${'x'.repeat(19)}…`);
  expect(table[5]).toBe('column 5  5');
});

test('values of any kind are on one line, without what a terminal obeys', () => {
  expect(lines(['a'], [[{ b: [1, 'c\n'] }], ['\u001b[2J\r\n'], [true]], 80)).toEqual([
    'a',
    '─────────────────────',
    String.raw`{"b":[1,"c\n"]}`,
    String.raw`\u001b[2J\u000d\u000a`,
    'true',
    '3 rows',
  ]);
});

test('no line is wider than the terminal, whatever a table has', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.double(),
    fc.constant(null),
    fc.array(fc.string()),
  );
  const table = fc.integer({ min: 1, max: 12 }).chain((count) =>
    fc.record({
      columns: fc.array(fc.string({ unit: 'grapheme' }), { minLength: count, maxLength: count }),
      results: fc.array(fc.array(cell, { minLength: count, maxLength: count }), { maxLength: 5 }),
      width: fc.integer({ min: 30, max: 120 }),
    }),
  );
  fc.assert(
    fc.property(table, ({ columns, results, width }) => {
      for (const line of lines(columns, results, width)) {
        expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/\p{Cc}/u);
      }
    }),
  );
});
