import LZString from 'lz-string';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  BASE64,
  decode,
  EVENT,
  FORM,
  formOf,
  JSON_TEXT,
  LZ64,
  refusal,
} from '../../test/support/decode-body.ts';
import type { EncodedBody } from './decode.ts';

describe('3.1.4 gzip', () => {
  test('is recognized by its magic bytes without any hint', () => {
    expect(decode(gzipSync(JSON_TEXT), { contentType: 'text/plain' }).json).toEqual(EVENT);
  });
  test('is read by header and by header and query together', () => {
    expect(decode(gzipSync(JSON_TEXT), { contentEncoding: 'gzip' }).json).toEqual(EVENT);
    expect(decode(gzipSync(JSON_TEXT), { contentEncoding: 'gzip', search: 'compression=gzip' }).json).toEqual(
      EVENT,
    );
  });
  test('around an already gzipped body (a transport on top of the SDK) is decompressed too', () => {
    expect(decode(gzipSync(gzipSync(JSON_TEXT)), { contentEncoding: 'gzip' }).json).toEqual(EVENT);
  });
  test('hinted, but already decompressed by a proxy: the JSON is read', () => {
    expect(decode(JSON_TEXT, { contentEncoding: 'gzip' }).json).toEqual(EVENT);
    expect(decode(JSON_TEXT, { search: 'compression=gzip-js' }).json).toEqual(EVENT);
  });
  test.each([
    ['hinted but neither gzip nor JSON', Buffer.from('hello world'), 'gzip'],
    ['cut short', gzipSync(JSON_TEXT).subarray(0, 30), ''],
    ['only its magic bytes', Buffer.from([0x1f, 0x8b, 8]), ''],
  ])('%s is invalid_payload', (_, body, contentEncoding) => {
    expect(refusal(body, { contentEncoding })).toBe('invalid_payload');
  });
  test('around a whole form is decompressed before the form is read', () => {
    const body = gzipSync(formOf({ data: BASE64 }));
    expect(decode(body, { contentType: FORM, contentEncoding: 'gzip' }).json).toEqual(EVENT);
  });
});

describe('3.1.5 LZString', () => {
  test('the form of posthog-js 1.24: the hint is in the form', () => {
    expect(decode(formOf({ data: LZ64, compression: 'lz64' }), { contentType: FORM }).json).toEqual(EVENT);
  });
  test('hinted, but plain JSON: the JSON is read', () => {
    expect(decode(JSON_TEXT, { search: 'compression=lz64' }).json).toEqual(EVENT);
  });
  test('an invalid text is invalid_payload', () => {
    expect(refusal(LZ64.slice(0, 20), { search: 'compression=lz64' })).toBe('invalid_payload');
    expect(refusal('%%%%', { search: 'compression=lz64' })).toBe('invalid_payload');
  });
});

describe('3.1.6 base64', () => {
  test('is tried when the text looks like it, without a hint', () => {
    expect(decode(BASE64).json).toEqual(EVENT);
  });
  test('with a hint, it may have the URL alphabet and no padding', () => {
    const url = Buffer.from(JSON_TEXT).toString('base64url');
    expect(decode(url, { search: 'compression=base64' }).json).toEqual(EVENT);
  });
  test('the old double encoding is decoded', () => {
    expect(decode(Buffer.from(BASE64).toString('base64')).json).toEqual(EVENT);
    expect(
      decode(formOf({ data: Buffer.from(BASE64).toString('base64') }), { contentType: FORM }).json,
    ).toEqual(EVENT);
  });
  test('gzip inside base64 is decompressed', () => {
    expect(decode(gzipSync(JSON_TEXT).toString('base64'), { search: 'compression=gzip' }).json).toEqual(
      EVENT,
    );
  });
  test.each(['1234', 'true', 'null'])('the original is used when the result is not JSON: %s', (text) => {
    expect(decode(text).json).toEqual(JSON.parse(text));
  });
  test('hinted, but plain JSON: the JSON is read', () => {
    expect(decode(JSON_TEXT, { search: 'compression=base64' }).json).toEqual(EVENT);
  });
  test('of a text that is not JSON is invalid_payload', () => {
    expect(refusal(Buffer.from('hello').toString('base64'))).toBe('invalid_payload');
  });
});

