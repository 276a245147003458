import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn } from '../../../test/support/app-flags.ts';
import {
  COHORTS,
  createCohort,
  did,
  membersBy,
  membersOf,
  patchCohort,
  postCohort,
  ruleOf,
} from '../../../test/support/app-cohorts.ts';
import { openWithThreePersons } from '../../../test/support/app-persons.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { cohortUsage, preview } from './cohorts.contract.ts';

const P = '/api/projects/1/';
const inCohort = (value: number, more: object = {}) => ({ type: 'cohort', key: 'id', value, ...more });
const FREE = { key: 'plan', value: 'free' };

function errorOf({ status, json }: { status: number; json: any }) {
  return [status, json.code, json.attr];
}

describe('M9.2 a cohort in a cohort', () => {
  test('includes or excludes its members', async () => {
    const app = await openWithThreePersons();
    const free = await createCohort(app, ruleOf(FREE));
    const list = await createCohort(app, { is_static: true, csv: 'u1\nu2' });
    expect(await membersBy(app, inCohort(free.id), inCohort(list.id))).toEqual(['u2']);
    expect(await membersBy(app, inCohort(free.id, { negation: true }))).toEqual(['u1']);
    expect(await membersBy(app, inCohort(list.id, { operator: 'not_in' }))).toEqual(['u3']);
    expect(await membersBy(app, inCohort(list.id, { operator: 'not_in', negation: 'true' }))).toEqual([
      'u1',
      'u2',
    ]);
  });

  test('follows a change of the inner rule immediately', async () => {
    const app = await openWithThreePersons();
    const inner = await createCohort(app, ruleOf(FREE));
    const outer = await createCohort(app, ruleOf(inCohort(inner.id)));
    expect(outer.count).toBe(2);
    await patchCohort(app, inner.id, ruleOf({ key: 'plan', value: 'pro' }));
    expect((await app.ask(`${COHORTS}${outer.id}/`)).json.count).toBe(1);
  });

  test('cannot be circular, directly or indirectly, and the error names the cycle', async () => {
    const app = await openTestApp();
    const a = await createCohort(app, ruleOf());
    const b = await createCohort(app, ruleOf(inCohort(a.id)));
    const c = await createCohort(app, ruleOf(inCohort(b.id)));
    for (const id of [a.id, b.id, c.id]) {
      expect(errorOf(await patchCohort(app, a.id, ruleOf(inCohort(id))))).toEqual([
        400,
        'invalid_input',
        'filters',
      ]);
    }
    const unknown = [400, 'does_not_exist', 'filters'];
    expect(errorOf(await postCohort(app, { name: 'A', ...ruleOf(inCohort(99)) }))).toEqual(unknown);
    await patchCohort(app, c.id, { deleted: true });
    expect(errorOf(await postCohort(app, { name: 'A', ...ruleOf(inCohort(c.id)) }))).toEqual(unknown);
    const { json: other } = await app.ask('/api/organizations/@current/projects/', {
      method: 'POST',
      body: { name: 'Second' },
    });
    const body = { name: 'A', ...ruleOf(inCohort(a.id)) };
    const foreign = await app.ask(`/api/projects/${other.id}/cohorts/`, { method: 'POST', body });
    expect(errorOf(foreign)).toEqual(unknown);
  });

  test('is nested ten deep at most, and has two thousand conditions including nested cohorts', async () => {
    const app = await openTestApp();
    let { id } = await createCohort(app, ruleOf(FREE));
    for (let depth = 2; depth <= 10; depth++) ({ id } = await createCohort(app, ruleOf(inCohort(id))));
    const deeper = await postCohort(app, { name: 'A', ...ruleOf(inCohort(id)) });
    expect(errorOf(deeper)).toEqual([400, 'invalid_input', 'filters']);
    let wide = await createCohort(app, ruleOf(FREE, FREE));
    for (let step = 0; step < 5; step++) {
      wide = await createCohort(app, ruleOf(...Array.from({ length: 3 }, () => inCohort(wide.id))));
    }
    const three = Array.from({ length: 3 }, () => inCohort(wide.id));
    const wider = await postCohort(app, { name: 'A', ...ruleOf(...three) });
    expect(wider.json.detail).toContain('2000 conditions');
  });
});

