import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listRecordings, readRecording } from '../../../../test/support/wire.ts';
import { ApiError } from '../../../errors.ts';
import { decodeBody } from '../../../http/decode.ts';
import type { PropertyList } from '../../../lib/property-lists.ts';
import { textOfJson } from '../../../warehouse/duckdb/json-slice.ts';
import { openEnvelope } from '../envelope.ts';
import { normalizeEvent, type Normalized } from '../normalize.ts';
import { READ_FOR_PERSONS } from '../person-properties.ts';
import { readUsualJson } from './usual-json.ts';

const NOW = Date.UTC(2026, 10, 20, 9);

/** Everything that a file of places can say. */
const PLACE = {
  $geoip_country_code: 'GB',
  $geoip_country_name: 'United Kingdom',
  $geoip_continent_code: 'EU',
  $geoip_continent_name: 'Europe',
  $geoip_city_name: 'London',
  $geoip_postal_code: 'EC1A',
  $geoip_latitude: 51.5142,
  $geoip_longitude: -0.0931,
  $geoip_accuracy_radius: 10,
  $geoip_time_zone: 'Europe/London',
  $geoip_subdivision_1_code: 'ENG',
  $geoip_subdivision_1_name: 'England',
  $geoip_subdivision_2_code: 'LND',
  $geoip_subdivision_2_name: 'City of London',
  $geoip_subdivision_3_code: 'X',
  $geoip_subdivision_3_name: 'Y',
};

/** The query and the headers of a request. */
const PLAIN = { search: '', contentType: 'application/json', contentEncoding: '' };

/** What becomes of a request, with properties as values: their text may differ in white space and number spelling. */
function outcome(bytes: Buffer, readUsual?: (bytes: Buffer) => unknown, around = PLAIN): unknown {
  try {
    const body = decodeBody({
      bytes,
      ...around,
      maxDecodedBytes: 1_000_000,
      ...(readUsual === undefined ? {} : { readUsual }),
    });
    const envelope = openEnvelope(body, { kind: 'capture', search: around.search });
    if (envelope.malformed !== undefined) return envelope.malformed.body;
    let made = 0;
    const context = {
      projectId: 1,
      now: NOW,
      clientIp: '203.0.113.7',
      anonymizesIps: false,
      source: '/batch',
      lookup: () => PLACE,
      newId: () => `id-${made++}`,
    };
    return envelope.items.map((item) => comparable(normalizeEvent(item, envelope, context)));
  } catch (error) {
    if (error instanceof ApiError) return error.body;
    throw error;
  }
}

function comparable(normalized: Normalized): unknown {
  if (normalized.event === undefined) return normalized;
  const { properties, propertyList, identity, derived, ...event } = normalized.event;
  return {
    ...event,
    properties: JSON.parse(textOfJson(properties)),
    propertyList: contentOf(propertyList),
    // One way reads what is derived only when the person is read.
    identity: derived === null ? identity : derived.joinedWith(identity),
  };
}

/** Numbers of names and kinds, which both ways take from one place; in a fixed order. */
function contentOf(list: PropertyList | null): number[] | null {
  return list === null ? null : [...list.entries.subarray(list.from, list.to)].sort((a, b) => a - b);
}

function expectSame(text: string | Buffer): void {
  const bytes = Buffer.from(text as string);
  // It may take members out of its bytes.
  expect(outcome(Buffer.from(bytes), readUsualJson)).toEqual(outcome(bytes));
}

const EVENT = {
  event: 'invoice sent',
  distinct_id: 'u1',
  uuid: '0190f0c1-2222-7000-8000-0000000000ff',
  timestamp: '2026-11-20T08:59:59.123Z',
  properties: {
    $lib: 'posthog-node',
    $lib_version: '5.70.0',
    amount: 480.5,
    nested: { list: [1, 'é', null] },
    empty: {},
  },
};

