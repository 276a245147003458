import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createResponseBatcher } from './response-batcher.ts';

/** Responses that record the order in which they are ended, and their bodies. */
function answers() {
  const ended: [name: string, body: unknown][] = [];
  const answer = (name: string) =>
    ({ end: (body: unknown) => void ended.push([name, body]) }) as unknown as ServerResponse;
  return { ended, answer };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('responses of one event loop turn are ended together, in order, each once', async () => {
  const { ended, answer } = answers();
  const batcher = createResponseBatcher(() => 0);
  batcher.end(answer('a'), '{"status":1}');
  batcher.end(answer('b'), undefined);
  expect(ended).toEqual([]);
  await turn();
  expect(ended).toEqual([
    ['a', '{"status":1}'],
    ['b', undefined],
  ]);
  batcher.end(answer('c'), '');
  await turn();
  await turn();
  expect(ended.slice(2)).toEqual([['c', '']]);
});

test('waiting responses are ended within a long turn as well', async () => {
  const { ended, answer } = answers();
  let now = 10;
  const batcher = createResponseBatcher(() => now);
  batcher.end(answer('a'), 'a');
  now = 11;
  batcher.end(answer('b'), 'b');
  expect(ended).toEqual([]);
  now = 11.5;
  batcher.end(answer('c'), 'c');
  expect(ended.map(([name]) => name)).toEqual(['a', 'b', 'c']);
  batcher.end(answer('d'), 'd');
  await turn();
  expect(ended.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd']);
});
