import { expect, test, vi } from 'vitest';
import { createBodyPool } from './body-pool.ts';

test('a buffer is at least as large as requested, and is reused once it was released', () => {
  const pool = createBodyPool();
  for (const bytes of [0, 1, 65_536, 65_537, 20_971_520]) {
    const buffer = pool.take(bytes);
    expect(buffer.byteLength).toBeGreaterThanOrEqual(bytes);
    expect(buffer.byteLength).toBeLessThanOrEqual(Math.max(65_536, bytes * 2));
    expect(pool.take(bytes)).not.toBe(buffer);
    pool.giveBack([buffer]);
    expect(pool.take(bytes)).toBe(buffer);
  }
});

test('unused buffers are freed', () => {
  vi.useFakeTimers();
  const pool = createBodyPool();
  const buffer = pool.take(1);
  pool.giveBack([buffer]);
  vi.advanceTimersByTime(2_001);
  expect(pool.take(1)).not.toBe(buffer);
  vi.useRealTimers();
});

test('the pool is limited in size', () => {
  const pool = createBodyPool();
  const large = Array.from({ length: 5 }, () => new ArrayBuffer(33_554_432));
  pool.giveBack(large);
  const taken = large.map(() => pool.take(33_554_432));
  expect(taken.filter((buffer) => large.includes(buffer))).toHaveLength(1);
});
