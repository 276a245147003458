import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import LZString from 'lz-string';
import { describe, expect, test } from 'vitest';
import { ApiError, ERRORS } from '../errors.ts';
import { decodeBody, type DecodedBody, type EncodedBody } from './decode.ts';

const EVENT = { api_key: 'phc_1', event: 'päge view 🦔', properties: { plan: 'a+b/c=?' } };
const JSON_TEXT = JSON.stringify(EVENT);
const BASE64 = Buffer.from(JSON_TEXT).toString('base64');
const LZ64 = LZString.compressToBase64(JSON_TEXT);
const FORM = 'application/x-www-form-urlencoded';

function decode(body: string | Uint8Array, rest: Partial<EncodedBody> = {}): DecodedBody {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return decodeBody({
    bytes: new Uint8Array(bytes),
    search: '',
    contentType: 'application/json',
    contentEncoding: '',
    maxDecodedBytes: 1_000_000,
    ...rest,
  });
}

function refusal(body: string | Uint8Array, rest: Partial<EncodedBody> = {}): string {
  try {
    decode(body, rest);
  } catch (error) {
    if (error instanceof ApiError) return error.row.code;
    throw error;
  }
  return 'decoded';
}

function formOf(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

describe('3.1.1 the input is the query data, else the body', () => {
  test('a pixel carries its event in the query', () => {
    expect(decode('', { search: `ip=1&data=${encodeURIComponent(BASE64)}` }).json).toEqual(EVENT);
  });
  test('base64 in a query survives when its plus signs were not escaped', () => {
    const data = Buffer.from('{"a":"~~~>>>"}').toString('base64');
    expect(data).toContain('+');
    expect(decode('', { search: `data=${data}` }).json).toEqual({ a: '~~~>>>' });
  });
  test('plain JSON in a query keeps its spaces', () => {
    expect(decode('', { search: `data=${encodeURIComponent('{"a":"b c"}')}` }).json).toEqual({ a: 'b c' });
  });
  test('query data beats the body', () => {
    expect(decode('{"a":1}', { search: `data=${encodeURIComponent(BASE64)}` }).json).toEqual(EVENT);
  });
  test('an empty query data leaves the body', () => {
    expect(decode(JSON_TEXT, { search: 'data=' }).json).toEqual(EVENT);
  });
  test.each([
    ['an empty body', ''],
    ['a blank body', ' \n'],
    ['gzip of nothing', gzipSync('')],
  ])('%s is no_data', (_, body) => {
    expect(refusal(body)).toBe('no_data');
  });
});

describe('1.4 the content type does not decide how a body is read', () => {
  test.each(['', 'text/plain', 'application/octet-stream', 'text/html; charset=x'])(
    'JSON under "%s"',
    (contentType) => {
      expect(decode(JSON_TEXT, { contentType }).json).toEqual(EVENT);
    },
  );
  test.each(['text/plain', FORM])('gzip under "%s"', (contentType) => {
    expect(decode(gzipSync(JSON_TEXT), { contentType }).json).toEqual(EVENT);
  });
});

describe('3.1.2 forms', () => {
  test.each([FORM, `${FORM}; charset=UTF-8`, FORM.toUpperCase(), 'text/plain', ''])(
    'a form is read under the content type "%s"',
    (contentType) => {
      expect(decode(formOf({ data: BASE64 }), { contentType }).json).toEqual(EVENT);
    },
  );
  test('its other fields are handed on', () => {
    const form = formOf({
      ip: '1',
      data: JSON_TEXT,
      api_key: 'phc_2',
      token: 'phc_3',
      sent_at: '2026-01-01',
    });
    expect(decode(form, { contentType: FORM })).toEqual({
      json: EVENT,
      form: { api_key: 'phc_2', token: 'phc_3', sent_at: '2026-01-01' },
    });
  });
  test('base64 whose plus signs were not escaped is mended', () => {
    const data = Buffer.from('{"a":"~~~>>>"}').toString('base64');
    expect(decode(`data=${data}`, { contentType: FORM }).json).toEqual({ a: '~~~>>>' });
  });
  test('JSON in a form keeps its spaces and its stray percent signs', () => {
    expect(decode('data={"a":"100% of it"}', { contentType: FORM }).json).toEqual({ a: '100% of it' });
  });
  test.each([JSON_TEXT, ` [${JSON_TEXT}]`])(
    'JSON under the form type (curl -d) is read as JSON: %s',
    (body) => {
      expect(decode(body, { contentType: FORM })).toEqual({ json: JSON.parse(body), form: {} });
    },
  );
  test.each([
    ['nothing an SDK sends', 'a=1&b=2', 'invalid_payload'],
    ['other fields but no data', 'ip=1&_=1795150963727', 'no_data'],
    ['an empty data', 'data=&ip=1', 'no_data'],
    ['bytes that are not UTF-8', 'data=%7B%22a%22%3A%22%FF%22%7D', 'invalid_payload'],
  ])('a form with %s is refused', (_, body, code) => {
    expect(refusal(body, { contentType: FORM })).toBe(code);
  });
  test('the word data= inside another text makes no form', () => {
    expect(refusal('hello data=1', { contentType: 'text/plain' })).toBe('invalid_payload');
  });
});

describe('3.1.3 the compression hint: query before form before header', () => {
  test.each(['lz64', 'LZ64', 'lz-string', 'Lz-String'])('query compression=%s', (compression) => {
    expect(decode(LZ64, { search: `compression=${compression}` }).json).toEqual(EVENT);
  });
  test.each(['base64', 'b64', 'BASE64'])('query compression=%s', (compression) => {
    expect(decode(BASE64, { search: `compression=${compression}` }).json).toEqual(EVENT);
  });
  test.each(['gzip', 'gzip-js', 'GZIP-JS'])('query compression=%s', (compression) => {
    expect(decode(gzipSync(JSON_TEXT), { search: `compression=${compression}` }).json).toEqual(EVENT);
  });
  test('the query beats the form', () => {
    const form = formOf({ data: LZ64, compression: 'base64' });
    expect(decode(form, { contentType: FORM, search: 'compression=lz64' }).json).toEqual(EVENT);
  });
  test('the form beats the header', () => {
    const form = formOf({ data: LZ64, compression: 'lz64' });
    expect(decode(form, { contentType: FORM, contentEncoding: 'base64' }).json).toEqual(EVENT);
  });
  test('the header counts when nothing else does', () => {
    expect(decode(LZ64, { contentEncoding: 'lz64' }).json).toEqual(EVENT);
  });
  test('an unknown hint is ignored', () => {
    expect(decode(JSON_TEXT, { search: 'compression=zip', contentEncoding: 'identity' }).json).toEqual(EVENT);
    expect(decode(JSON_TEXT, { search: 'compression=__proto__' }).json).toEqual(EVENT);
  });
});

describe('3.1.4 gzip', () => {
  test('is recognised by its magic bytes without any hint', () => {
    expect(decode(gzipSync(JSON_TEXT), { contentType: 'text/plain' }).json).toEqual(EVENT);
  });
  test('is read by header and by both at once', () => {
    expect(decode(gzipSync(JSON_TEXT), { contentEncoding: 'gzip' }).json).toEqual(EVENT);
    expect(decode(gzipSync(JSON_TEXT), { contentEncoding: 'gzip', search: 'compression=gzip' }).json).toEqual(
      EVENT,
    );
  });
  test('around an already gzipped body (a transport on top of the SDK) is undone too', () => {
    expect(decode(gzipSync(gzipSync(JSON_TEXT)), { contentEncoding: 'gzip' }).json).toEqual(EVENT);
  });
  test('hinted, but inflated by a proxy already: the JSON is taken', () => {
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
  test('around a whole form is undone before the form is read', () => {
    const body = gzipSync(formOf({ data: BASE64 }));
    expect(decode(body, { contentType: FORM, contentEncoding: 'gzip' }).json).toEqual(EVENT);
  });
});

describe('3.1.5 LZString', () => {
  test('the form of posthog-js 1.24: the hint is in the form', () => {
    expect(decode(formOf({ data: LZ64, compression: 'lz64' }), { contentType: FORM }).json).toEqual(EVENT);
  });
  test('hinted, but plain JSON: the JSON is taken', () => {
    expect(decode(JSON_TEXT, { search: 'compression=lz64' }).json).toEqual(EVENT);
  });
  test('broken text is invalid_payload', () => {
    expect(refusal(LZ64.slice(0, 20), { search: 'compression=lz64' })).toBe('invalid_payload');
    expect(refusal('%%%%', { search: 'compression=lz64' })).toBe('invalid_payload');
  });
});

describe('3.1.6 base64', () => {
  test('is tried when the text looks like it, without a hint', () => {
    expect(decode(BASE64).json).toEqual(EVENT);
  });
  test('hinted, it may be of the URL alphabet and without padding', () => {
    const url = Buffer.from(JSON_TEXT).toString('base64url');
    expect(decode(url, { search: 'compression=base64' }).json).toEqual(EVENT);
  });
  test('the old double wrap is undone', () => {
    expect(decode(Buffer.from(BASE64).toString('base64')).json).toEqual(EVENT);
    expect(
      decode(formOf({ data: Buffer.from(BASE64).toString('base64') }), { contentType: FORM }).json,
    ).toEqual(EVENT);
  });
  test('gzip inside base64 is undone', () => {
    expect(decode(gzipSync(JSON_TEXT).toString('base64'), { search: 'compression=gzip' }).json).toEqual(
      EVENT,
    );
  });
  test.each(['1234', 'true', 'null'])('the original stays when the result is no JSON: %s', (text) => {
    expect(decode(text).json).toEqual(JSON.parse(text));
  });
  test('hinted, but plain JSON: the JSON is taken', () => {
    expect(decode(JSON_TEXT, { search: 'compression=base64' }).json).toEqual(EVENT);
  });
  test('of something that is no JSON is invalid_payload', () => {
    expect(refusal(Buffer.from('hello').toString('base64'))).toBe('invalid_payload');
  });
});

describe('3.1.7 text', () => {
  test('that is not UTF-8 is invalid_payload', () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0x22]))).toBe('invalid_payload');
    expect(refusal(gzipSync(Buffer.from([0x7b, 0xc3, 0x7d])))).toBe('invalid_payload');
  });
  test('may begin with a byte order mark', () => {
    expect(decode(`\ufeff${JSON_TEXT}`).json).toEqual(EVENT);
  });
  test('may escape unpaired surrogates', () => {
    expect(decode('{"a":"\\ud83e"}').json).toEqual({ a: '\ud83e' });
  });
  test.each(['{', 'hello', '{"a":1}}', "{'a':1}"])('that is not JSON is invalid_payload: %s', (text) => {
    expect(refusal(text)).toBe('invalid_payload');
  });
});

