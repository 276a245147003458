// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, type EffectScope } from 'vue';
import { usePolling } from './use-polling.ts';

let scope: EffectScope;
let calls: number;

beforeEach(() => {
  vi.useFakeTimers();
  calls = 0;
  scope = effectScope();
  scope.run(() =>
    usePolling(async () => {
      calls += 1;
    }, 2_000),
  );
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

/** How often the task runs in so many seconds. */
async function callsIn(seconds: number): Promise<number> {
  const before = calls;
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  return calls - before;
}

test('after a minute without pointer and keys a task is polled five times as rarely', async () => {
  expect(await callsIn(20)).toBe(10);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await callsIn(100)).toBe(10);
});

test('a key runs it without delay, and then as often as before', async () => {
  await vi.advanceTimersByTimeAsync(91_000);
  window.dispatchEvent(new KeyboardEvent('keydown'));
  expect(await callsIn(0.5)).toBe(1);
  expect(await callsIn(20)).toBe(10);
});

test('a task whose data is loaded already is first called after the interval', async () => {
  let later = 0;
  scope.run(() => usePolling(async () => void (later += 1), 2_000, { isLater: true }));
  expect(later).toBe(0);
  await vi.advanceTimersByTimeAsync(4_500);
  expect(later).toBe(2);
});

test('a scope that ends polls no more', async () => {
  scope.stop();
  expect(await callsIn(300)).toBe(0);
});