describe('3.1.8 br and deflate by header', () => {
  test.each([
    ['br', brotliCompressSync(JSON_TEXT)],
    ['BR', brotliCompressSync(JSON_TEXT)],
    ['deflate', deflateSync(JSON_TEXT)],
    ['deflate', deflateRawSync(JSON_TEXT)],
    ['br', brotliCompressSync(gzipSync(JSON_TEXT))],
  ])('%s is decompressed', (contentEncoding, body) => {
    expect(decode(body, { contentEncoding }).json).toEqual(EVENT);
  });
  test.each(['br', 'deflate'])(
    '%s that a proxy has already decompressed is read as JSON',
    (contentEncoding) => {
      expect(decode(JSON_TEXT, { contentEncoding }).json).toEqual(EVENT);
    },
  );
  test.each(['br', 'deflate'])('invalid %s is invalid_payload', (contentEncoding) => {
    expect(refusal(Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]), { contentEncoding })).toBe('invalid_payload');
  });
});

describe('1.5 the decoded size is bounded at every stage', () => {
  const bomb = `{"a":"${'x'.repeat(2_000_000)}"}`;
  test.each<[string, string | Uint8Array, Partial<EncodedBody>]>([
    ['plain', bomb, {}],
    ['gzip', gzipSync(bomb), {}],
    ['gzip in gzip', gzipSync(gzipSync(bomb)), {}],
    ['br', brotliCompressSync(bomb), { contentEncoding: 'br' }],
    ['deflate', deflateSync(bomb), { contentEncoding: 'deflate' }],
    ['raw deflate', deflateRawSync(bomb), { contentEncoding: 'deflate' }],
    ['lz64', LZString.compressToBase64(bomb), { search: 'compression=lz64' }],
    ['gzip in base64', gzipSync(bomb).toString('base64'), {}],
    [
      'gzip in base64 in a query',
      '',
      { search: `data=${gzipSync(bomb).toString('base64url')}&compression=base64` },
    ],
  ])('%s past the limit is payload_too_large', (_, body, rest) => {
    expect(refusal(body, rest)).toBe('payload_too_large');
  });
  test.each<[string, string, (text: string) => string | Uint8Array, Partial<EncodedBody>]>([
    ['gzip', '{}', (text) => gzipSync(text), {}],
    ['gzip', '[]', (text) => gzipSync(text), {}],
    ['br', '{}', (text) => brotliCompressSync(text), { contentEncoding: 'br' }],
    ['lz64', '{}', (text) => LZString.compressToBase64(text), { search: 'compression=lz64' }],
  ])('%s of more %s than a plain body can contain is payload_too_large', (_, part, compress, rest) => {
    const body = (count: number) => compress(`[${Array<string>(count).fill(part).join(',')}]`);
    // The limit on the wire is 8,000 bytes.
    expect(refusal(body(2_700), { ...rest, maxDecodedBytes: 64_000 })).toBe('payload_too_large');
    expect(decode(body(2_600), { ...rest, maxDecodedBytes: 64_000 }).json).toHaveLength(2_600);
  });
  test('braces inside texts are not counted', () => {
    const text = JSON.stringify({ a: '{["\\'.repeat(4_000) });
    expect(decode(gzipSync(text), { maxDecodedBytes: 64_000 }).json).toEqual(JSON.parse(text));
  });
  test('a body at the limit is decoded', () => {
    const text = `{"a":"${'x'.repeat(992)}"}`;
    expect(decode(gzipSync(text), { maxDecodedBytes: 1000 }).json).toEqual(JSON.parse(text));
    expect(refusal(gzipSync(text), { maxDecodedBytes: 999 })).toBe('payload_too_large');
  });
});
