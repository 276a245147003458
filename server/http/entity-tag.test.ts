import { describe, expect, test } from 'vitest';
import { entityTag, isNotModified } from './entity-tag.ts';

describe('entity tags', () => {
  test('depend only on the content', () => {
    expect(entityTag('a')).toBe(entityTag(Buffer.from('a')));
    expect(entityTag('a')).not.toBe(entityTag('b'));
    expect(entityTag('a')).toMatch(/^"[\w-]{22}"$/);
  });

  test.each([
    [undefined, '"a"', false],
    ['', '"a"', false],
    ['*', '"a"', true],
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['"b", "a"', 'W/"a"', true],
    ['"b"', '"a"', false],
    ['a', '"a"', false],
  ])('If-None-Match %s against %s: not modified %s', (header, etag, expected) => {
    expect(isNotModified(header, etag)).toBe(expected);
  });
});
