import { expect, test } from 'vitest';
import { useAnswer } from './use-answer.ts';

test('a stale result that arrives late is not shown', async () => {
  const waiting: ((answer: string) => void)[] = [];
  const { answer, isAsking, ask } = useAnswer(() => new Promise<string>((resolve) => waiting.push(resolve)));
  const first = ask();
  const second = ask();
  waiting[1]!('new');
  await second;
  expect([answer.value, isAsking.value]).toEqual(['new', false]);
  waiting[0]!('old');
  await first;
  expect(answer.value).toBe('new');
});

test('an error is shown beside the last result and cleared by the next one', async () => {
  const answers = [async () => 1, () => Promise.reject(new Error('no')), async () => 2];
  const { answer, failure, ask } = useAnswer(() => answers.shift()!());
  await ask();
  await ask();
  expect([answer.value, failure.value]).toEqual([1, new Error('no')]);
  await ask();
  expect([answer.value, failure.value]).toEqual([2, null]);
});

test('a stopped query is aborted, and keeps the last result without an error', async () => {
  const signals: AbortSignal[] = [];
  const { answer, failure, isAsking, ask, stop } = useAnswer((signal) => {
    signals.push(signal);
    if (signals.length === 1) return Promise.resolve('known');
    return new Promise<string>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('gone'))),
    );
  });
  await ask();
  const second = ask();
  const third = ask();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
  stop();
  await Promise.all([second, third]);
  expect(signals[2]!.aborted).toBe(true);
  expect([answer.value, failure.value, isAsking.value]).toEqual(['known', null, false]);
});
