import { expect, test } from 'vitest';
import { restartDelay } from './restart-delay.ts';

const NOW = 1_000_000;

test.each([
  ['the first crash restarts immediately', [NOW], 200],
  ['the second within a minute waits a second', [NOW - 30_000, NOW], 1_000],
  ['the third waits three', [NOW - 40_000, NOW - 30_000, NOW], 3_000],
  ['the fourth waits ten', [NOW - 50_000, NOW - 40_000, NOW - 30_000, NOW], 10_000],
  ['a fifth within a minute is given up', [NOW - 59_999, NOW - 40_000, NOW - 30_000, NOW - 9_000, NOW], null],
  ['a crash of a minute ago is forgiven', [NOW - 60_000, NOW], 200],
])('%s', (_sentence, crashes, delay) => {
  expect(restartDelay(crashes, NOW)).toBe(delay);
});
