import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyPool } from './body-pool.ts';
import type { DoorKind, RequestForm } from '../capture-messages.ts';
import { packRequests, unpackRequests, type Outgoing } from './request-parcel.ts';

const PLAIN: RequestForm = {
  kind: 'capture',
  claims: null,
  method: 'POST',
  path: '/batch',
  search: '',
  contentType: 'application/json',
  contentEncoding: '',
  clientIp: '127.0.0.1',
  origin: null,
};

const few = fc.constantFrom('', 'a', 'b');
const forms: fc.Arbitrary<RequestForm> = fc.record({
  kind: fc.constantFrom<DoorKind>('capture', 'v1'),
  claims: fc.option(fc.record({ token: few, lib: few, libVersion: few, sentAt: fc.option(fc.nat()) })),
  method: fc.constantFrom('POST', 'GET'),
  path: few,
  search: few,
  contentType: few,
  contentEncoding: few,
  clientIp: few,
  origin: fc.option(few),
});
/** Small ones, which share a buffer, and some that get one of their own. */
const pieces = fc.oneof(
  { weight: 5, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(65_535, 65_536, 70_000).map((size) => new Uint8Array(size).fill(7)),
  },
);
const requests = fc.array(
  fc.record({ form: forms, receivedAt: fc.nat(2 ** 42), pieces: fc.array(pieces, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 30 },
);

function outgoing(id: number, form: RequestForm, receivedAt: number, parts: readonly Uint8Array[]): Outgoing {
  const buffers = parts.map((part) => Buffer.from(part));
  const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
  return { id, form, receivedAt, body: { pieces: buffers, bytes } };
}

test('every request is unpacked from a batch unchanged, in order', () => {
  fc.assert(
    fc.property(requests, (sent) => {
      const entries = sent.map((request, at) =>
        outgoing(at * 3, request.form, request.receivedAt, request.pieces),
      );
      const parcel = structuredClone(packRequests(entries, createBodyPool()));

      expect(unpackRequests(parcel).map(({ request }) => request)).toEqual(
        entries.map(({ id, form, receivedAt }) => ({ id, receivedAt, ...form })),
      );
      for (const [index, { bytes }] of unpackRequests(parcel).entries()) {
        expect(bytes.equals(Buffer.concat(entries[index]!.body.pieces))).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

test('requests with equal fields share a form, and those with their own claims do not', () => {
  const claims = { token: 'phc_shop', lib: '', libVersion: '', sentAt: null };
  const said = [PLAIN, { ...PLAIN }, { ...PLAIN, origin: 'https://shop.example' }, { ...PLAIN }];
  const entries = [...said, { ...PLAIN, claims }, { ...PLAIN, claims }].map((form, id) =>
    outgoing(id, form, 0, []),
  );

  expect(packRequests(entries, createBodyPool()).forms).toHaveLength(4);
});
