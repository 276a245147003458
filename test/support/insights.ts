import type { TestApp, TestResponse } from './test-app.ts';

/** Insights over HTTP, as clients call them. */
export const INSIGHTS = '/api/projects/1/insights/';

export const insightAt = (key: number | string, action = '') => `${INSIGHTS}${key}/${action}`;

export function postInsight(app: TestApp, body: unknown = {}): Promise<TestResponse> {
  return app.ask(INSIGHTS, { method: 'POST', body });
}

export function patchInsight(app: TestApp, key: number | string, body: unknown): Promise<TestResponse> {
  return app.ask(insightAt(key), { method: 'PATCH', body });
}

/** Stores an insight as a client does; returns its id. */
export async function storeInsight(app: TestApp, body: object = {}): Promise<number> {
  const made = await postInsight(app, body);
  if (made.status !== 201) throw new Error(`The insight was not stored: ${made.text}`);
  return made.json.id;
}

/** Stores an insight whose query no longer names a table, as one does that was written before queries were compiled. */
export async function storeUnanswered(app: TestApp, body: object = {}): Promise<number> {
  const id = await storeInsight(app, { ...body, query: { kind: 'HogQLQuery', query: 'select 1' } });
  const query = JSON.stringify({ kind: 'HogQLQuery', query: 'select x from nothing' });
  await app.store.db.run('UPDATE insights SET query = $query WHERE id = $id', { query, id });
  return id;
}

/** A query that can be stored. */
export const SIGNUPS = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }] },
};
