import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

function bucketsAt(burst: number, perSecond: number) {
  let now = 1_000;
  const buckets = createTokenBuckets({ burst, perSecond, clock: () => now });
  return { take: buckets.take, pass: (ms: number) => (now += ms) };
}

test('as many requests as the bucket holds come at once; the next is told how long to wait', () => {
  const { take } = bucketsAt(3, 0.5);
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([null, null, null, 2]);
});

test('asking in vain costs nothing, and the bucket fills up with time, never beyond its size', () => {
  const { take, pass } = bucketsAt(2, 1);
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([null, null, 1, 1]);
  pass(1_000);
  expect([take('a'), take('a')]).toEqual([null, 1]);
  pass(60_000);
  expect([take('a'), take('a'), take('a')]).toEqual([null, null, 1]);
});

test('each key has a bucket of its own', () => {
  const { take } = bucketsAt(1, 1);
  expect([take('a'), take('b'), take('a')]).toEqual([null, null, 1]);
});

test('a clock that is set back takes nothing away', () => {
  const { take, pass } = bucketsAt(2, 1);
  take('a');
  pass(-900);
  expect([take('a'), take('a')]).toEqual([null, 1]);
});