describe('usual shapes are read without parsing their properties', () => {
  test.each([
    ['a batch of a server SDK', { api_key: 'phc_x', batch: [EVENT, EVENT], sent_at: '2026-11-20T09:00:00Z' }],
    ['one event', { api_key: 'phc_x', ...EVENT }],
    [
      'an event with its id in the properties',
      { api_key: 'phc_x', event: 'e', properties: { distinct_id: 'p1', token: 'phc_x' } },
    ],
    ['a number as distinct id', { api_key: 'phc_x', event: 'e', distinct_id: 12, properties: { a: 1 } }],
    [
      'properties that name an address',
      { api_key: 'phc_x', event: 'e', distinct_id: 'a', properties: { $ip: '192.0.2.1' } },
    ],
    [
      'an event of an identified person, as posthog-js sends it',
      {
        api_key: 'phc_x',
        event: '$pageview',
        distinct_id: 'a',
        properties: { $browser: 'Chrome', plan: 'pro', $process_person_profile: true, $os: 'Linux', page: 1 },
      },
    ],
    [
      'one that says so first',
      {
        api_key: 'phc_x',
        event: 'e',
        distinct_id: 'a',
        properties: { $process_person_profile: true, $browser: 'Chrome' },
      },
    ],
    [
      'person updates inside the properties',
      { api_key: 'phc_x', event: '$identify', distinct_id: 'a', properties: { $set: { plan: 'pro' } } },
    ],
  ])('%s', (_, body) => {
    const bytes = Buffer.from(JSON.stringify(body));
    expect(readUsualJson(Buffer.from(bytes))).not.toBeNull();
    expectSame(bytes);
    expectSame(JSON.stringify(body, null, 2));
  });

  test('a number keeps all of its digits', () => {
    const bytes = Buffer.from(
      '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"n":12345678901234567890,"m":1.0}}',
    );
    const envelope = openEnvelope({ json: readUsualJson(bytes), form: {} }, { kind: 'capture', search: '' });
    const { event } = normalizeEvent(envelope.items[0]!, envelope, {
      projectId: 1,
      now: NOW,
      clientIp: '',
      anonymizesIps: false,
      source: '/batch',
      lookup: () => null,
      newId: () => 'x',
    });
    expect(textOfJson(event!.properties)).toBe('{"n":12345678901234567890,"m":1.0}');
  });
});

test.each([
  ['not JSON', '{"api_key":"phc_x",'],
  ['a trailing comma', '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"a":1,}}'],
  [
    'a control character in a text',
    '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"a":"\n"}}',
  ],
  ['a number with a leading zero', '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"a":01}}'],
  ['a number beyond a double', '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"a":1e400}}'],
  ['NaN', '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"a":NaN}}'],
  ['a lone surrogate', '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"a":"\\ud800"}}'],
  ['an escaped reserved name', '{"api_key":"phc_x","event":"e","properties":{"\\u0064istinct_id":"a"}}'],
  ['text after the end', '{"api_key":"phc_x","event":"e","distinct_id":"a"} x'],
  ['properties of another type', '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":[1]}'],
  ['an element that is not an object', '{"api_key":"phc_x","batch":[1]}'],
  ['an empty batch', '{"api_key":"phc_x","batch":[]}'],
  [
    'a property named twice',
    '{"api_key":"phc_x","event":"e","distinct_id":"a","properties":{"a":1,"b":2,"a":3}}',
  ],
  [
    'hundreds of properties',
    JSON.stringify({
      event: 'e',
      distinct_id: 'a',
      token: 'phc_x',
      properties: Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`p${n}`, n])),
    }),
  ],
  [
    'a batch in a batch',
    '{"api_key":"phc_x","batch":[{"batch":[{"event":"e"}],"event":"e","distinct_id":"a"}]}',
  ],
  ['a wrong uuid', '{"api_key":"phc_x","event":"e","distinct_id":"a","uuid":"x"}'],
  ['keys that disagree', '{"batch":[{"api_key":"phc_x","event":"e"},{"api_key":"phc_y","event":"e"}]}'],
])('%s has the same result as with the general parser', (_, text) => expectSame(text));

