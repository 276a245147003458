import { expect, test } from 'vitest';
import { createLatestRead } from './latest-read.ts';

test('of concurrent reads the one that started last is stored, for each key', async () => {
  const read = createLatestRead();
  const kept: string[] = [];
  const keep = (value: string) => void kept.push(value);
  let finishFirst = (_value: string) => {};
  const first = read(1, () => new Promise<string>((resolve) => (finishFirst = resolve)), keep);
  await read(1, () => Promise.resolve('second'), keep);
  finishFirst('first');
  await first;
  await read(2, () => Promise.resolve('of another'), keep);
  await read(1, () => Promise.resolve('third'), keep);
  expect(kept).toEqual(['second', 'of another', 'third']);
});

test('a failing read stores no value and rejects for its caller', async () => {
  const read = createLatestRead();
  await expect(
    read(
      1,
      () => Promise.reject(new Error('closed')),
      () => {},
    ),
  ).rejects.toThrow('closed');
});
