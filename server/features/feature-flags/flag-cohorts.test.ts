import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFlag, filtersOn, FLAGS, patchFlag, postFlag } from '../../../test/support/app-flags.ts';
import { createKey } from '../../../test/support/owner-calls.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { flagDefinitions } from './feature-flags.contract.ts';

const COHORTS = '/api/projects/1/cohorts/';
const onCohort = (value: unknown, more: object = {}) =>
  filtersOn([{ key: 'id', type: 'cohort', value, ...more }]);
const planIs = (plan: string) => ({ key: 'plan', type: 'person', operator: 'exact', value: [plan] });
const rule = (...values: object[]) => ({ properties: { type: 'AND', values } });
const SEEN = {
  key: '$pageview',
  type: 'behavioral',
  value: 'performed_event',
  event_type: 'events',
  time_value: 30,
  time_interval: 'day',
};

async function createCohort(app: TestApp, name: string, filters: object): Promise<number> {
  const answer = await app.ask(COHORTS, { method: 'POST', body: { name, filters } });
  expect(answer.status).toBe(201);
  return answer.json.id;
}

async function addPersons(app: TestApp): Promise<void> {
  const batch = ['pro', 'free', 'pro'].map((plan, n) => ({
    event: '$identify',
    distinct_id: `u${n}`,
    properties: { $set: { plan } },
  }));
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
}

async function valueFor(app: TestApp, distinct_id: string, key: string): Promise<unknown> {
  const body = { token: TEST_TOKEN, distinct_id };
  return (await app.ask('/decide/?v=3', { method: 'POST', key: null, body })).json.featureFlags[key];
}

describe('M9.1/filters a flag on a cohort', () => {
  test('shows the name of the cohort, also after it is renamed, and follows its rule immediately', async () => {
    const app = await openTestApp();
    await addPersons(app);
    const id = await createCohort(app, 'Payers', rule(planIs('pro')));
    const flag = await createFlag(app, 'a', { filters: onCohort(id) });
    const shown = (json: any) => json.filters.groups[0].properties[0];
    expect(shown(flag)).toEqual({ key: 'id', type: 'cohort', value: id, cohort_name: 'Payers' });
    await app.ask(`${COHORTS}${id}/`, { method: 'PATCH', body: { name: 'Customers' } });
    expect(shown((await app.ask(`${FLAGS}${flag.id}/`)).json).cohort_name).toBe('Customers');
    expect(shown((await app.ask(FLAGS)).json.results[0]).cohort_name).toBe('Customers');
    // The response is written back: its cohort name is not a change.
    const version = { version: 1, original_flag: flag };
    await patchFlag(app, flag.id, { name: 'x' });
    expect((await patchFlag(app, flag.id, { filters: flag.filters, active: true, ...version })).status).toBe(
      200,
    );
    expect([await valueFor(app, 'u0', 'a'), await valueFor(app, 'u1', 'a')]).toEqual([true, false]);
    await app.ask(`${COHORTS}${id}/`, { method: 'PATCH', body: { filters: rule(planIs('free')) } });
    expect([await valueFor(app, 'u0', 'a'), await valueFor(app, 'u1', 'a')]).toEqual([false, true]);
  });

  test('is created, or its cohort is deleted or gets a behavioral condition, when both are requested concurrently', async () => {
    const store = await openTestStore();
    onTestFinished(() => store.close());
    // The memory is updated as late as possible after a flag was created.
    const all: typeof store.db.all = async (sql, ...rest) => {
      if (sql.includes('revision > $revision')) await wait(40);
      return store.db.all(sql, ...rest);
    };
    const app = await openTestApp({ store: { ...store, db: { ...store.db, all } } });
    const changes = [{ deleted: true }, { filters: rule({ ...SEEN, key: 'signup' }) }];
    for (const [n, body] of changes.entries()) {
      const id = await createCohort(app, `Payers ${n}`, rule(planIs('pro')));
      const making = postFlag(app, {
        key: `on-${n}`,
        filters: onCohort(id),
        _should_create_usage_dashboard: false,
      });
      const [made, changed] = await Promise.all([
        making,
        app.ask(`${COHORTS}${id}/`, { method: 'PATCH', body }),
      ]);
      expect([made.status, changed.status].toSorted(), changed.text).toEqual(
        made.status === 201 ? [201, 400] : [200, 400],
      );
    }
  });

  test('that is missing, deleted, or behavioral is refused', async () => {
    const app = await openTestApp();
    const gone = await createCohort(app, 'Gone', rule(planIs('pro')));
    await app.ask(`${COHORTS}${gone}/`, { method: 'PATCH', body: { deleted: true } });
    const doers = await createCohort(app, 'Doers', rule(SEEN));
    const within = await createCohort(app, 'Within', rule({ key: 'id', type: 'cohort', value: doers }));
    for (const [id, code] of [
      [99, 'cohort_does_not_exist'],
      [gone, 'cohort_does_not_exist'],
      [doers, 'behavioral_cohort_found'],
      [within, 'behavioral_cohort_found'],
    ] as const) {
      const { status, json } = await postFlag(app, { key: 'a', filters: onCohort(id) });
      expect([status, json.code, json.attr]).toEqual([400, code, 'filters']);
    }
  });

  test('M9.1/patch cannot be restored when its cohort was deleted meanwhile', async () => {
    const app = await openTestApp();
    const cohort = await createCohort(app, 'Payers', rule(planIs('pro')));
    const { id } = await createFlag(app, 'a', { filters: onCohort(cohort) });
    await patchFlag(app, id, { deleted: true });
    await app.ask(`${COHORTS}${cohort}/`, { method: 'PATCH', body: { deleted: true } });
    expect((await patchFlag(app, id, { deleted: false })).json.code).toBe('cohort_does_not_exist');
    expect((await patchFlag(app, id, { deleted: false, filters: filtersOn([]) })).status).toBe(200);
  });

  test('9.3 is sent to SDKs that request cohorts, with nested ones; static ones are not sent', async () => {
    const app = await openTestApp();
    const inner = await createCohort(app, 'Inner', rule(planIs('pro')));
    const outer = await createCohort(app, 'Outer', rule({ key: 'id', type: 'cohort', value: inner }));
    await createCohort(app, 'Unused', rule(planIs('free')));
    const fixed = (await app.ask(COHORTS, { method: 'POST', body: { name: 'Fixed', is_static: true } })).json
      .id;
    await createFlag(app, 'a', { filters: onCohort(outer, { negation: true }) });
    await createFlag(app, 'b', { filters: onCohort(fixed) });
    const read = async (query: string) =>
      flagDefinitions.parse((await app.ask(`/flags/definitions?token=${TEST_TOKEN}${query}`)).json);
    const { flags, cohorts } = await read('&send_cohorts');
    expect(Object.keys(cohorts)).toEqual([String(inner), String(outer)]);
    expect(cohorts[String(inner)]).toMatchObject({ type: 'AND' });
    // SDKs read no negation of a flag's own condition.
    const [property] = flags.map((flag: any) => flag.filters.groups[0].properties[0]);
    expect(property).toEqual({ key: 'id', type: 'cohort', value: outer, operator: 'not_in' });
    expect((await read('')).cohorts).toEqual({});
    // A rule that changes is a change of the definitions.
    const etagOf = async () => (await app.ask('/flags/definitions?send_cohorts')).headers['etag'];
    const before = await etagOf();
    await app.ask(`${COHORTS}${inner}/`, { method: 'PATCH', body: { filters: rule(planIs('team')) } });
    expect(await etagOf()).not.toBe(before);
  });
});

