import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { effectScope, type EffectScope } from 'vue';
import type { TileInsight } from './dashboard-draft.ts';
import { useTileAnswers } from './use-tile-answers.ts';

/** Pending requests, in order. */
let waiting: { url: string; signal: AbortSignal; answer(response: Response): void }[];
let scope: EffectScope;
let tiles: ReturnType<typeof useTileAnswers>;

beforeEach(() => {
  waiting = [];
  vi.stubGlobal(
    'fetch',
    (url: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((answer) => waiting.push({ url, signal, answer })),
  );
  scope = effectScope();
  tiles = scope.run(() => useTileAnswers(1, 7))!;
});
afterEach(() => {
  scope.stop();
  vi.unstubAllGlobals();
});

const query = { kind: 'HogQLQuery', query: 'SELECT 1' };
const insight = { id: 5, short_id: 'x', name: 'One', description: '', query } as TileInsight;
const answerOf = (value: number) => Response.json({ results: [[value]] });
const streamOf = (value: number) =>
  new Response(
    `data: ${JSON.stringify({ type: 'tile', tile: { insight: { id: 5, query, result: [[value]] } } })}\n\n`,
  );
const shown = () => tiles.answers.get(5)?.answer.results;

describe('a stale result that arrives late is not shown', () => {
  test('of a tile that was refreshed twice', async () => {
    const first = tiles.askOne(insight, {});
    const second = tiles.askOne(insight, {}, 'force_blocking');
    expect(waiting.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    waiting[1]!.answer(answerOf(2));
    await second;
    waiting[0]!.answer(answerOf(1));
    await first;
    expect([shown(), tiles.waiting.size, tiles.failures.size]).toEqual([[[2]], 0, 0]);
  });

  test('of a tile, after all tiles were refreshed', async () => {
    const one = tiles.askOne(insight, {});
    const all = tiles.askAll([insight], {});
    waiting[1]!.answer(streamOf(2));
    await all;
    waiting[0]!.answer(answerOf(1));
    await one;
    expect([shown(), tiles.waiting.size]).toEqual([[[2]], 0]);
  });

  test('of all tiles, after the tile was refreshed alone', async () => {
    const all = tiles.askAll([insight], {});
    const one = tiles.askOne(insight, {}, 'force_blocking');
    waiting[1]!.answer(answerOf(2));
    await one;
    waiting[0]!.answer(streamOf(1));
    await all;
    expect([shown(), tiles.waiting.size]).toEqual([[[2]], 0]);
  });
});

test('a tile is loading until its newest query is done, and an older error is not shown', async () => {
  const first = tiles.askOne(insight, {});
  const second = tiles.askOne(insight, {});
  waiting[0]!.answer(Response.json({ detail: 'No.' }, { status: 400 }));
  await first;
  expect([tiles.waiting.has(5), tiles.failures.size]).toEqual([true, 0]);
  waiting[1]!.answer(answerOf(2));
  await second;
  expect([tiles.waiting.has(5), shown()]).toEqual([false, [[2]]]);
});

test('queries are aborted when the screen is closed', () => {
  void tiles.askAll([insight], {});
  void tiles.askOne({ ...insight, id: 6 }, {});
  scope.stop();
  expect(waiting.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});
