import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf, pageOfAll, readPage } from './paging.ts';

describe('readPage', () => {
  test.each([
    ['', { limit: 100, offset: 0 }],
    ['limit=5&offset=7', { limit: 5, offset: 7 }],
    ['limit=0', { limit: 100, offset: 0 }],
    ['limit=-3&offset=-1', { limit: 100, offset: 0 }],
    ['limit=ten&offset=two', { limit: 100, offset: 0 }],
    ['limit=2.5', { limit: 100, offset: 0 }],
    ['limit=&offset=', { limit: 100, offset: 0 }],
    ['limit=999999', { limit: 10_000, offset: 0 }],
    ['limit=99999999999999999999&offset=99999999999999999999', { limit: 100, offset: 0 }],
  ])('%j', (search, expected) => {
    expect(readPage(new URLSearchParams(search))).toEqual(expected);
  });
});

describe('pageOf', () => {
  const url = (search: string) => new URL(`http://localhost:2877/api/projects/?${search}`);

  test('links keep all other parameters and are absolute', () => {
    expect(pageOf(url('search=a%20b&limit=2&offset=2'), ['x', 'y'], 5)).toEqual({
      count: 5,
      next: 'http://localhost:2877/api/projects/?search=a+b&limit=2&offset=4',
      previous: 'http://localhost:2877/api/projects/?search=a+b&limit=2',
      results: ['x', 'y'],
    });
  });

  test('the first page has no previous and the last has no next', () => {
    expect(pageOf(url(''), ['x'], 1)).toEqual({ count: 1, next: null, previous: null, results: ['x'] });
  });

  test('paging by next returns every row once, in order', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), (rows, limit) => {
        const all = Array.from({ length: rows }, (_, index) => index);
        const seen: number[] = [];
        let next: string | null = url(`limit=${limit}`).href;
        while (next !== null) {
          const page: ReturnType<typeof pageOfAll<number>> = pageOfAll(new URL(next), all);
          seen.push(...page.results);
          next = page.next;
        }
        expect(seen).toEqual(all);
      }),
    );
  });
});
