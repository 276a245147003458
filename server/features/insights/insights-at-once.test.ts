import { expect, test } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import type { Answering, StoredQuery } from '../query/index.ts';
import { createInsightAnswers } from './insight-answers.ts';
import type { InsightJson } from './insights.contract.ts';

/** Insights of which each asks something else. */
const insights = Array.from({ length: 12 }, (_, id) => ({
  id,
  query: { kind: 'HogQLQuery', query: `select ${id}` },
})) as unknown as InsightJson[];

/** Computes only on request, and counts the waiting computations. */
function openCounting() {
  const waiting: (() => void)[] = [];
  let [now, most, begun] = [0, 0, 0];
  const answer = async (query: StoredQuery) => {
    begun++;
    now++;
    most = Math.max(most, now);
    await new Promise<void>((resolve) => waiting.push(resolve));
    now--;
    return { results: [query['query']] } as never;
  };
  const answers = createInsightAnswers({
    queries: { open: async (): Promise<Answering> => ({ answer }), begin: () => expect.fail() as never },
    findProject: (id) => ({ id, timezone: 'UTC' }),
    failures: { note: () => undefined },
    log: silentLog,
  });
  return { answers, waiting, seen: () => ({ most, begun }) };
}

const settled = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

test('M3.4 two tiles of a dashboard are computed at a time, in any order of completion, and all are returned in order', async () => {
  const { answers, waiting, seen } = openCounting();
  const filled = answers.fillAll(1, insights, { actor: null as never, signal: new AbortController().signal });
  for (let done = 0; done < insights.length; done++) {
    await settled();
    // Now the older one, now the newer one.
    const next = done % 3 === 1 ? waiting.pop() : waiting.shift();
    expect(next, `after ${done}`).toBeDefined();
    next!();
  }
  expect((await filled).map(({ result }) => result)).toEqual(insights.map(({ id }) => [`select ${id}`]));
  expect(seen()).toEqual({ most: 2, begun: insights.length });
});
