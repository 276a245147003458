import fc from 'fast-check';
import LZString from 'lz-string';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { decompressLz64 } from './decompress-lz64.ts';

const LIMIT = 10_000_000;

describe('decompressLz64 decodes lz-string', () => {
  test.each([
    ['nothing', ''],
    ['one character', 'a'],
    ['one run', 'a'.repeat(5000)],
    ['characters beyond 8 bits', 'žluťoučký kůň 🦔 \u0000\uffff'],
    [
      'thousands of different characters',
      Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(i)).join(''),
    ],
    [
      'a long text',
      JSON.stringify(Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `user-${i * 7919}` }))),
    ],
  ])('%s', (_, text) => {
    expect(decompressLz64(LZString.compressToBase64(text), LIMIT)).toBe(text);
  });

  test('any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.stringMatching(/^[ab]{0,400}$/)),
        (text) => {
          expect(decompressLz64(LZString.compressToBase64(text), LIMIT)).toBe(text.toWellFormed());
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("any other text is null or equals the library's result, never an exception", () => {
    const base64 = fc.string({
      unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop0123456789+/='),
    });
    fc.assert(
      fc.property(fc.oneof(base64, fc.string({ unit: 'binary' })), (text) => {
        const ours = decompressLz64(text, LIMIT);
        if (ours !== null && ours !== '')
          expect(ours).toBe(LZString.decompressFromBase64(text).toWellFormed());
      }),
      { numRuns: 1500 },
    );
  });
});

test('a small text that expands without end is stopped at the limit', () => {
  const bomb = LZString.compressToBase64('a'.repeat(300_000));
  expect(bomb.length).toBeLessThan(2_500);
  expect(() => decompressLz64(bomb, 599_998)).toThrow(ApiError);
  expect(decompressLz64(bomb, 600_000)).toHaveLength(300_000);
});