describe('7.2 NaN and Infinity are read as null', () => {
  test.each([
    ['{"a":NaN,"b":[Infinity,-Infinity]}', { a: null, b: [null, null] }],
    ['{"a":"NaN","b":NaN,"c":"say \\"NaN\\" -Infinity"}', { a: 'NaN', b: null, c: 'say "NaN" -Infinity' }],
    ['{"NaN":1,"b":-Infinity,"c":"\\\\"}', { NaN: 1, b: null, c: '\\' }],
    ['{"a":"NaN"}', { a: 'NaN' }],
    ['NaN', null],
  ])('%s', (text, json) => {
    expect(decode(text).json).toEqual(json);
  });
  test.each(['{"a":NaNs}', '{"a":- Infinity}', '{"a":"NaN', '{NaN:1}', '{"a":+Infinity}'])(
    'what is still no JSON stays refused: %s',
    (text) => {
      expect(refusal(text)).toBe('invalid_payload');
    },
  );
});

describe('3.1.8 br and deflate by header', () => {
  test.each([
    ['br', brotliCompressSync(JSON_TEXT)],
    ['BR', brotliCompressSync(JSON_TEXT)],
    ['deflate', deflateSync(JSON_TEXT)],
    ['deflate', deflateRawSync(JSON_TEXT)],
    ['br', brotliCompressSync(gzipSync(JSON_TEXT))],
  ])('%s is undone', (contentEncoding, body) => {
    expect(decode(body, { contentEncoding }).json).toEqual(EVENT);
  });
  test.each(['br', 'deflate'])('%s that a proxy inflated already is taken as JSON', (contentEncoding) => {
    expect(decode(JSON_TEXT, { contentEncoding }).json).toEqual(EVENT);
  });
  test.each(['br', 'deflate'])('broken %s is invalid_payload', (contentEncoding) => {
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
  ])('%s of more %s than a plain body can hold is payload_too_large', (_, part, compress, rest) => {
    const body = (count: number) => compress(`[${Array<string>(count).fill(part).join(',')}]`);
    // The limit on the wire is 8,000 bytes.
    expect(refusal(body(2_700), { ...rest, maxDecodedBytes: 64_000 })).toBe('payload_too_large');
    expect(decode(body(2_600), { ...rest, maxDecodedBytes: 64_000 }).json).toHaveLength(2_600);
  });
  test('braces within texts are no objects', () => {
    const text = JSON.stringify({ a: '{["\\'.repeat(4_000) });
    expect(decode(gzipSync(text), { maxDecodedBytes: 64_000 }).json).toEqual(JSON.parse(text));
  });
  test('what just fits is decoded', () => {
    const text = `{"a":"${'x'.repeat(992)}"}`;
    expect(decode(gzipSync(text), { maxDecodedBytes: 1000 }).json).toEqual(JSON.parse(text));
    expect(refusal(gzipSync(text), { maxDecodedBytes: 999 })).toBe('payload_too_large');
  });
});

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
  ])('a body of %s is refused, not choked on', (_, body) => {
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
  ])('whatever object goes in as %s comes out again', (_, roundTrip) => {
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