describe('M9.2 a cohort that is in use', () => {
  const onCohort = (id: number) => ({ filters: filtersOn([{ type: 'cohort', key: 'id', value: id }]) });

  test('is not deleted while live flags or cohorts use it, which are named', async () => {
    const app = await openTestApp();
    const inner = await createCohort(app, { name: 'Inner', ...ruleOf(FREE) });
    const outer = await createCohort(app, { name: 'Outer', ...ruleOf(inCohort(inner.id)) });
    const flag = await createFlag(app, 'new-nav', onCohort(inner.id));
    const refused = await patchCohort(app, inner.id, { deleted: true });
    expect(errorOf(refused)).toEqual([400, 'invalid_input', 'deleted']);
    expect(refused.json.detail).toBe('This cohort is used by the flag new-nav and the cohorts Outer.');
    const { results } = cohortUsage.parse((await app.ask(`${P}burrow/cohorts/usage/`)).json);
    expect(results).toEqual([
      {
        id: inner.id,
        flags: [{ id: flag.id, key: 'new-nav', name: expect.any(String), active: true }],
        cohorts: [{ id: outer.id, name: 'Outer' }],
      },
    ]);
    await app.ask(`${P}feature_flags/${flag.id}/`, { method: 'PATCH', body: { deleted: true } });
    await patchCohort(app, outer.id, { deleted: true });
    expect((await patchCohort(app, inner.id, { deleted: true })).json).toMatchObject({
      deleted: true,
      count: null,
    });
  });

  test('cannot get a behavioral condition while flags use it, directly or indirectly', async () => {
    const app = await openTestApp();
    const inner = await createCohort(app, ruleOf(FREE));
    const outer = await createCohort(app, ruleOf(inCohort(inner.id)));
    await createFlag(app, 'new-nav', onCohort(outer.id));
    const refused = await patchCohort(app, inner.id, ruleOf(did('pay')));
    expect(errorOf(refused)).toEqual([400, 'invalid_input', 'filters']);
    expect(refused.json.detail).toContain('the flag new-nav');
  });
});

describe('M9.2 deleting a cohort', () => {
  test('is done by PATCH: it is missing from the list, still shown by its id, and can be restored', async () => {
    const app = await openWithThreePersons();
    const { id } = await createCohort(app, { is_static: true, csv: 'u1' });
    const gone = (await patchCohort(app, id, { deleted: true })).json;
    expect(gone).toMatchObject({ id, deleted: true });
    expect((await app.ask(COHORTS)).json).toMatchObject({ count: 0, results: [] });
    expect((await app.ask(`${COHORTS}${id}/`)).json).toEqual(gone);
    expect((await app.ask(`${COHORTS}${id}/persons/`)).status).toBe(404);
    expect((await patchCohort(app, id, { name: 'B' })).status).toBe(404);
    expect((await patchCohort(app, id, { deleted: true })).status).toBe(404);
    expect((await patchCohort(app, id, { deleted: false, name: 'B' })).json).toMatchObject({
      name: 'B',
      count: 1,
    });
    const { results } = (await app.ask(`${COHORTS}${id}/activity/`)).json;
    expect(results.map(({ activity }: { activity: string }) => activity)).toEqual([
      'restored',
      'deleted',
      'persons added',
      'created',
    ]);
  });

  test('by DELETE is refused with an empty 405', async () => {
    const app = await openTestApp();
    expect(await app.ask(`${COHORTS}99/`, { method: 'DELETE', key: null })).toMatchObject({
      status: 405,
      text: '',
    });
  });
});

