import { expect, test } from 'vitest';
import { HashSet } from './hash-set.ts';

test('a set of texts has each that was added one time, and says when it is full', () => {
  const set = new HashSet(131_072);
  for (let n = 0; n < 131_071; n++) set.add(`u${n}`);
  set.add('u0');
  expect([set.has('u0'), set.has('u131070'), set.has('v'), set.size, set.isFull]).toEqual([
    true,
    true,
    false,
    131_071,
    false,
  ]);
  set.add('v');
  expect([set.has('v'), set.size, set.isFull]).toEqual([true, 131_072, true]);
});
