import { describe, expect, test } from 'vitest';
import {
  COHORTS,
  createCohort,
  membersOf,
  patchCohort,
  postCohort,
  ruleOf,
} from '../../../test/support/app-cohorts.ts';
import { openWithThreePersons } from '../../../test/support/app-persons.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { type TestApp } from '../../../test/support/test-app.ts';
import { cohort, cohortPage } from './cohorts.contract.ts';

const NOON = '2026-11-20T09:30:00.000000Z';
const PLAN = { type: 'person', key: 'plan', operator: 'exact', value: ['free'] };

const namesIn = async (app: TestApp, query = '') =>
  cohortPage.parse((await app.ask(COHORTS + query)).json).results.map(({ name }) => name);

describe('M9.2 a cohort', () => {
  test('is created, shown and listed with every field, and counts its members', async () => {
    const app = await openWithThreePersons();
    const { json: owner } = await app.ask('/api/users/@me/');
    const answer = await postCohort(app, {
      name: ' On the free plan ',
      description: 'pays nothing',
      ...ruleOf(PLAN),
      isNew: true,
    });
    expect(answer.status).toBe(201);
    const free = {
      id: 1,
      name: 'On the free plan',
      description: 'pays nothing',
      groups: [],
      deleted: false,
      filters: ruleOf(PLAN).filters,
      query: null,
      version: 1,
      pending_version: 1,
      is_calculating: false,
      created_by: expect.objectContaining({ id: owner.id, email: owner.email }),
      created_at: NOON,
      last_calculation: NOON,
      errors_calculating: 0,
      last_error_message: null,
      count: 2,
      is_static: false,
      cohort_type: 'person_property',
      experiment_set: [],
    };
    expect(cohort.parse(answer.json)).toEqual(free);
    expect((await app.ask(`${COHORTS}1`)).json).toEqual(free);
    const page = (await app.ask('/api/environments/1/cohorts/')).json;
    expect(page).toEqual({ count: 1, next: null, previous: null, results: [free] });
    expect(await membersOf(app, 1)).toEqual(['u2', 'u3']);
  });

  test('is recounted when persons change, and when its rule changes', async () => {
    const app = await openWithThreePersons();
    const { id } = await createCohort(app, ruleOf(PLAN));
    await sendEvents(app, [{ distinct_id: 'u4', $set: { plan: 'free' } }]);
    const read = async () => (await app.ask(`${COHORTS}${id}/`)).json;
    expect((await read()).count).toBe(3);
    const { json: lin } = await app.ask('/api/projects/1/persons/?distinct_id=u1');
    const path = `/api/projects/1/persons/${lin.results[0].id}/`;
    await app.ask(path, { method: 'PATCH', body: { properties: { plan: 'free' } } });
    expect((await read()).count).toBe(4);
    await app.ask(path, { method: 'DELETE' });
    expect((await read()).count).toBe(3);
    const changed = await patchCohort(app, id, ruleOf({ ...PLAN, value: 'pro' }));
    expect(changed.json).toMatchObject({ count: 0, version: 2, pending_version: 2 });
    expect(await namesIn(app)).toEqual(['A cohort']);
  });
});