describe('M9.2 the list', () => {
  const names = async (app: TestApp, query: string) =>
    (await app.ask(`${COHORTS}?${query}`)).json.results.map(({ name }: { name: string }) => name);

  test('is filtered by type, search, creator and behavior', async () => {
    const app = await openTestApp();
    await createCohort(app, { name: 'Free ones', ...ruleOf(FREE) });
    await createCohort(app, { name: 'Payers', description: 'not free', ...ruleOf(did('pay')) });
    await createCohort(app, { name: 'List', is_static: true });
    expect(await names(app, '')).toEqual(['List', 'Payers', 'Free ones']);
    expect(await names(app, 'type=static')).toEqual(['List']);
    expect(await names(app, 'type=dynamic')).toEqual(['Payers', 'Free ones']);
    expect(await names(app, 'search=FREE')).toEqual(['Payers', 'Free ones']);
    expect(await names(app, 'hide_behavioral_cohorts=true')).toEqual(['List', 'Free ones']);
    expect(await names(app, 'created_by_id=99')).toEqual([]);
    expect(await names(app, 'limit=1&offset=1')).toEqual(['Payers']);
    const found = (await app.ask(`${P}search/?q=payers`)).json;
    expect(found).toMatchObject({
      results: [{ type: 'cohort', extra_fields: { name: 'Payers' } }],
      counts: { cohort: 1 },
    });
  });

  test('leaves out cohorts hidden by access rules, which cannot be read either', async () => {
    const app = await openTestApp();
    const member = { email: 'grace@local.test' };
    const { json } = await app.ask('/api/organizations/@current/members/', { method: 'POST', body: member });
    const key = json.personal_api_key;
    const { id } = await createCohort(app, ruleOf(FREE));
    const rule = { organization_member: json.id, access_level: 'none' };
    const put = await app.ask(`${COHORTS}${id}/access_controls/`, { method: 'PUT', body: rule });
    expect(put.json).toMatchObject({ resource: 'cohort', resource_id: String(id) });
    expect((await app.ask(COHORTS, { key })).json.count).toBe(0);
    expect((await app.ask(`${COHORTS}${id}/`, { key })).status).toBe(403);
    expect((await app.ask(`${COHORTS}${id}/persons/`, { key })).status).toBe(403);
  });
});

test('M9.2 a rule is previewed without being stored', async () => {
  const app = await openWithThreePersons();
  const ask = (filters: object) =>
    app.ask(`${P}burrow/cohorts/preview/`, { method: 'POST', body: { filters } });
  const shown = preview.parse((await ask(ruleOf(FREE).filters)).json);
  expect(shown).toMatchObject({ count: 2, total: 3 });
  expect(shown.sample.map(({ distinct_ids: ids }) => ids[0])).toEqual(['u3', 'u2']);
  expect((await app.ask(COHORTS)).json.count).toBe(0);
  expect(errorOf(await ask(ruleOf(inCohort(9)).filters))).toEqual([400, 'does_not_exist', 'filters']);
});

describe('M9.2 the old form of a rule', () => {
  test.each([
    [[{ properties: [{ key: 'plan', value: 'free', operator: 'exact', type: 'person' }] }], ['u2', 'u3']],
    [
      [{ properties: { plan: 'pro' } }, { properties: { email__icontains: 'max' } }],
      ['u1', 'u2'],
    ],
    [[{ event_id: 'seen', days: 30 }], ['u1', 'u2', 'u3']],
    [[{ event_id: 'seen', days: 30, count: 2, count_operator: 'gte' }], []],
  ])('%j is translated once, and returned', async (groups, expected) => {
    const app = await openWithThreePersons();
    const made = await createCohort(app, { groups });
    expect(made.groups).toEqual(groups);
    expect(await membersOf(app, made.id)).toEqual(expected);
  });

  test('is refused when a group has no conditions', async () => {
    const app = await openTestApp();
    expect(errorOf(await postCohort(app, { name: 'A', groups: [{}] }))).toEqual([
      400,
      'invalid_input',
      'groups__0',
    ]);
  });

  test('a query that lists persons is a rule too; others are refused', async () => {
    const app = await openWithThreePersons();
    const properties = [{ type: 'person', ...FREE }];
    const made = await createCohort(app, { query: { kind: 'ActorsQuery', properties } });
    expect(made).toMatchObject({ count: 2, query: { kind: 'ActorsQuery' } });
    for (const query of [
      { kind: 'HogQLQuery', query: 'select 1' },
      { kind: 'ActorsQuery', search: 'x' },
      {},
    ]) {
      expect(errorOf(await postCohort(app, { name: 'A', query }))).toEqual([400, 'invalid_input', 'query']);
    }
  });
});

