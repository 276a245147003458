import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { readClientUuid } from './client-uuid.ts';

const UUID = '0190f0c1-2222-7000-8000-0000000000ff';

describe("3.3/uuid an event's uuid", () => {
  test.each([UUID, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
    '%s is used as the uuid',
    (uuid) => {
      expect(readClientUuid(uuid)).toBe(uuid);
    },
  );
  test.each([
    UUID.toUpperCase(),
    '0190F0c1-2222-7000-8000-0000000000fF',
    UUID.replaceAll('-', ''),
    `{${UUID}}`,
    `urn:uuid:${UUID}`,
    ` ${UUID} `,
  ])('%s is converted to lower case with hyphens', (uuid) => {
    expect(readClientUuid(uuid)).toBe(UUID);
  });
  test.each([undefined, null, ''])('%j counts as a missing uuid', (value) => {
    expect(readClientUuid(value)).toBeNull();
  });
  test.each([
    'not-a-uuid',
    '0190f0c1-2222-7000-8000-0000000000f',
    '0190f0c1-2222-7000-8000-0000000000fff',
    '0190f0c1-2222-7000-8000-0000000000fg',
    '0190f0c12222-7000-8000-0000-000000ff',
    '0190f0c1-2222-7000-8000_0000000000ff',
    ' ',
    0,
    12,
    true,
    {},
    [UUID],
  ])('%j is refused as a malformed request', (value) => {
    expect(() => readClientUuid(value)).toThrow(ApiError);
  });
  test('any UUID in any case is converted to lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.boolean(), (uuid, isUpper) => {
        expect(readClientUuid(isUpper ? uuid.toUpperCase() : uuid)).toBe(uuid);
      }),
    );
  });
});
