import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import type { DecodedBody } from '../../http/decode.ts';
import { type Envelope, openEnvelope } from './envelope.ts';

interface Request {
  kind?: 'capture' | 'engage';
  search?: string;
  form?: DecodedBody['form'];
}

function open(json: unknown, { kind = 'capture', search = '', form = {} }: Request = {}): Envelope {
  return openEnvelope({ json, form }, { kind, search });
}

function refusal(json: unknown, request?: Request): string {
  try {
    return open(json, request).malformed?.row.code ?? 'opened';
  } catch (error) {
    if (error instanceof ApiError) return error.row.code;
    throw error;
  }
}

const A = { event: 'a', distinct_id: '1' };
const B = { event: 'b', distinct_id: '2' };

describe('3.2 the shapes of a request', () => {
  test('3.2.1 an array of events', () => {
    expect(open([{ ...A, token: 'phc_1' }, B])).toMatchObject({
      token: 'phc_1',
      items: [A, B],
      historicalMigration: false,
      sentAt: null,
    });
  });
  test('3.2.2 a batch, on any capture path', () => {
    const batch = { api_key: 'phc_1', batch: [A, B], historical_migration: true };
    expect(open(batch)).toMatchObject({ token: 'phc_1', items: [A, B], historicalMigration: true });
    expect(open(batch, { kind: 'engage' }).items).toEqual([A, B]);
  });
  test('3.2.3 a single event', () => {
    expect(open({ ...A, api_key: 'phc_1' })).toMatchObject({ token: 'phc_1', items: [A] });
  });
  test('3.2.4 an engage object becomes $identify, and only on the engage path', () => {
    const engage = () => ({ $token: 'phc_1', $distinct_id: '1', $set: { a: 1 } });
    expect(open(engage(), { kind: 'engage' }).items).toEqual([{ ...engage(), event: '$identify' }]);
    expect(open(engage()).items).toEqual([engage()]);
    expect(open({ ...engage(), event: 'own' }, { kind: 'engage' }).items[0]!.event).toBe('own');
  });
  test.each([
    ['an empty batch', { api_key: 'phc_1', batch: [] }],
    ['an empty array', []],
    ['a batch that is an object', { api_key: 'phc_1', batch: { 0: A } }],
    ['a batch that is null', { api_key: 'phc_1', batch: null }],
    ['text', 'hello'],
    ['a number', 1],
    ['null', null],
    ['an element that is text', { api_key: 'phc_1', batch: [A, 'b'] }],
    ['an element that is null', [{ ...A, token: 'phc_1' }, null]],
    ['an element that is an array', { api_key: 'phc_1', batch: [[A]] }],
  ])('%s is invalid_payload', (_, json) => {
    expect(refusal(json)).toBe('invalid_payload');
  });
  test('1.8 an invalid key is reported before invalid events', () => {
    expect(refusal({ api_key: 'phx_1', batch: ['x'] })).toBe('personal_api_key');
    expect(refusal({ batch: ['x'] })).toBe('missing_api_key');
  });
  test('only true is a historical migration', () => {
    expect(open({ api_key: 'p', batch: [A], historical_migration: 'true' }).historicalMigration).toBe(false);
  });
});

