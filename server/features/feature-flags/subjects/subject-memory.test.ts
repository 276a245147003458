import { expect, test } from 'vitest';
import { createSubjectMemory } from './flag-subjects.service.ts';

test('the least recently used value is evicted first, when there are too many', () => {
  const forgotten: string[] = [];
  const memory = createSubjectMemory<number>({ entries: 2, characters: 1e9 }, (value) =>
    forgotten.push(`${value}`),
  );
  memory.put('a', 1, 0);
  memory.put('b', 2, 0);
  expect(memory.get('a')).toBe(1);
  memory.put('c', 3, 0);
  expect([memory.get('a'), memory.get('b'), memory.get('c')]).toEqual([1, undefined, 3]);
  expect(forgotten).toEqual(['2']);
});

test('and when their total size is too large, also a single one', () => {
  const memory = createSubjectMemory<string>({ entries: 100, characters: 10_000 });
  for (let n = 0; n < 20; n++) memory.put(`k${n}`, 'x', 1_000);
  const kept = [...memory.keys()];
  expect(kept.length).toBeLessThan(10);
  expect(kept.at(-1)).toBe('k19');
  memory.put('large', 'x', 1_000_000);
  expect(memory.get('large')).toBeUndefined();
  expect([...memory.keys()]).toEqual([]);
});

test('a value put again is counted once', () => {
  const memory = createSubjectMemory<number>({ entries: 10, characters: 5_000 });
  for (let n = 0; n < 100; n++) memory.put('same', n, 1_000);
  memory.put('other', 1, 1_000);
  expect([memory.get('same'), memory.get('other')]).toEqual([99, 1]);
});
