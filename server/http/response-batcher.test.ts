import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createResponseBatcher } from './response-batcher.ts';

/** Answers that note in which order they were ended, and with what. */
function answers() {
  const ended: [name: string, body: unknown][] = [];
  const answer = (name: string) =>
    ({ end: (body: unknown) => void ended.push([name, body]) }) as unknown as ServerResponse;
  return { ended, answer };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('responses of one turn are sent together at its end, in order, each once', async () => {
  const { ended, answer } = answers();
  const burst = createResponseBatcher(() => 0);
  burst.end(answer('a'), '{"status":1}');
  burst.end(answer('b'), undefined);
  expect(ended).toEqual([]);
  await turn();
  expect(ended).toEqual([
    ['a', '{"status":1}'],
    ['b', undefined],
  ]);
  burst.end(answer('c'), '');
  await turn();
  await turn();
  expect(ended.slice(2)).toEqual([['c', '']]);
});

test('those of a long turn are sent before it ends, too', async () => {
  const { ended, answer } = answers();
  let now = 10;
  const burst = createResponseBatcher(() => now);
  burst.end(answer('a'), 'a');
  now = 11;
  burst.end(answer('b'), 'b');
  expect(ended).toEqual([]);
  now = 11.5;
  burst.end(answer('c'), 'c');
  expect(ended.map(([name]) => name)).toEqual(['a', 'b', 'c']);
  burst.end(answer('d'), 'd');
  await turn();
  expect(ended.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd']);
});