describe('3.3/token places of the key (1.6)', () => {
  test.each<[string, unknown, Request]>([
    ['body api_key', { api_key: 'phc_1', batch: [A] }, {}],
    ['body token', { token: 'phc_1', batch: [A] }, {}],
    ['body $token', { $token: 'phc_1', batch: [A] }, {}],
    ['form api_key', [A], { form: { api_key: 'phc_1' } }],
    ['form token', A, { form: { token: 'phc_1' } }],
    ["an event's api_key", [{ ...A, api_key: 'phc_1' }], {}],
    ["an event's token", { batch: [{ ...A, token: 'phc_1' }] }, {}],
    ["an event's $token", [{ ...A, $token: 'phc_1' }], {}],
    ["an event's properties.token", [A, { ...B, properties: { token: 'phc_1' } }], {}],
    ['query token', A, { search: 'token=phc_1&ip=1' }],
    ['query api_key', A, { search: 'api_key=phc_1' }],
    ['with blanks around it', { api_key: ' phc_1 ', batch: [A] }, {}],
    ['where another spelling is empty', { api_key: '', token: 'phc_1', batch: [A] }, {}],
  ])('%s', (_, json, request) => {
    expect(open(json, request).token).toBe('phc_1');
  });
  test("the batch's key overrides those of its events, which then need not agree", () => {
    const batch = [
      { ...A, token: 'phc_2' },
      { ...B, token: 'phc_3' },
    ];
    expect(open({ api_key: 'phc_1', batch }).token).toBe('phc_1');
    expect(open(batch, { form: { token: 'phc_1' } }).token).toBe('phc_1');
  });
  test('without a key of the batch, the keys of the events must agree', () => {
    expect(
      refusal([
        { ...A, token: 'phc_1' },
        { ...B, token: 'phc_2' },
      ]),
    ).toBe('invalid_api_key');
    expect(
      open([
        { ...A, token: 'phc_1' },
        { ...B, properties: { token: ' phc_1' } },
      ]).token,
    ).toBe('phc_1');
  });
  test('a custom property named token is not a key', () => {
    expect(
      open([
        { ...A, properties: { token: 12 } },
        { ...B, token: 'phc_1' },
      ]).token,
    ).toBe('phc_1');
    expect(refusal([{ ...A, properties: { token: 12 } }])).toBe('missing_api_key');
  });
  test.each<[string, unknown, string]>([
    ['no key anywhere', [A], 'missing_api_key'],
    ['a null key', { api_key: null, batch: [A] }, 'missing_api_key'],
    ['an empty key', { api_key: '', batch: [A] }, 'empty'],
    ['a number for a key', { api_key: 12, batch: [A] }, 'not_string'],
    ['an empty key on an event', [{ ...A, token: '' }], 'empty'],
  ])('%s is %s', (_, json, code) => {
    expect(refusal(json)).toBe(code);
  });
});

describe('4.1 when the request was sent', () => {
  const sentAt = '2026-03-04T05:06:07.000Z';
  const microseconds = Date.parse(sentAt) * 1000;
  test('is read from the batch, one event or the form', () => {
    expect(open({ api_key: 'p', batch: [A], sent_at: sentAt }).sentAt).toBe(microseconds);
    expect(open({ ...A, api_key: 'p', sent_at: sentAt }).sentAt).toBe(microseconds);
    expect(open([A], { form: { token: 'p', sent_at: sentAt } }).sentAt).toBe(microseconds);
  });
  test('or from the query, in milliseconds', () => {
    expect(open({ ...A, token: 'p' }, { search: `ip=1&_=${microseconds / 1000}` })).toMatchObject({
      sentAt: null,
      querySentAt: microseconds,
    });
  });
  test.each(['1577836799999', '123', '', 'now', '-1795150963727', '17951509637271234'])(
    'a query _ that is not a time after 2020 is ignored: %j',
    (value) => {
      expect(open({ ...A, token: 'p' }, { search: `_=${value}` }).querySentAt).toBeNull();
    },
  );
  test.each(['yesterday', {}, true, null])('an invalid sent_at is ignored: %j', (value) => {
    expect(open({ api_key: 'p', batch: [A], sent_at: value }).sentAt).toBeNull();
  });
});

test('any JSON value is parsed, or refused by the table of errors', () => {
  const codes = [
    'invalid_payload',
    'missing_api_key',
    'empty',
    'not_string',
    'too_long',
    'not_ascii',
    'null_byte',
    'personal_api_key',
    'invalid_api_key',
  ];
  const key = fc.constantFrom(
    'api_key',
    'token',
    '$token',
    'batch',
    'event',
    'properties',
    'sent_at',
    '__proto__',
  );
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('', 'phc_1', 'phx_1'));
  const item = fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 4 }));
  const items = fc.oneof(item, fc.array(item, { maxLength: 4 }));
  const json = fc.oneof(items, fc.dictionary(key, items, { maxKeys: 5 }));
  fc.assert(
    fc.property(json, fc.constantFrom('capture', 'engage'), fc.string(), (value, kind, search) => {
      const parsed = JSON.parse(JSON.stringify(value)) as unknown;
      try {
        const envelope = open(parsed, { kind, search });
        if (envelope.malformed !== undefined) throw envelope.malformed;
        expect(envelope.items.length).toBeGreaterThan(0);
        expect(envelope.items.every((item) => typeof item === 'object')).toBe(true);
        expect(envelope.token).toMatch(/^\S/);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        expect(codes).toContain(error.row.code);
      }
    }),
    { numRuns: 2000 },
  );
});
