import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCommitBatching, type CommitBatching } from './commit-batching.ts';

let gathering: CommitBatching;
let isDone: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  gathering = createCommitBatching();
  isDone = false;
});

afterEach(() => {
  vi.useRealTimers();
});

/** Begins to wait, as the writer does when something has come. */
async function begin(): Promise<void> {
  void gathering.wait().then(() => (isDone = true));
  await pass(0);
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

test('a single sender does not wait', async () => {
  gathering.expect(1);
  gathering.waiting(1, 1);
  await begin();

  expect(isDone).toBe(true);
});

test('a group is complete when all active clients have sent again', async () => {
  gathering.expect(3);
  gathering.waiting(1, 1);
  await begin();
  gathering.waiting(2, 2);
  await pass(0);
  expect(isDone).toBe(false);

  gathering.waiting(3, 3);
  await pass(0);
  expect(isDone).toBe(true);
});

test('no client waits longer than a moment for clients that do not send', async () => {
  gathering.expect(50);
  gathering.waiting(1, 1);
  await begin();
  await pass(1);
  expect(isDone).toBe(false);

  await pass(1);
  expect(isDone).toBe(true);
});

test('while many clients arrive a group waits longer, but not without limit', async () => {
  gathering.expect(100);
  gathering.waiting(1, 1);
  await begin();
  let requests = 1;
  for (let ms = 0; ms < 5; ms++) {
    gathering.waiting((requests += 10), requests);
    await pass(1);
    expect(isDone).toBe(false);
  }

  gathering.waiting((requests += 10), requests);
  await pass(1);
  expect(isDone).toBe(true);
});

test('many requests or rows do not wait for more', async () => {
  gathering.expect(1_000);
  gathering.waiting(128, 128);
  await begin();
  expect(isDone).toBe(true);

  isDone = false;
  gathering.waiting(1, 1_000);
  await begin();
  expect(isDone).toBe(true);
});
