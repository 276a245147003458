import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import type { DoorKind, RawCapture } from './capture-messages.ts';
import type { NormalizeContext } from './normalize.ts';
import { openRequest } from './open-request.ts';
import type { OpenedRequest } from './opened-request.ts';
import { FAST } from '../../../test/support/store.ts';

const BOUNDARY = 'b';
const RECEIVED_AT = Date.UTC(2026, 10, 20, 9, 30);
const DOORS: readonly DoorKind[] = ['capture', 'engage', 'v1', 'ai', 'recording', 'logs'];
const CONTEXT: NormalizeContext = {
  projectId: 1,
  now: RECEIVED_AT,
  clientIp: '127.0.0.1',
  anonymizesIps: false,
  source: '/i/v1/analytics/events',
  lookup: () => null,
  newId: () => '0190a000-0000-7000-8000-00000000ffff',
};

function requestAt(kind: DoorKind): RawCapture {
  return {
    id: 1,
    kind,
    claims: { token: 'phc_shop', lib: 'posthog-go', libVersion: '1', sentAt: null },
    method: 'POST',
    path: '/',
    search: 'token=phc_shop',
    contentType: kind === 'ai' ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/json',
    contentEncoding: '',
    clientIp: '127.0.0.1',
    origin: null,
    receivedAt: RECEIVED_AT,
  };
}

function open(kind: DoorKind, body: string | Uint8Array): OpenedRequest {
  const limits = { bytes: 1_000_000, parts: Infinity };
  return openRequest(requestAt(kind), new Uint8Array(Buffer.from(body)), limits, FAST);
}

/** What is wrong with a request by the table of errors, or null. Anything else that is thrown fails the test. */
function judge(kind: DoorKind, body: string | Uint8Array): string | null {
  try {
    const { envelope, normalize, reply } = open(kind, body);
    if (envelope.malformed !== undefined) return envelope.malformed.errorName;
    for (const item of envelope.items) normalize(item, envelope, CONTEXT);
    if (reply !== null) JSON.parse(reply.text());
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.errorName;
    throw error;
  }
}

const anyPart = fc
  .record({
    name: fc.oneof(
      fc.constantFrom('event', 'event.properties', 'event.properties.a', '__proto__'),
      fc.string(),
    ),
    type: fc.constantFrom('application/json', 'text/plain', 'image/png', 'multipart/mixed', ''),
    body: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
    ),
  })
  .map(
    ({ name, type, body }) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`,
  );
const anyForm = fc.array(anyPart, { maxLength: 4 }).map((parts) => `${parts.join('')}--${BOUNDARY}--\r\n`);
const anyBody = fc.oneof(
  anyForm,
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.array(fc.jsonValue()).map((batch) => JSON.stringify({ batch })),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }),
);

test.each(DOORS)('any body sent to %s is parsed, or refused by the table of errors', (kind) => {
  fc.assert(
    fc.property(anyBody, (body) => {
      judge(kind, body);
    }),
    { numRuns: 400 },
  );
});

const uuids = [1, 2, 3].map((n) => `0190a000-0000-7000-8000-00000000000${n}`);
const anyItem = fc.record(
  {
    uuid: fc.constantFrom(...uuids, uuids[0]!.toUpperCase()),
    event: fc.oneof(fc.constantFrom('played', '', '$performance_event', 'e'.repeat(300)), fc.jsonValue()),
    distinct_id: fc.oneof(fc.constantFrom('ada', '', 'null', 'd'.repeat(300)), fc.jsonValue()),
    timestamp: fc.oneof(fc.constantFrom('2026-11-20T09:29:00Z', 'soon'), fc.jsonValue()),
    properties: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    options: fc.oneof(fc.record({ process_person_profile: fc.boolean() }), fc.jsonValue()),
  },
  { requiredKeys: ['uuid', 'event', 'distinct_id', 'timestamp'] },
);

test('5/results any batch has one result for each uuid: dropped when no event with it is stored', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { minLength: 1, maxLength: 6 }), (batch) => {
      const { envelope, normalize, reply } = open('v1', JSON.stringify({ batch }));
      const kept = new Set<unknown>();
      for (const item of envelope.items) {
        if (normalize(item, envelope, CONTEXT).event !== undefined) kept.add(item['uuid']);
      }
      const { results } = JSON.parse(reply!.text()) as { results: Record<string, { result: string }> };
      expect(new Set(Object.keys(results))).toEqual(new Set(batch.map(({ uuid }) => uuid)));
      for (const [uuid, { result }] of Object.entries(results)) {
        expect(result === 'drop', uuid).toBe(!kept.has(uuid));
      }
    }),
    { numRuns: 400 },
  );
});
