import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/support/patience.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { InterruptedError, type Analytics } from '../../db/db.ts';
import { createStatementCache, type StatementOptions, type Statement } from './statement-cache.ts';

const NOW = Date.UTC(2026, 10, 20);

async function openCache(answeredAtMost?: number) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const sent: string[] = [];
  const stream: Analytics['stream'] = (sql, ...rest) => {
    sent.push(sql);
    return store.analytics.stream(sql, ...rest);
  };
  const limit = answeredAtMost === undefined ? {} : { answeredAtMost };
  return { cache: createStatementCache({ analytics: { stream }, clock: () => NOW, ...limit }), sent };
}

const of = (sql: string, more: Partial<Statement> = {}): Statement => ({
  projectId: 1,
  version: 1,
  sql,
  params: {},
  columns: 1,
  readsStored: false,
  ...more,
});
const asked = (more: Partial<StatementOptions> = {}): StatementOptions => ({
  after: 0,
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  ...more,
});
/** Takes the engine far longer than any test. */
const ENDLESS =
  'SELECT count(*) AS c0 FROM range(1000000) a, range(1000000) b WHERE a.range * b.range % 7 = 3';

describe('statements', () => {
  test('that are identical and concurrent, or repeated, run once while no data changes', async () => {
    const { cache, sent } = await openCache();
    const all = await Promise.all(Array.from({ length: 20 }, () => cache.run(of('SELECT 7 AS c0'), asked())));
    expect(all.map(({ rows }) => rows)).toEqual(Array.from({ length: 20 }, () => [[7]]));
    expect(await cache.run(of('SELECT 7 AS c0'), asked())).toEqual({ rows: [[7]], at: NOW, isCached: true });
    expect(sent).toHaveLength(1);
  });

  test('of another version, project, text or parameter are separate', async () => {
    const { cache, sent } = await openCache();
    const sql = 'SELECT $x + 1 AS c0';
    const base = of(sql, { params: { x: 1 } });
    const others = [
      base,
      { ...base, version: 2 },
      { ...base, projectId: 2 },
      { ...base, params: { x: 2 } },
      { ...base, params: { x: 2n } },
      { ...base, sql: `${sql} ` },
    ];
    for (const other of others) expect((await cache.run(other, asked())).isCached).toBe(false);
    expect(sent).toHaveLength(others.length);
  });

  test('a result for older data never replaces a newer one', async () => {
    const { cache } = await openCache();
    const sql = 'SELECT 7 AS c0';
    await cache.run(of(sql, { version: 2 }), asked());
    await cache.run(of(sql, { version: 1 }), asked());
    expect(cache.find(of(sql, { version: 2 }), 0)).toMatchObject({ rows: [[7]] });
    expect(cache.find(of(sql, { version: 1 }), 0)).toBeNull();
  });

  test('are run again when the request needs a newer result, and then cached', async () => {
    const { cache, sent } = await openCache();
    const statement = of('SELECT 7 AS c0');
    await cache.run(statement, asked());
    const after = cache.sequence();
    expect((await cache.run(statement, asked({ after }))).isCached).toBe(false);
    expect((await cache.run(statement, asked({ after }))).isCached).toBe(true);
    expect(sent).toHaveLength(2);
  });

  test('a failure is returned to all waiting requests, and is not cached', async () => {
    const { cache, sent } = await openCache();
    const statement = of(`SELECT 'x'::INTEGER + range AS c0 FROM range(3)`);
    const waiting = [1, 2].map(() => cache.run(statement, asked()));
    for (const one of await Promise.allSettled(waiting)) expect(one.status).toBe('rejected');
    await expect(cache.run(statement, asked())).rejects.toThrow('Conversion Error');
    expect(sent).toHaveLength(2);
  });

  test('continue while a request waits, and are interrupted when none does', async () => {
    const { cache, sent } = await openCache();
    const [one, other] = [new AbortController(), new AbortController()];
    const statement = of(ENDLESS);
    const first = cache.run(statement, asked({ signal: one.signal }));
    const second = cache.run(statement, asked({ signal: other.signal }));
    one.abort();
    await expect(first).rejects.toThrow('No request waits');
    // A later request joins the other one.
    const third = cache.run(statement, asked({ signal: one.signal }));
    await expect(third).rejects.toThrow('No request waits');
    expect(sent).toHaveLength(1);
    other.abort();
    await expect(second).rejects.toThrow('No request waits');
    // The lanes are free again.
    const free = await Promise.all([1, 2, 3, 4].map((n) => cache.run(of(`SELECT ${n} AS c0`), asked())));
    expect(free.map(({ rows }) => rows[0])).toEqual([[1], [2], [3], [4]]);
    expect((await cache.run(of('SELECT 5 AS c0'), asked())).rows).toEqual([[5]]);
  });

  test('end at their time limit', async () => {
    const { cache } = await openCache();
    await expect(cache.run(of(ENDLESS), asked({ timeoutMs: 50 }))).rejects.toThrow(InterruptedError);
  });

  test('that are shared end for each request at its own time limit', async () => {
    const { cache, sent } = await openCache();
    const stop = new AbortController();
    const patient = cache.run(of(ENDLESS), asked({ timeoutMs: 600_000, signal: stop.signal }));
    await expect(cache.run(of(ENDLESS), asked({ timeoutMs: 50 }))).rejects.toThrow(InterruptedError);
    expect(sent).toHaveLength(1);
    stop.abort();
    await expect(patient).rejects.toThrow('No request waits');
  });

  test('are run again for a request with a longer time limit than the first', async () => {
    const { cache, sent } = await openCache();
    const stop = new AbortController();
    const hasty = cache.run(of(ENDLESS), asked({ timeoutMs: 50 }));
    const patient = cache.run(of(ENDLESS), asked({ timeoutMs: 600_000, signal: stop.signal }));
    await expect(hasty).rejects.toThrow(InterruptedError);
    await vi.waitFor(() => expect(sent).toHaveLength(2), PATIENCE_MS);
    stop.abort();
    await expect(patient).rejects.toThrow('No request waits');
  });

  test('whose result is too large for memory are stopped', async () => {
    const { cache } = await openCache(1_000_000);
    const endless = of(`SELECT repeat('x', 1000) || range AS c0 FROM range(1000000)`);
    await expect(cache.run(endless, asked())).rejects.toMatchObject({ errorName: 'result_too_large' });
  });

  test('results without rows are cached too', async () => {
    const { cache, sent } = await openCache();
    const nothing = of('SELECT 7 AS c0 WHERE false');
    expect((await cache.run(nothing, asked())).rows).toEqual([]);
    expect(await cache.run(nothing, asked())).toMatchObject({ rows: [], isCached: true });
    expect(sent).toHaveLength(1);
  });

  test('large results are returned, and only small ones are cached', async () => {
    const { cache } = await openCache();
    const large = of(`SELECT repeat('x', 1000000) || range AS c0 FROM range(20)`);
    expect((await cache.run(large, asked())).rows).toHaveLength(20);
    expect(cache.find(large, 0)).toBeNull();
  });
});
