import fc from 'fast-check';
import LZString from 'lz-string';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BASE64, decode, FORM, formOf, refusal } from '../../test/support/decode-body.ts';
import { ApiError, ERRORS } from '../errors.ts';
import type { DecodedBody } from './decode.ts';

describe('hostile bodies', () => {
  test('a __proto__ key is data and changes no prototype', () => {
    const json = decode('{"__proto__":{"token":"x"},"event":"a"}').json as Record<string, unknown>;
    expect(json.token).toBeUndefined();
    expect(Object.keys(json)).toEqual(['__proto__', 'event']);
    expect(({} as Record<string, unknown>).token).toBeUndefined();
  });
  test('a form field called __proto__ is left out', () => {
    const { form } = decode(`data=${BASE64}&__proto__=x&constructor=y`, { contentType: FORM });
    expect(form).toEqual({});
  });
  test.each([
    ['brackets', '['.repeat(400_000)],
    ['ampersands', '&'.repeat(900_000)],
    ['base64 that ends badly', `${'A'.repeat(900_000)}!`],
    ['an endless string after NaN', `{"a":NaN,"${'\\"'.repeat(400_000)}`],
    ['spaces', ' '.repeat(900_000)],
  ])('a body of %s is refused without a crash', (_, body) => {
    expect(['invalid_payload', 'no_data']).toContain(refusal(body));
    expect(['invalid_payload', 'no_data']).toContain(refusal(body, { contentType: FORM }));
  });
});

describe('properties', () => {
  const hints = fc.constantFrom(
    '',
    'gzip',
    'gzip-js',
    'lz64',
    'lz-string',
    'base64',
    'b64',
    'br',
    'deflate',
    'x',
  );
  const wrappings: ((bytes: Uint8Array) => Uint8Array)[] = [
    (bytes) => bytes,
    (bytes) => gzipSync(bytes),
    (bytes) => brotliCompressSync(bytes),
    (bytes) => deflateRawSync(bytes),
    (bytes) => gzipSync(bytes).subarray(0, -3),
    (bytes) => Buffer.from(Buffer.from(bytes).toString('base64')),
    (bytes) => Buffer.from(`data=${encodeURIComponent(Buffer.from(bytes).toString('base64'))}`),
    (bytes) =>
      Buffer.from(`data=${encodeURIComponent(Buffer.from(bytes).toString('latin1'))}&compression=lz64`),
  ];
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .string({ unit: fc.constantFrom(...'ABCab+/=09&%data={}[]",:\\ NaN'), maxLength: 80 })
      .map((t) => Buffer.from(t)),
  );

  test('any bytes with any type, encoding and query are decoded or refused from the table', () => {
    fc.assert(
      fc.property(
        anyBytes,
        fc.constantFrom(...wrappings),
        fc.constantFrom('', 'application/json', 'text/plain', FORM),
        hints,
        fc.oneof(
          fc.constant(''),
          hints.map((hint) => `compression=${hint}`),
          fc.string().map((data) => `data=${data}`),
          fc.string({ unit: 'binary' }),
        ),
        (bytes, wrap, contentType, contentEncoding, search) => {
          try {
            const { json, form } = decode(wrap(bytes), { contentType, contentEncoding, search });
            expect(json).not.toBeUndefined();
            expect(Object.values(form).every((value) => typeof value === 'string')).toBe(true);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            expect([ERRORS.no_data, ERRORS.invalid_payload, ERRORS.payload_too_large]).toContain(error.row);
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  test.each<[string, (text: string) => DecodedBody]>([
    ['plain', (text) => decode(text)],
    ['gzip', (text) => decode(gzipSync(text), { contentType: 'text/plain' })],
    ['br', (text) => decode(brotliCompressSync(text), { contentEncoding: 'br' })],
    ['deflate', (text) => decode(deflateSync(text), { contentEncoding: 'deflate' })],
    ['raw deflate', (text) => decode(deflateRawSync(text), { contentEncoding: 'deflate' })],
    ['base64', (text) => decode(Buffer.from(text).toString('base64'))],
    ['base64 twice', (text) => decode(Buffer.from(Buffer.from(text).toString('base64')).toString('base64'))],
    ['a plain form', (text) => decode(formOf({ ip: '1', data: text }), { contentType: FORM })],
    [
      'a base64 form',
      (text) => decode(formOf({ data: Buffer.from(text).toString('base64') }), { contentType: FORM }),
    ],
    [
      'an lz64 form',
      (text) =>
        decode(formOf({ data: LZString.compressToBase64(text), compression: 'lz64' }), { contentType: FORM }),
    ],
    ['a pixel', (text) => decode('', { search: formOf({ data: Buffer.from(text).toString('base64') }) })],
  ])('any object encoded as %s is decoded to the same object', (_, roundTrip) => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())),
        (value) => {
          const text = JSON.stringify(value);
          expect(roundTrip(text).json).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});
