import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { storedJson, storedName } from './stored-text.ts';

describe('storedName: names and ids', () => {
  test.each([
    ['stay as they are', '$pageview', '$pageview'],
    ['keep their blanks', ' a ', ' a '],
    ['hold U+FFFD for NUL', 'a\0b\0', 'a\ufffdb\ufffd'],
    ['hold U+FFFD for half a surrogate pair', 'a\ud83eb\udd94', 'a\ufffdb\ufffd'],
    ['keep whole pairs', '🦔', '🦔'],
    ['keep 200 characters', 'x'.repeat(200), 'x'.repeat(200)],
    ['are cut to 200 characters', 'x'.repeat(201), 'x'.repeat(200)],
    ['count a pair as one character', '🦔'.repeat(200), '🦔'.repeat(200)],
    ['are never cut inside a pair', `${'x'.repeat(199)}🦔y`, `${'x'.repeat(199)}🦔`],
  ])('%s', (_, text, stored) => {
    expect(storedName(text)).toBe(stored);
  });
});

describe('storedJson: JSON text that a database reads', () => {
  test('a lone surrogate becomes U+FFFD, in keys and values, at any depth', () => {
    expect(storedJson({ 'k\ud800': ['a\udc00b', { c: '\ud83e\udd94' }] })).toBe(
      '{"k\ufffd":["a\ufffdb",{"c":"🦔"}]}',
    );
  });
  test('an escaped backslash before the letters ud800 is text', () => {
    const value = { path: 'C:\\ud800', both: '\\\ud800', quote: '\\"\\ud8ff\ud8ff' };
    expect(JSON.parse(storedJson(value))).toEqual({
      path: 'C:\\ud800',
      both: '\\\ufffd',
      quote: '\\"\\ud8ff\ufffd',
    });
  });
  test('control characters are kept: session recordings pack bytes into them', () => {
    expect(storedJson({ data: '\u001f\u008b\u0000' })).toBe('{"data":"\\u001f\u008b\\u0000"}');
  });
  test('__proto__ is a key like any other', () => {
    expect(storedJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
  test('1,000 levels are stored', () => {
    const text = '['.repeat(1000) + ']'.repeat(1000);
    expect(storedJson(JSON.parse(text))).toBe(text);
  });
  test.each([1001, 5000, 100_000])('%i levels are refused as a malformed request', (levels) => {
    expect(() => storedJson(JSON.parse('['.repeat(levels) + ']'.repeat(levels)))).toThrow(ApiError);
  });
  test('brackets inside text do not count, and siblings do not add up', () => {
    const value = { text: '[{"\\'.repeat(3000), list: Array.from({ length: 3000 }, () => [{}]) };
    expect(JSON.parse(storedJson(value))).toEqual(value);
  });
  test('any JSON value is stored as well-formed text of the same value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\\', '\ud800', 'u', 'd', '"', '8') }),
    );
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text), fc.jsonValue())), (value) => {
        const stored = storedJson(value);
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toMatch(/(?<!\\)(?:\\\\)*\\ud/);
        expect(JSON.parse(stored)).toEqual(JSON.parse(JSON.stringify(wellFormed(value))));
      }),
      { numRuns: 700 },
    );
  });
});

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]),
  );
}
