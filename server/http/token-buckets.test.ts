import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

function bucketsAt(burst: number, perSecond: number) {
  let now = 1_000;
  const buckets = createTokenBuckets({ burst, perSecond, clock: () => now });
  return { take: buckets.take, pass: (ms: number) => (now += ms) };
}

test('a burst up to the bucket size is accepted; the next request gets a wait time', () => {
  const { take } = bucketsAt(3, 0.5);
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([null, null, null, 2]);
});

test('refused requests are free, and the bucket refills with time, up to its size', () => {
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

test('a clock that is set back removes no tokens', () => {
  const { take, pass } = bucketsAt(2, 1);
  take('a');
  pass(-900);
  expect([take('a'), take('a')]).toEqual([null, 1]);
});