describe('M9.1/create_static_cohort_for_flag all persons with a flag on', () => {
  const make = (app: TestApp, id: number, key?: string) =>
    app.ask(`${FLAGS}${id}/create_static_cohort_for_flag/`, { method: 'POST', ...(key ? { key } : {}) });

  test('are stored as a static cohort', async () => {
    const app = await openTestApp();
    await addPersons(app);
    const { id } = await createFlag(app, 'for-pro', { filters: filtersOn([planIs('pro')]) });
    const answer = await make(app, id);
    expect(answer.status).toBe(201);
    const { cohort } = answer.json;
    expect(cohort).toMatchObject({ is_static: true, count: 2, name: expect.stringContaining('for-pro') });
    const persons = (await app.ask(`${COHORTS}${cohort.id}/persons/`)).json.results;
    expect(persons.map(({ properties }: any) => properties.plan)).toEqual(['pro', 'pro']);
    await createFlag(app, 'for-them', { filters: onCohort(cohort.id) });
    expect([await valueFor(app, 'u2', 'for-them'), await valueFor(app, 'u1', 'for-them')]).toEqual([
      true,
      false,
    ]);
  });

  test('is empty for a flag that is off, and refused for one on groups', async () => {
    const app = await openTestApp();
    await addPersons(app);
    const off = await createFlag(app, 'off', { active: false });
    expect((await make(app, off.id)).json.cohort.count).toBe(0);
    const groups = await createFlag(app, 'groups', {
      filters: { ...filtersOn([]), aggregation_group_type_index: 0 },
    });
    const { status, json } = await make(app, groups.id);
    expect([status, json.code]).toEqual([400, 'invalid_input']);
    expect((await make(app, 99)).status).toBe(404);
  });

  test('needs cohort:write and feature_flag:read', async () => {
    const app = await openTestApp();
    const { id } = await createFlag(app, 'a');
    for (const [scopes, status] of [
      [['cohort:write'], 403],
      [['feature_flag:write'], 403],
      [['cohort:write', 'feature_flag:read'], 201],
    ] as const)
      expect((await make(app, id, await createKey(app, scopes))).status).toBe(status);
  });
});
