import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundsOf, evenShares, sharesOf, withoutShare, withShare } from './variant-split.ts';

const sum = (shares: readonly number[]) => Math.round(shares.reduce((all, one) => all + one, 0) * 100) / 100;

/** Between one and eight shares, whole or in hundredths, 100 together. */
const someShares = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 9999 }), { maxLength: 7 }), fc.boolean())
  .map(([cuts, isWhole]) =>
    sharesOf(cuts.toSorted((a, b) => a - b).map((cut) => (isWhole ? Math.round(cut / 100) : cut / 100))),
  );

test('an even split is 34, 33, 33', () => {
  expect(evenShares(3)).toEqual([34, 33, 33]);
  expect(evenShares(1)).toEqual([100]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), (count) => {
      const shares = evenShares(count);
      expect(sum(shares)).toBe(100);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});

describe('shares add up to 100 and none is negative', () => {
  const holds = (shares: readonly number[]) => {
    expect(sum(shares)).toBe(100);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
  };

  test('after conversion to bounds and back', () => {
    fc.assert(
      fc.property(someShares, (shares) => {
        holds(shares);
        expect(sharesOf(boundsOf(shares))).toEqual(shares);
      }),
    );
  });

  test('after a share is changed, which then has the new value', () => {
    fc.assert(
      fc.property(someShares, fc.nat(), fc.integer({ min: 0, max: 10000 }), (shares, place, share) => {
        const index = place % shares.length;
        const next = withShare(shares, index, share / 100);
        holds(next);
        expect(next[index]).toBe(shares.length === 1 ? 100 : share / 100);
      }),
    );
  });

  test('after a variant is removed', () => {
    fc.assert(
      fc.property(someShares, fc.nat(), (shares, place) => {
        const left = withoutShare(shares, place % shares.length);
        if (shares.length > 1) holds(left);
      }),
    );
  });
});

test('other shares shrink in order: those after it, the nearest first, then those before it', () => {
  expect(withShare([34, 33, 33], 0, 50)).toEqual([50, 17, 33]);
  expect(withShare([34, 33, 33], 0, 80)).toEqual([80, 0, 20]);
  expect(withShare([34, 33, 33], 2, 50)).toEqual([34, 16, 50]);
  expect(withShare([34, 33, 33], 1, 0)).toEqual([34, 0, 66]);
  expect(withoutShare([34, 33, 33], 0)).toEqual([67, 33]);
  expect(withoutShare([34, 33, 33], 2)).toEqual([34, 66]);
});
