import { describe, expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { group, groupPage, groupTypes, related, type GroupJson } from './groups.contract.ts';

const GROUPS = '/api/projects/1/groups/';
const TYPES = '/api/projects/1/groups_types/';
const T0 = Date.UTC(2026, 10, 19);

function iso(seconds: number): string {
  return new Date(T0 + seconds * 1000).toISOString();
}

const identify = (type: string, key: string, set: object, seconds = 0) => ({
  event: '$groupidentify',
  distinct_id: 'u1',
  timestamp: iso(seconds),
  properties: { $group_type: type, $group_key: key, $group_set: set },
});

/** Three companies, created in this order, and a project of one of them. */
async function openWithGroups(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    identify('company', 'acme', { name: 'Acme Inc.', seats: 5, plan: 'pro' }, 1),
    identify('company', 'globex', { name: 'Globex', plan: 'free' }, 2),
    identify('company', 'INITECH-7', { plan: 'free', tags: ['old', 'paper'] }, 3),
    identify('project', 'apollo', { name: 'Apollo' }, 4),
  ]);
  return app;
}

async function list(app: TestApp, search: string): Promise<GroupJson[]> {
  const answer = await app.ask(`${GROUPS}${search}`);
  expect(answer.status).toBe(200);
  return groupPage.strict().parse(answer.json).results;
}

async function keys(app: TestApp, search: string): Promise<string[]> {
  return (await list(app, search)).map(({ group_key }) => group_key);
}

const refusal = (status: number, code: string, attr: string | null) => ({
  status,
  json: { code, attr, type: expect.any(String), detail: expect.any(String) },
});

describe('M9.4 groups_types GET', () => {
  test('lists the types in order of first use, as a bare array', async () => {
    const app = await openWithGroups();
    const types = groupTypes.parse((await app.ask(TYPES)).json);
    expect(types).toEqual([
      {
        group_type: 'company',
        group_type_index: 0,
        name_singular: null,
        name_plural: null,
        detail_dashboard: null,
        default_columns: null,
        created_at: expect.stringMatching(/^2026-11-.*Z$/),
      },
      expect.objectContaining({ group_type: 'project', group_type_index: 1 }),
    ]);
    expect((await app.ask('/api/environments/1/groups_types')).json).toEqual(types);
    const project = { has_group_types: true, group_types: types };
    expect((await app.ask('/api/projects/1/')).json).toMatchObject(project);
  });
});

