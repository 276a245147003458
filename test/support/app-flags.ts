import { expectStatus } from './owner-calls.ts';
import type { TestApp, TestResponse } from './test-app.ts';

/** Where the flags of project 1 are. */
export const FLAGS = '/api/projects/1/feature_flags/';

export const postFlag = (app: TestApp, body: unknown, path = FLAGS): Promise<TestResponse> =>
  app.ask(path, { method: 'POST', body });

export const patchFlag = (app: TestApp, id: number, body: unknown): Promise<TestResponse> =>
  app.ask(`${FLAGS}${id}/`, { method: 'PATCH', body });

/** Creates a flag, without a usage dashboard unless the body requests it; returns the response. */
export async function createFlag(app: TestApp, key: string, body: object = {}): Promise<any> {
  const answer = await postFlag(app, { key, _should_create_usage_dashboard: false, ...body });
  return expectStatus(201, answer).json;
}

/** Gives a flag filters that the API would refuse, straight in the store. */
export async function storeFilters(app: TestApp, id: number, filters: object): Promise<void> {
  const params = { id, filters: JSON.stringify(filters) };
  await app.store.db.run('UPDATE feature_flags SET filters = $filters WHERE id = $id', params);
  expectStatus(200, await patchFlag(app, id, { name: 'read again' }));
}

/** Filters with one condition of these properties for so many percent. */
export function filtersOn(properties: readonly object[], rollout: number | null = 100) {
  return { groups: [{ properties, rollout_percentage: rollout }] };
}

/** Filters that match when another flag is on. */
export function filtersOnFlag(id: number, value: boolean | string = true) {
  return filtersOn([{ key: String(id), type: 'flag', operator: 'flag_evaluates_to', value }]);
}
