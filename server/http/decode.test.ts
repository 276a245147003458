import { gzipSync } from 'node:zlib';
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

describe('3.1.1 the input is the query data, else the body', () => {
  test('a pixel carries its event in the query', () => {
    expect(decode('', { search: `ip=1&data=${encodeURIComponent(BASE64)}` }).json).toEqual(EVENT);
  });
  test('base64 in a query is decoded when its plus signs were not escaped', () => {
    const data = Buffer.from('{"a":"~~~>>>"}').toString('base64');
    expect(data).toContain('+');
    expect(decode('', { search: `data=${data}` }).json).toEqual({ a: '~~~>>>' });
  });
  test('plain JSON in a query keeps its spaces', () => {
    expect(decode('', { search: `data=${encodeURIComponent('{"a":"b c"}')}` }).json).toEqual({ a: 'b c' });
  });
  test('query data overrides the body', () => {
    expect(decode('{"a":1}', { search: `data=${encodeURIComponent(BASE64)}` }).json).toEqual(EVENT);
  });
  test('empty query data is ignored', () => {
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
  test('its other fields are returned', () => {
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
  test('base64 whose plus signs were not escaped is repaired', () => {
    const data = Buffer.from('{"a":"~~~>>>"}').toString('base64');
    expect(decode(`data=${data}`, { contentType: FORM }).json).toEqual({ a: '~~~>>>' });
  });
  test('JSON in a form keeps its spaces and its stray percent signs', () => {
    expect(decode('data={"a":"100% of it"}', { contentType: FORM }).json).toEqual({ a: '100% of it' });
  });
  test.each([JSON_TEXT, ` [${JSON_TEXT}]`])(
    'JSON under the form type (curl -d) is parsed as JSON: %s',
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
  test('data= inside another text is not a form', () => {
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
  test('the query overrides the form', () => {
    const form = formOf({ data: LZ64, compression: 'base64' });
    expect(decode(form, { contentType: FORM, search: 'compression=lz64' }).json).toEqual(EVENT);
  });
  test('the form overrides the header', () => {
    const form = formOf({ data: LZ64, compression: 'lz64' });
    expect(decode(form, { contentType: FORM, contentEncoding: 'base64' }).json).toEqual(EVENT);
  });
  test('the header is used when there is no other hint', () => {
    expect(decode(LZ64, { contentEncoding: 'lz64' }).json).toEqual(EVENT);
  });
  test('an unknown hint is ignored', () => {
    expect(decode(JSON_TEXT, { search: 'compression=zip', contentEncoding: 'identity' }).json).toEqual(EVENT);
    expect(decode(JSON_TEXT, { search: 'compression=__proto__' }).json).toEqual(EVENT);
  });
});

describe('3.1.7 text', () => {
  test('that is not UTF-8 is invalid_payload', () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0x22]))).toBe('invalid_payload');
    expect(refusal(gzipSync(Buffer.from([0x7b, 0xc3, 0x7d])))).toBe('invalid_payload');
  });
  test('may start with a byte order mark', () => {
    expect(decode(`\ufeff${JSON_TEXT}`).json).toEqual(EVENT);
  });
  test('may escape unpaired surrogates', () => {
    expect(decode('{"a":"\\ud83e"}').json).toEqual({ a: '\ud83e' });
  });
  test.each(['{', 'hello', '{"a":1}}', "{'a':1}"])('that is not JSON is invalid_payload: %s', (text) => {
    expect(refusal(text)).toBe('invalid_payload');
  });
});

describe('7.2 NaN and Infinity become null', () => {
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
    'other invalid JSON is still refused: %s',
    (text) => {
      expect(refusal(text)).toBe('invalid_payload');
    },
  );
});
