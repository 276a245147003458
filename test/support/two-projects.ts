import { expect } from 'vitest';
import { sendEvents } from './send-events.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/** Contained in every text of the other project, and in no query. */
export const MARK = 'zq7-foreign';

/** Project 1 has two events, and another project has others, each text of which is marked. */
export async function openTwoProjects(store?: TestApp['store']): Promise<TestApp> {
  const app = await openTestApp(store === undefined ? {} : { store });
  const created = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Other' },
  });
  expect(created.status).toBe(201);
  const properties = {
    a: MARK,
    [`${MARK}-key`]: 1,
    $session_id: `${MARK}-session`,
    $set: { a: MARK, email: `${MARK}@x.test` },
    $groups: { company: `${MARK}-company` },
    '$feature/a': MARK,
  };
  const foreign = [1, 2, 3].map((n) => ({ event: `${MARK}-event`, distinct_id: `${MARK}-${n}`, properties }));
  await sendEvents(app, foreign, created.json.api_token);
  await sendEvents(app, [
    { event: 'mine', properties: { a: 'own', $set: { a: 'own' }, $groups: { company: 'own' } } },
    { event: 'mine', distinct_id: 'u2' },
  ]);
  return app;
}
