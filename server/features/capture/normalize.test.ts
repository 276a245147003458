import { describe, expect, test } from 'vitest';
import {
  type Item,
  NEW_ID,
  normalize,
  NOW,
  stored,
  storedProperties,
  UUID,
} from '../../../test/support/normalize-item.ts';

test('an event as posthog-node sends it', () => {
  const item = {
    event: 'signup',
    timestamp: '2026-11-20T11:59:59.250Z',
    uuid: UUID,
    distinct_id: 'u1',
    properties: { plan: 'free', $lib: 'posthog-node', $lib_version: '5.70.0' },
  };
  expect(normalize(item, { sentAt: (NOW + 1000) * 1000 }, '192.168.1.7')).toEqual({
    event: {
      projectId: 1,
      uuid: UUID,
      hasClientUuid: true,
      event: 'signup',
      distinctId: 'u1',
      personId: 0,
      timestamp: (NOW - 1750) * 1000,
      properties: '{"plan":"free","$lib":"posthog-node","$lib_version":"5.70.0","$ip":"192.168.1.7"}',
      elementsChain: null,
      receivedAt: NOW * 1000,
      historical: false,
      lib: 'posthog-node',
      libVersion: '5.70.0',
      source: '/batch',
      isAnonymous: false,
      identity: null,
      derived: null,
      propertyList: expect.any(Object),
      addedProperties: expect.any(Array),
    },
    warnings: null,
  });
});

describe('3.3/distinct-id places of the distinct id', () => {
  test.each<[string, Item]>([
    ['at the top', { distinct_id: 'u1', $distinct_id: 'u2', properties: { distinct_id: 'u3' } }],
    ['as $distinct_id', { $distinct_id: 'u1', properties: { distinct_id: 'u3' } }],
    ['in the properties (posthog-js)', { properties: { distinct_id: 'u1' } }],
    ['behind empty ones', { distinct_id: '', $distinct_id: null, properties: { distinct_id: 'u1' } }],
  ])('is read %s', (_, item) => {
    expect(normalize({ event: 'a', ...item }).event?.distinctId).toBe('u1');
  });
  test.each<[unknown, string]>([
    [123, '123'],
    [0, '0'],
    [false, 'false'],
    [{ id: 1 }, '{"id":1}'],
    [['a'], '["a"]'],
  ])('%j becomes its JSON text', (distinctId, text) => {
    expect(stored({ distinct_id: distinctId }).distinctId).toBe(text);
  });
  test('is cut to 200 characters, without NUL and lone surrogates', () => {
    expect(stored({ distinct_id: '🦔'.repeat(300) }).distinctId).toBe('🦔'.repeat(200));
    expect(stored({ distinct_id: 'a\0\ud800' }).distinctId).toBe('a\ufffd\ufffd');
    expect(stored({ distinct_id: ['x'.repeat(300)] }).distinctId).toBe(`["${'x'.repeat(198)}`);
  });
});

describe('3.3/event, 3.3/uuid name and uuid', () => {
  test('a name is cut to 200 characters, without NUL', () => {
    expect(stored({ event: `\0${'x'.repeat(300)}` }).event).toBe(`\ufffd${'x'.repeat(199)}`);
  });
  test.each([undefined, null, ''])(
    'a uuid of %j is replaced by a new one that is not used for deduplication',
    (uuid) => {
      expect(stored({ uuid })).toMatchObject({ uuid: NEW_ID, hasClientUuid: false });
    },
  );
  test("a client's uuid is converted to canonical form", () => {
    expect(stored({ uuid: UUID.toUpperCase() })).toMatchObject({ uuid: UUID, hasClientUuid: true });
  });
});

describe('3.3/properties, 3.3/kept the properties', () => {
  test.each([undefined, null, {}])('%j is an empty object', (properties) => {
    expect(stored({ properties }).properties).toBe('{}');
    expect(stored({ properties }, {}, '10.0.0.1').properties).toBe('{"$ip":"10.0.0.1"}');
  });
  test('are stored as sent: token and distinct_id, unknown keys, null, nested values, order', () => {
    const properties = { z: [1, null, { a: true }], token: 'phc_1', distinct_id: 'u1', a: null, '': 'x' };
    expect(stored({ properties }).properties).toBe(JSON.stringify(properties));
  });
  test('a __proto__ key is stored without side effects', () => {
    const item = JSON.parse(
      '{"__proto__":{"event":"b"},"properties":{"__proto__":{"$ip":"1"},"$set":{"__proto__":1}},"$set":{"a":1}}',
    ) as Item;
    const event = stored(item, {}, '10.0.0.1');
    expect(event.properties).toBe('{"__proto__":{"$ip":"1"},"$set":{"a":1,"__proto__":1},"$ip":"10.0.0.1"}');
    expect(({} as Item).$ip).toBeUndefined();
  });
  test('keys of the envelope are ignored', () => {
    const item = { type: 'capture', library: 'x', context: {}, messageId: '1', send_feature_flags: true };
    expect(stored(item)).toMatchObject({ properties: '{}', lib: '' });
  });
  test.each([
    ['absent', {}, { lib: '', libVersion: '' }],
    ['given', { $lib: 'web', $lib_version: '1.449.2' }, { lib: 'web', libVersion: '1.449.2' }],
    ['no text', { $lib: 1, $lib_version: null }, { lib: '', libVersion: '' }],
  ])('the library that is %s', (_, properties, expected) => {
    expect(stored({ properties })).toMatchObject(expected);
  });
});

