import { expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import type { StoreState } from '../../warehouse/duckdb/event-store.ts';

const QUERIES = ['SELECT uniq(person_id) FROM events', 'SELECT count(DISTINCT person_id) FROM sessions'];

async function counted(app: TestApp): Promise<unknown[]> {
  const asked = QUERIES.map((query) =>
    app.ask('/api/projects/1/query/', { method: 'POST', body: { query: { kind: 'HogQLQuery', query } } }),
  );
  return (await Promise.all(asked)).map(({ json }) => json.results[0][0]);
}

async function mayHaveMerges(app: TestApp, projectId: number): Promise<boolean> {
  const state = await app.store.service('capture').call<StoreState>({ kind: 'store.state', projectId });
  return state.mayHaveMerges;
}

test('M9.9 merges are looked up only once a project has some, and from the first one on', async () => {
  const app = await openTestApp();
  const properties = { $session_id: 's-somebody' };
  await sendEvents(app, [
    { event: 'view', distinct_id: 'somebody', properties },
    { event: 'view', distinct_id: 'lin', properties: { $session_id: 's-lin' } },
  ]);
  expect(await counted(app)).toEqual([2, 2]);
  expect(await mayHaveMerges(app, 1)).toBe(false);
  await sendEvents(app, [
    { event: '$identify', distinct_id: 'lin', properties: { $anon_distinct_id: 'somebody' } },
  ]);
  expect(await counted(app)).toEqual([1, 1]);
  expect(await mayHaveMerges(app, 1)).toBe(true);
  expect(await mayHaveMerges(app, 2)).toBe(false);
});