describe('M9.2 invalid cohorts', () => {
  const deep = (levels: number): object =>
    levels === 0 ? FREE : { type: 'AND', values: [deep(levels - 1)] };
  const leaf = 'filters__properties__values__0';
  test.each<[object, string, string]>([
    [{ name: null }, 'null', 'name'],
    [{ name: ' ' }, 'blank', 'name'],
    [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
    [{ description: 'x'.repeat(1001) }, 'max_length', 'description'],
    [{ filters: [] }, 'not_a_dict', 'filters'],
    [{ filters: { properties: [] } }, 'not_a_dict', 'filters__properties'],
    [{ filters: { properties: { type: 'XOR', values: [] } } }, 'invalid_choice', 'filters__properties__type'],
    [{ filters: { properties: { type: 'OR' } } }, 'required', 'filters__properties__values'],
    [{ filters: { properties: deep(20) } }, 'invalid_input', 'filters__properties'],
    [ruleOf(...Array.from({ length: 501 }, () => FREE)), 'invalid_input', 'filters__properties'],
    [ruleOf('x' as never), 'not_a_dict', leaf],
    [ruleOf({ value: 'x' }), 'required', `${leaf}__key`],
    [ruleOf({ type: 'planet', key: 'a', value: 1 }), 'invalid_choice', `${leaf}__type`],
    [ruleOf({ type: 'event', key: 'a', value: 1 }), 'invalid_choice', `${leaf}__type`],
    [ruleOf({ key: 'a', value: 1, operator: 'like' }), 'invalid_choice', `${leaf}__operator`],
    [ruleOf({ key: 'a', value: 1, operator: 'in' }), 'invalid_input', `${leaf}__operator`],
    [ruleOf({ key: 'a', value: 'x', operator: 'gt' }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ key: 'a', value: 'soon', operator: 'is_date_after' }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ key: 'a', value: 1772582400, operator: 'is_date_exact' }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ key: 'a', value: 'x', operator: 'semver_gt' }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ key: 'a', value: '(', operator: 'regex' }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ key: 'a', value: ['a'], operator: 'regex' }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ key: 'a', value: { x: 1 } }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ key: 'a', value: Array.from({ length: 1001 }, () => 'x') }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ type: 'cohort', key: 'id', value: 'x' }), 'invalid_input', `${leaf}__value`],
    [ruleOf({ type: 'cohort', key: 'id', value: 1e12 }), 'invalid_input', `${leaf}__value`],
    [{ groups: {} }, 'not_a_list', 'groups'],
    [{ groups: ['x'] }, 'not_a_dict', 'groups__0'],
    [{ query: 'x' }, 'not_a_dict', 'query'],
    [{ cohort_type: 'magic' }, 'invalid_choice', 'cohort_type'],
    [{ cohort_type: 'person_property', ...ruleOf(did('pay')) }, 'invalid_input', 'cohort_type'],
    [{ deleted: 2 }, 'invalid_input', 'deleted'],
  ])('%j is refused', async (body, code, attr) => {
    const app = await openTestApp();
    expect(errorOf(await postCohort(app, { name: 'A', ...body }))).toEqual([400, code, attr]);
    expect((await app.ask(COHORTS)).json.count).toBe(0);
  });

  test('hostile names and values are stored, compared, and never part of a statement', async () => {
    const app = await openTestApp();
    const texts = [
      `'; DROP TABLE cohorts; --`,
      '__proto__',
      '\ud800',
      '$value0',
      'a\u0000b',
      '"',
      '\\',
      '%',
      '🙂',
    ];
    for (const text of texts) {
      const made = await postCohort(app, { name: `x${text}`, ...ruleOf({ key: text, value: [text] }) });
      expect([text, made.status, made.json.count]).toEqual([text, 201, 0]);
    }
    expect((await app.ask(COHORTS)).json.count).toBe(texts.length);
  });
});

describe('P-2, P-4, P-7 a condition on a property', () => {
  const many = ['FREE', ...Array.from({ length: 30 }, (_, at) => `other ${at}`)];

  test.each([
    ['finds one of many values', { key: 'plan', value: many }, ['u2', 'u3']],
    ['leaves out one of many values', { key: 'plan', operator: 'is_not', value: many }, ['u1']],
    [
      'finds a pattern of many repetitions',
      { key: 'plan', operator: 'regex', value: `^fre+x{0,900}y{0,900}$` },
      ['u2', 'u3'],
    ],
  ])('%s', async (_, condition, members) => {
    const app = await openWithThreePersons();
    expect(await membersBy(app, condition)).toEqual(members);
  });
});