describe('3.3/set $set, $set_once, $unset', () => {
  test('beside the properties are merged into them', () => {
    expect(storedProperties({ a: 1 }, { $set: { b: 2 }, $set_once: { c: 3 }, $unset: ['d'] })).toEqual({
      a: 1,
      $set: { b: 2 },
      $set_once: { c: 3 },
      $unset: ['d'],
    });
  });
  test('key by key, the properties override', () => {
    const beside = { $set: { a: 1, b: 1 }, $set_once: { a: 1 }, $unset: ['a', 'b'] };
    expect(storedProperties({ $set: { b: 2 }, $set_once: null, $unset: ['b', 'c'] }, beside)).toEqual({
      $set: { a: 1, b: 2 },
      $set_once: { a: 1 },
      $unset: ['b', 'c', 'a'],
    });
  });
  test('of other types are unchanged', () => {
    expect(storedProperties({ $set: 'x' }, { $set: { a: 1 } })).toEqual({ $set: 'x' });
    expect(storedProperties({ $set: { a: 1 } }, { $set: null })).toEqual({ $set: { a: 1 } });
  });
});

describe('6.2 $process_person_profile', () => {
  const updates = { $set: { a: 1 }, $set_once: { b: 1 }, $unset: ['c'] };
  test('false is stored and removes person updates, inside and beside the properties', () => {
    const properties = { $process_person_profile: false, plan: 'free' };
    expect(storedProperties({ ...properties, ...updates })).toEqual(properties);
    expect(storedProperties(properties, updates)).toEqual(properties);
  });
  test('true is left out', () => {
    expect(storedProperties({ $process_person_profile: true, ...updates })).toEqual(updates);
  });
  test.each(['false', 0, null])('%j is not a boolean and ignored', (value) => {
    const properties = { $process_person_profile: value, ...updates };
    expect(storedProperties(properties)).toEqual(properties);
  });
});

describe('3.3/ip $ip', () => {
  test.each<[string, Item, unknown]>([
    ["the client's when there is none", {}, '192.168.1.7'],
    ['kept when given', { $ip: '1.2.3.4' }, '1.2.3.4'],
    ['kept when given as null', { $ip: null }, null],
    ['127.0.0.1 for internal captures', { capture_internal: true }, '127.0.0.1'],
    ["the client's when the capture is not internal", { capture_internal: false }, '192.168.1.7'],
  ])('is %s', (_, properties, ip) => {
    const event = stored({ properties }, {}, '192.168.1.7');
    expect(JSON.parse(event.properties)).toEqual({ ...properties, $ip: ip });
  });
  test('is not set when addresses are not stored', () => {
    expect(stored({}, {}, '').properties).toBe('{}');
  });
  test('is escaped', () => {
    expect(JSON.parse(stored({}, {}, '"\\\ud800').properties)).toEqual({ $ip: '"\\\ufffd' });
  });
});

describe('3.3/elements the chain of elements', () => {
  const elements = [{ tag_name: 'button', $el_text: 'Buy' }];
  const chain = 'button:nth-child="0"nth-of-type="0"text="Buy"';
  test('an $elements array becomes the chain', () => {
    expect(stored({ properties: { $elements: elements, a: 1 } })).toMatchObject({
      elementsChain: chain,
      properties: '{"a":1}',
    });
  });
  test('an $elements_chain is moved to its column, and overrides the array', () => {
    expect(stored({ properties: { $elements_chain: 'a', $elements: elements } })).toMatchObject({
      elementsChain: 'a',
      properties: '{}',
    });
    expect(stored({ properties: { $elements_chain: '', $elements: elements } }).elementsChain).toBe(chain);
  });
  test('values of other types are not moved', () => {
    const properties = { $elements: 'x', $elements_chain: ['y'] };
    expect(stored({ properties })).toMatchObject({
      elementsChain: null,
      properties: JSON.stringify(properties),
    });
  });
  test('an empty chain is null', () => {
    expect(stored({ properties: { $elements: [], $elements_chain: '' } })).toMatchObject({
      elementsChain: null,
      properties: '{}',
    });
  });
  test('lone surrogates in a chain become U+FFFD', () => {
    expect(stored({ properties: { $elements_chain: 'a:text="\ud800"' } }).elementsChain).toBe(
      'a:text="\ufffd"',
    );
  });
});

describe('4 time', () => {
  const timestamp = '2026-11-20T11:00:00.000Z';
  const micros = Date.parse(timestamp) * 1000;
  test("the batch's sent_at overrides the event's, which overrides the query's", () => {
    const at = (minutes: number) => micros + minutes * 60_000_000;
    const item = { timestamp, sent_at: '2026-11-20T11:10:00Z' };
    expect(stored(item, { sentAt: at(5), querySentAt: at(20) }).timestamp).toBe(NOW * 1000 - 5 * 60_000_000);
    expect(stored(item, { querySentAt: at(20) }).timestamp).toBe(NOW * 1000 - 10 * 60_000_000);
    expect(stored({ timestamp }, { querySentAt: at(20) }).timestamp).toBe(NOW * 1000 - 20 * 60_000_000);
  });
  test('$ignore_sent_at leaves the timestamp unchanged', () => {
    const properties = { $ignore_sent_at: true };
    expect(stored({ timestamp, properties }, { sentAt: 1 }).timestamp).toBe(micros);
  });
  test('an offset is subtracted from now', () => {
    expect(stored({ timestamp, offset: 1500 }).timestamp).toBe((NOW - 1500) * 1000);
  });
});

test('3.5 the flag of a historical migration is stored', () => {
  expect(stored({}, { historicalMigration: true }).historical).toBe(true);
});
