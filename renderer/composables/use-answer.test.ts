import { expect, test } from 'vitest';
import { useAnswer } from './use-answer.ts';

test('an older answer that comes late is not shown', async () => {
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

test('a failure stands beside the last answer, and goes with the next', async () => {
  const answers = [async () => 1, () => Promise.reject(new Error('no')), async () => 2];
  const { answer, failure, ask } = useAnswer(() => answers.shift()!());
  await ask();
  await ask();
  expect([answer.value, failure.value]).toEqual([1, new Error('no')]);
  await ask();
  expect([answer.value, failure.value]).toEqual([2, null]);
});