test.each(Object.keys(PLACE))('6.7b %s that is already in an event is not added again', (name) => {
  for (const value of ['mine', null, 7, { a: 1 }]) {
    const properties = { [name]: value };
    const text = JSON.stringify({ api_key: 'phc_x', event: 'e', distinct_id: 'a', properties });
    expect(readUsualJson(Buffer.from(text))).not.toBeNull();
    expectSame(text);
  }
});

const reserved = fc.constantFrom(
  ...READ_FOR_PERSONS,
  'event', 'distinct_id', '$distinct_id', 'uuid', 'timestamp', 'offset', 'sent_at', 'api_key', 'token', '$set', '$unset',
  'batch', 'properties', '$lib', '$lib_version', '$ip', '$elements', '$elements_chain', '$process_person_profile',
  '$ignore_sent_at', 'capture_internal', '$geoip_disable', '$geoip_country_code', '$geoip_city_name', '$geoip_longitude', '$set_once', '$groups', '$group_type', '$group_key', '$group_set', '$group_0',
  'alias', '$anon_distinct_id', '__proto__', 'constructor', 'é', '', 'a"b\\c',
); // prettier-ignore
const key = fc.oneof({ weight: 4, arbitrary: reserved }, fc.string({ unit: 'binary', maxLength: 8 }));
const value = fc.oneof(
  fc.constantFrom(
    'e1',
    'u1',
    'phc_x',
    '0190f0c1-2222-7000-8000-0000000000ff',
    '2026-11-20T08:00:00Z',
    true,
    false,
    null,
    '',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const eventName = fc.constantFrom('e', '$identify', '$create_alias', '$groupidentify', '$exception', '$set');
const properties = fc.dictionary(key, value, { maxKeys: 8 });
const event = fc
  .tuple(eventName, fc.dictionary(key, value, { maxKeys: 6 }), fc.option(properties, { nil: undefined }))
  .map(([name, more, own]) => ({
    event: name,
    distinct_id: 'u',
    ...more,
    ...(own === undefined ? {} : { properties: own }),
  }));
const body = fc.oneof(
  event.map((one) => ({ api_key: 'phc_x', ...one })),
  fc.array(event, { minLength: 1, maxLength: 4 }).map((batch) => ({ api_key: 'phc_x', batch })),
);

test('any request has the same result with the fast and the general parser', () => {
  fc.assert(
    fc.property(body, fc.constantFrom(0, 1), (json, indent) =>
      expectSame(JSON.stringify(json, null, indent)),
    ),
    { numRuns: 5_000 },
  );
});

test('every recorded body is stored the same by both parsers', () => {
  let usual = 0;
  for (const { method, query, headers, body_raw_b64 } of listRecordings().flatMap(readRecording)) {
    if (method !== 'POST') continue;
    const bytes = Buffer.from(body_raw_b64, 'base64');
    const around = {
      search: new URLSearchParams(query).toString(),
      contentType: headers['content-type'] ?? '',
      contentEncoding: headers['content-encoding'] ?? '',
    };
    const read = (decoded: Buffer): unknown => {
      const body = readUsualJson(decoded);
      if (body !== null) usual++;
      return body;
    };
    expect(outcome(Buffer.from(bytes), read, around)).toEqual(outcome(bytes, undefined, around));
  }
  expect(usual).toBeGreaterThan(20);
});

test('any damaged request has the same result with both parsers', () => {
  fc.assert(
    fc.property(body, fc.nat(), fc.nat(255), fc.boolean(), (json, place, byte, insert) => {
      const bytes = Buffer.from(JSON.stringify(json));
      const at = place % bytes.length;
      const damaged = insert
        ? Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)])
        : Buffer.from(bytes);
      if (!insert) damaged[at] = byte;
      expectSame(damaged);
    }),
    { numRuns: 3_000 },
  );
});
