import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { readCursor, writeCursor } from './group-cursor.ts';

const instant = fc
  .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().replace('Z', '123Z'));

test('a cursor is unchanged after a round trip through a URL, for any key', () => {
  fc.assert(
    fc.property(instant, fc.string({ unit: 'grapheme' }), (createdAt, key) => {
      const url = new URL('http://127.0.0.1/');
      url.searchParams.set('cursor', writeCursor({ createdAt, key }));
      const text = new URL(url.href).searchParams.get('cursor')!;
      expect(readCursor(text)).toEqual({ createdAt, key });
    }),
  );
});

test('any other text is refused by name', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.json().map((json) => btoa(encodeURI(json))),
      ),
      (text) => {
        expect(() => readCursor(text)).toThrow(ApiError);
      },
    ),
  );
});

test.each([
  '2026-02-30T00:00:00.000000Z',
  '2026-01-01T24:00:00.000000Z',
  '2026-13-01T00:00:00.000000Z',
  '2026-01-01',
])('the instant %s is refused', (createdAt) => {
  expect(() => readCursor(writeCursor({ createdAt, key: 'a' }))).toThrow(ApiError);
});
