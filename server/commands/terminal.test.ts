import fc from 'fast-check';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  fitted,
  hasColor,
  shown,
  shownJson,
  sizeText,
  widthOf,
  writeData,
  type Terminal,
} from './terminal.ts';
import { withPlace } from './query.ts';

describe('colors', () => {
  const terminal = (isTTY: boolean, env: Terminal['env'] = {}): Terminal =>
    ({ stdout: Object.assign(new Writable(), { isTTY }), env }) as unknown as Terminal;

  test.each([
    ['in a terminal', terminal(true), false, true],
    ['not in a file', terminal(false), false, false],
    ['not with --no-color', terminal(true), true, false],
    ['not with NO_COLOR', terminal(true, { NO_COLOR: '1' }), false, false],
    ['with an empty NO_COLOR', terminal(true, { NO_COLOR: '' }), false, true],
    ['not in a dumb terminal', terminal(true, { TERM: 'dumb' }), false, false],
  ])('%s', (_, where, noColor, expected) => {
    expect(hasColor(where, noColor)).toBe(expected);
  });
});

test('a shown text has nothing that a terminal obeys, and JSON remains the same JSON', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, (value) => {
      expect(shown(value)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      const json = shownJson(JSON.stringify({ value }));
      expect(json).not.toMatch(/\p{Cc}/u);
      expect(JSON.parse(json)).toEqual({ value });
    }),
  );
});

test.each([
  [true, 'a,b\\u001b[2J\\u000d\n\t\\u009bm\n'],
  [false, 'a,b\u001b[2J\r\n\t\u009bm\n'],
])('data is written unchanged, but to a terminal (%s) without what it obeys', async (isTTY, expected) => {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const terminal = { stdout, signal: new AbortController().signal } as unknown as Terminal;
  await writeData(terminal, 'a,b\u001b[2J\r\n\t\u009bm\n');
  expect(stdout.read().toString()).toBe(expected);
});

test('a text is cut to the columns it may take, between characters', () => {
  expect(fitted('plain text', 10)).toBe('plain text');
  expect(fitted('plain text', 6)).toBe('plain…');
  expect(fitted('日本語', 5)).toBe('日本…');
  expect(fitted('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3)).toBe('👩‍👩‍👧‍👦…');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
      expect(widthOf(fitted(text, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [6_828_032, '6.8 MB'],
  [999_950, '1.0 MB'],
  [2_500_000_000_000_000, '2500.0 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

describe('the place of an error in a statement', () => {
  test('is below its word, also behind wide characters and tabs', () => {
    expect(withPlace('Line 1, column 14: No.', "select '日本', evnts")).toBe(
      "Line 1, column 14: No.\n\nselect '日本', evnts\n               ^^^^^",
    );
    expect(withPlace('Line 2, column 2: No.', 'select\n\tfoo.bar + 1')).toBe(
      'Line 2, column 2: No.\n\n\tfoo.bar + 1\n\t^^^^^^^',
    );
  });

  test('at the end of the statement is behind its last character', () => {
    expect(withPlace('Line 1, column 7: Incomplete.', 'select')).toBe(
      'Line 1, column 7: Incomplete.\n\nselect\n      ^',
    );
  });

  test('is left out where the message has none, or one beyond the statement', () => {
    expect(withPlace('It took too long.', 'select 1')).toBe('It took too long.');
    expect(withPlace('Line 9, column 1: No.', 'select 1')).toBe('Line 9, column 1: No.');
  });
});