describe('M9.4 groups_types PATCH /update_metadata/', () => {
  const update = (app: TestApp, body: unknown) =>
    app.ask(`${TYPES}update_metadata/`, { method: 'PATCH', body });

  test('renames types, keeps omitted fields, and returns the list', async () => {
    const app = await openWithGroups();
    await update(app, [{ group_type_index: 0, name_singular: 'Company', name_plural: 'Companies' }]);
    const answer = await update(app, [
      { group_type_index: 0, name_plural: null, detail_dashboard: 1 },
      { group_type_index: '1', name_singular: ' Project ' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject([
      { name_singular: 'Company', name_plural: null },
      { name_singular: 'Project', name_plural: null },
    ]);
    expect((await app.ask(TYPES)).json).toEqual(answer.json);
  });

  test('with an unknown type is refused, and none is changed', async () => {
    const app = await openWithGroups();
    const answer = await update(app, [
      { group_type_index: 0, name_singular: 'Company' },
      { group_type_index: 4, name_singular: 'Else' },
    ]);
    expect(answer).toMatchObject(refusal(400, 'does_not_exist', '1__group_type_index'));
    expect((await app.ask(TYPES)).json[0].name_singular).toBe(null);
  });

  test.each([
    [{}, 'invalid_input', null],
    [[{ name_singular: 'x' }], 'required', '0__group_type_index'],
    [[{ group_type_index: 'x' }], 'invalid_input', '0__group_type_index'],
  ])('%j is refused', async (body, code, attr) => {
    const app = await openWithGroups();
    expect(await update(app, body)).toMatchObject(refusal(400, code, attr));
  });
});

describe('M9.4 groups_types DELETE /:index/', () => {
  test('is answered 204; the type and its groups are deleted immediately', async () => {
    const app = await openWithGroups();
    const answer = await app.ask(`${TYPES}0/`, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await app.ask(TYPES)).json).toMatchObject([{ group_type: 'project', group_type_index: 1 }]);
    expect(await keys(app, '?group_type_index=0')).toEqual([]);
    for (const index of ['0', '4', 'x']) {
      expect((await app.ask(`${TYPES}${index}/`, { method: 'DELETE' })).status).toBe(404);
    }
  });
});

describe('M9.4 GET /groups/?group_type_index=N', () => {
  test('lists groups of a type newest first, with the keys of a group', async () => {
    const app = await openWithGroups();
    expect(await keys(app, '?group_type_index=0')).toEqual(['INITECH-7', 'globex', 'acme']);
    const groups = await list(app, '?group_type_index=0&group_key=acme');
    expect(groups).toEqual([
      {
        group_type_index: 0,
        group_key: 'acme',
        group_properties: { name: 'Acme Inc.', seats: 5, plan: 'pro' },
        created_at: '2026-11-19T00:00:01.000000Z',
      },
    ]);
  });

  test.each([
    ['search=ACME', ['acme']],
    ['search=free', ['INITECH-7', 'globex']],
    ['search=paper', ['INITECH-7']],
    ['search=plan', []],
    ['search=initech', ['INITECH-7']],
    ['group_key=initech', ['INITECH-7']],
    ['group_key=O', ['globex']],
    ['group_key=%25', []],
    ['search=&group_key=&cursor=', ['INITECH-7', 'globex', 'acme']],
  ])('?%s', async (search, expected) => {
    const app = await openWithGroups();
    expect(await keys(app, `?group_type_index=0&${search}`)).toEqual(expected);
  });

  test('is paged by next, each group once, also with equal times', async () => {
    const app = await openTestApp();
    const sent = Array.from({ length: 9 }, (_, at) => identify('company', `c${at}`, {}, at >> 2));
    await sendEvents(app, sent);
    const seen: string[] = [];
    let path: string | null = `${GROUPS}?group_type_index=0&limit=2&search=c`;
    while (path !== null) {
      const page = groupPage.parse((await app.ask(path)).json);
      expect(page.previous).toBe(null);
      seen.push(...page.results.map(({ group_key }) => group_key));
      if (page.next !== null)
        expect(page.next).toContain(`${app.url}${GROUPS}?group_type_index=0&limit=2&search=c&cursor=`);
      path = page.next === null ? null : page.next.slice(app.url.length);
    }
    expect(seen).toEqual(['c8', 'c7', 'c6', 'c5', 'c4', 'c3', 'c2', 'c1', 'c0']);
  });

  test.each([
    ['', 'group_type_index'],
    ['group_type_index=', 'group_type_index'],
    ['group_type_index=company', 'group_type_index'],
    ['group_type_index=-1', 'group_type_index'],
    ['group_type_index=0&cursor=abc', 'cursor'],
    ['group_type_index=0&cursor=WyIyMDI2LTEzLTAxVDAwOjAwOjAwLjAwMDAwMFoiLCJhIl0', 'cursor'],
  ])('?%s is refused', async (search, attr) => {
    const { ask } = await openTestApp();
    expect(await ask(`${GROUPS}?${search}`)).toMatchObject(refusal(400, 'invalid_input', attr));
  });

  test('shows the groups of its project only', async () => {
    const app = await openWithGroups();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    expect((await app.ask('/api/projects/2/groups/?group_type_index=0')).json.results).toEqual([]);
    expect((await app.ask('/api/projects/2/groups_types/')).json).toEqual([]);
  });
});

describe('M9.4 POST /groups/', () => {
  const create = (app: TestApp, body: object) => app.ask(GROUPS, { method: 'POST', body });

  test('creates a group and returns it with 201', async () => {
    const app = await openWithGroups();
    const made = await create(app, {
      group_type_index: 0,
      group_key: 'hooli',
      group_properties: { plan: 'pro' },
    });
    expect(made.status).toBe(201);
    expect(group.strict().parse(made.json)).toMatchObject({
      group_key: 'hooli',
      group_properties: { plan: 'pro' },
    });
    expect((await create(app, { group_type_index: '0', group_key: 7 })).json.group_properties).toEqual({});
    expect((await keys(app, '?group_type_index=0')).slice(0, 2).toSorted()).toEqual(['7', 'hooli']);
  });

  test.each([
    [{ group_type_index: 0, group_key: 'acme' }, 'invalid_input', 'detail'],
    [{ group_type_index: 3, group_key: 'new' }, 'does_not_exist', 'group_type_index'],
    [{ group_key: 'new' }, 'required', 'group_type_index'],
    [{ group_type_index: 0 }, 'required', 'group_key'],
    [{ group_type_index: 0, group_key: '' }, 'blank', 'group_key'],
    [{ group_type_index: 0, group_key: 'x'.repeat(401) }, 'max_length', 'group_key'],
    [{ group_type_index: 0, group_key: 'new', group_properties: [] }, 'not_a_dict', 'group_properties'],
  ])('%# is refused', async (body, code, attr) => {
    const app = await openWithGroups();
    expect(await create(app, body)).toMatchObject(refusal(400, code, attr));
    expect(await keys(app, '?group_type_index=0')).toHaveLength(3);
  });
});

test('M9.4 GET /groups/find/ shows a group, or 404', async () => {
  const app = await openWithGroups();
  const found = await app.ask(`${GROUPS}find/?group_type_index=1&group_key=apollo`);
  expect(group.strict().parse(found.json)).toMatchObject({ group_properties: { name: 'Apollo' } });
  for (const search of ['group_type_index=0&group_key=apollo', 'group_type_index=1&group_key=Apollo']) {
    expect(await app.ask(`${GROUPS}find/?${search}`)).toMatchObject(refusal(404, 'not_found', null));
  }
  expect(await app.ask(`${GROUPS}find/?group_key=apollo`)).toMatchObject(
    refusal(400, 'invalid_input', 'group_type_index'),
  );
});

describe('M9.4 POST /groups/update_property/', () => {
  const path = (key: string) => `${GROUPS}update_property/?group_type_index=0&group_key=${key}`;

  test('sets a property and returns the group with 200', async () => {
    const app = await openWithGroups();
    const answer = await app.ask(path('globex'), { method: 'POST', body: { key: 'seats', value: 9 } });
    expect([answer.status, answer.json.group_properties]).toEqual([
      200,
      { name: 'Globex', plan: 'free', seats: 9 },
    ]);
    await sendEvents(app, [identify('company', 'globex', { plan: 'pro' })]);
    const [globex] = await list(app, '?group_type_index=0&group_key=globex');
    expect(globex!.group_properties).toEqual({ name: 'Globex', plan: 'pro', seats: 9 });
  });

  test('an unknown group is 404 whatever is sent; a value is required', async () => {
    const app = await openWithGroups();
    expect((await app.ask(path('none'), { method: 'POST', body: {} })).status).toBe(404);
    const answer = await app.ask(path('acme'), { method: 'POST', body: { key: 'seats' } });
    expect(answer).toMatchObject(refusal(400, 'required', 'value'));
  });
});

describe('M9.4 POST /groups/delete_property/', () => {
  const path = (key: string) => `${GROUPS}delete_property/?group_type_index=0&group_key=${key}`;

  test('removes a property and returns the group with 200', async () => {
    const app = await openWithGroups();
    const answer = await app.ask(path('acme'), { method: 'POST', body: { $unset: 'seats' } });
    expect([answer.status, answer.json.group_properties]).toEqual([200, { name: 'Acme Inc.', plan: 'pro' }]);
  });

  test('an unknown property is refused, an unknown group is 404', async () => {
    const app = await openWithGroups();
    const answer = await app.ask(path('acme'), { method: 'POST', body: { $unset: 'toString' } });
    expect(answer).toMatchObject(refusal(400, 'does_not_exist', '$unset'));
    expect((await app.ask(path('none'), { method: 'POST', body: { $unset: 'seats' } })).status).toBe(404);
  });
});

describe('M9.4 GET /groups/related/', () => {
  async function openWithMembers(): Promise<TestApp> {
    const app = await openWithGroups();
    const seen = (distinct_id: string, seconds: number, $groups: object, more = {}) => ({
      distinct_id,
      timestamp: iso(seconds),
      properties: { $groups, ...more },
    });
    await sendEvents(app, [
      seen('u1', 10, { company: 'acme', project: 'apollo' }),
      seen('u2', 11, { company: 'acme', project: 'undescribed' }),
      seen('u3', 12, { company: 'globex' }),
      seen('u4', -91 * 86_400, { company: 'acme' }),
      seen('anonymous-one', 13, { company: 'acme' }, { $process_person_profile: false }),
    ]);
    return app;
  }

  test('of a group: the persons and groups of its events in 90 days, most recent first', async () => {
    const app = await openWithMembers();
    const answer = await app.ask(`${GROUPS}related/?group_type_index=0&id=acme`);
    const found = related.parse(answer.json);
    expect(found.map(({ type, id }) => (type === 'group' ? id : type))).toEqual([
      'person',
      'person',
      'apollo',
    ]);
    expect(found[0]).toMatchObject({ name: 'u2', distinct_ids: ['u2'], properties: {} });
    expect(found[2]).toMatchObject({
      group_type_index: 1,
      group_key: 'apollo',
      properties: { name: 'Apollo' },
    });
  });

  test('of a person: the groups of its events, including those before a merge', async () => {
    const app = await openWithMembers();
    await sendEvents(app, [{ event: '$create_alias', distinct_id: 'u3', properties: { alias: 'u1' } }]);
    const { results } = (await app.ask('/api/projects/1/persons/?distinct_id=u1')).json;
    for (const id of [results[0].id, results[0].uuid]) {
      const found = related.parse((await app.ask(`${GROUPS}related/?id=${id}`)).json);
      expect(found.map((one) => one.id)).toEqual(['globex', 'acme', 'apollo']);
    }
  });

  test('an unknown group has no related ones, an unknown person is 404', async () => {
    const app = await openWithMembers();
    expect((await app.ask(`${GROUPS}related/?group_type_index=0&id=none`)).json).toEqual([]);
    expect((await app.ask(`${GROUPS}related/?group_type_index=7&id=acme`)).json).toEqual([]);
    expect((await app.ask(`${GROUPS}related/?id=99999`)).status).toBe(404);
    expect(await app.ask(`${GROUPS}related/?group_type_index=0`)).toMatchObject(
      refusal(400, 'required', 'id'),
    );
  });
});

test.each([
  ['key=plan', ['free 2', 'pro 1']],
  ['key=plan&value=PR', ['pro 1']],
  ['key=tags', ['old 1', 'paper 1']],
  ['key=none', []],
  ['', []],
])('M9.4 GET /groups/property_values/?group_type_index=0&%s', async (search, expected) => {
  const app = await openWithGroups();
  const { results, refreshing } = (await app.ask(`${GROUPS}property_values/?group_type_index=0&${search}`))
    .json;
  expect(refreshing).toBe(false);
  expect(results.map(({ name, count }: { name: string; count: number }) => `${name} ${count}`)).toEqual(
    expected,
  );
});

test('M9.4 GET /groups/property_definitions/ counts the groups that have each property, by type', async () => {
  const app = await openWithGroups();
  expect((await app.ask(`${GROUPS}property_definitions/`)).json).toEqual({
    '0': [
      { name: 'plan', count: 3 },
      { name: 'name', count: 2 },
      { name: 'seats', count: 1 },
      { name: 'tags', count: 1 },
    ],
    '1': [{ name: 'name', count: 1 }],
  });
});

test('M9.4 a sixth group type in events creates no group', async () => {
  const app = await openTestApp();
  const types = ['a', 'b', 'c', 'd', 'e', 'f'];
  await sendEvents(
    app,
    types.map((type) => identify(type, 'one', {})),
  );
  expect((await app.ask(TYPES)).json.map((type: { group_type: string }) => type.group_type)).toEqual(
    types.slice(0, 5),
  );
});
