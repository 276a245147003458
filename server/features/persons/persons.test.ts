import { describe, expect, test } from 'vitest';
import {
  idOfPerson,
  listPersons,
  namesOfPersons,
  openWithThreePersons,
  PERSONS,
  refusal,
} from '../../../test/support/app-persons.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { person, type PersonJson } from './persons.contract.ts';

describe('POST batch_by_distinct_ids', () => {
  test('answers with the person of each distinct id, and leaves out unknown ones', async () => {
    const app = await openWithThreePersons();
    const body = { distinct_ids: ['u1', 'u3', 'nothing', "'; DROP TABLE persons"] };
    const { status, json } = await app.ask(`${PERSONS}batch_by_distinct_ids/`, { method: 'POST', body });
    expect(status).toBe(200);
    const results = json.results as Record<string, PersonJson>;
    expect(Object.keys(results).toSorted()).toEqual(['u1', 'u3']);
    expect(person.parse(results['u1']).name).toBe('lin@local.test');
  });

  test('takes up to 200 of them', async () => {
    const app = await openWithThreePersons();
    const body = { distinct_ids: Array.from({ length: 201 }, (_, at) => `u${at}`) };
    const { status, json } = await app.ask(`${PERSONS}batch_by_distinct_ids/`, { method: 'POST', body });
    expect(status).toBe(400);
    expect(json).toMatchObject({ type: 'validation_error', attr: 'distinct_ids' });
  });
});

const ANON = '0190f0c1-2222-7000-8000-0000000000aa';

describe('M9.3 GET list', () => {
  test('shows persons newest created first, with the keys of a person', async () => {
    const app = await openWithThreePersons();
    expect(await namesOfPersons(app)).toEqual(['u3', 'max@local.test', 'lin@local.test']);
    const [, , lin] = await listPersons(app);
    expect(lin).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      name: 'lin@local.test',
      distinct_ids: ['u1'],
      properties: { email: 'lin@local.test', plan: 'pro', seats: 5 },
      created_at: '2026-11-01T00:00:01.000000Z',
      is_identified: false,
    });
    expect((await app.ask(PERSONS)).json).not.toHaveProperty('count');
    expect((await app.ask('/api/environments/@current/persons')).json.results).toHaveLength(3);
  });

  test.each([
    ['email=lin@local.test', ['lin@local.test']],
    ['email=LIN@local.test', []],
    ['email=local.test', []],
    ['distinct_id=u2', ['max@local.test']],
    ['distinct_id=u', []],
    ['search=LOCAL.test', ['max@local.test', 'lin@local.test']],
    ['search=max@', ['max@local.test']],
    ['search=MAX%20élan', ['max@local.test']],
    ['search=u3', ['u3']],
    ['search=U3', []],
    ['search=free', []],
    ['search=%20', ['u3', 'max@local.test', 'lin@local.test']],
    ['search=%27%22;%20DROP%20TABLE%20persons', []],
    ['properties=[{"key":"plan","value":"free"}]', ['u3', 'max@local.test']],
    ['properties=[{"key":"seats","value":3,"operator":"gt","type":"person"}]', ['lin@local.test']],
    ['properties=[{"key":"plan","value":"free"}]&email=max@local.test', ['max@local.test']],
    [
      'properties=[{"key":"plan","value":"free"}]&properties=[{"key":"name","operator":"is_set"}]',
      ['max@local.test'],
    ],
    ['email=&distinct_id=&search=&properties=&cohort=', ['u3', 'max@local.test', 'lin@local.test']],
  ])('?%s', async (search, expected) => {
    const app = await openWithThreePersons();
    expect(await namesOfPersons(app, `?${encodeURI(decodeURI(search))}`)).toEqual(expected);
  });

  test('search finds a person by its UUID', async () => {
    const app = await openWithThreePersons();
    const [, max] = await listPersons(app);
    expect(await namesOfPersons(app, `?search=${max!.uuid}`)).toEqual(['max@local.test']);
  });

  test.each([
    ['cohort=1', 'cohort'],
    ['properties={', null],
    ['properties=[{"key":"plan","operator":"regex","value":"("}]', 'properties'],
    ['properties=[{"key":"id","type":"cohort","value":1}]', 'properties'],
    ['include_total=maybe', 'include_total'],
  ])('?%s is refused', async (search, attr) => {
    const { ask } = await openTestApp();
    const answer = await ask(`${PERSONS}?${encodeURI(search)}`);
    expect(answer).toMatchObject({ status: 400, json: { type: 'validation_error' } });
    expect(answer.json.attr).toBe(attr);
  });

  test('has absolute next and previous links that keep the other parameters', async () => {
    const app = await openWithThreePersons();
    const first = (await app.ask(`${PERSONS}?limit=2&search=u&email=`)).json;
    expect(first).toMatchObject({ next: null, previous: null });
    const page = (await app.ask(`${PERSONS}?include_total=true&limit=2`)).json;
    expect(page).toMatchObject({ count: 3, previous: null });
    expect(page.next).toBe(`${app.url}${PERSONS}?include_total=true&limit=2&offset=2`);
    const second = (await app.ask(page.next.slice(app.url.length))).json;
    expect(second).toMatchObject({
      count: 3,
      next: null,
      previous: `${app.url}${PERSONS}?include_total=true&limit=2`,
    });
    expect(second.results.map(({ name }: PersonJson) => name)).toEqual(['lin@local.test']);
    expect((await app.ask(`${PERSONS}?offset=99`)).json).toMatchObject({ next: null, results: [] });
  });

  test('has the persons of its project only, and none for anonymous events', async () => {
    const app = await openTestApp();
    const other = await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    await sendEvents(app, [{ distinct_id: 'mine' }]);
    await sendEvents(app, [{ distinct_id: 'theirs' }], other.json.api_token);
    await sendEvents(app, [{ distinct_id: 'nobody', properties: { $process_person_profile: false } }]);
    expect(await namesOfPersons(app)).toEqual(['mine']);
    expect(await listPersons(app, '?distinct_id=nobody')).toEqual([]);
    expect(await listPersons(app, '?distinct_id=theirs')).toEqual([]);
  });

  test('has at most 100 distinct ids of a person, random ones last; its detail has all', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'main', properties: { $anon_distinct_id: ANON } },
      ...Array.from({ length: 120 }, (_, at) => ({
        event: '$merge_dangerously',
        distinct_id: 'main',
        properties: { alias: `id-${at}` },
      })),
    ]);
    const [listed] = await listPersons(app);
    expect(listed!.distinct_ids).toHaveLength(100);
    expect(listed!.distinct_ids).not.toContain(ANON);
    const shown = person.parse((await app.ask(`${PERSONS}${listed!.id}/`)).json);
    expect(shown.distinct_ids).toHaveLength(122);
    expect(shown.distinct_ids.slice(0, 2)).toEqual(['main', 'id-0']);
    expect(shown.distinct_ids.at(-1)).toBe(ANON);
  });
});

describe('M9.3 GET /:id/', () => {
  test('finds a person by its integer id and by its UUID in either case', async () => {
    const app = await openWithThreePersons();
    const [listed] = await listPersons(app, '?distinct_id=u1');
    for (const id of [listed!.id, listed!.uuid, listed!.uuid.toUpperCase()]) {
      const answer = await app.ask(`${PERSONS}${id}/`);
      expect(person.strict().parse(answer.json)).toEqual(listed);
    }
  });

  test.each(['u1', 'lin@local.test', '1.5', '-1', "1' OR '1'='1"])('%j is 400', async (id) => {
    const app = await openWithThreePersons();
    const answer = await app.ask(`${PERSONS}${encodeURIComponent(id)}/`);
    expect(answer).toMatchObject(refusal(400, 'invalid_input', null));
  });

  test('an unknown one is 404, as is one of another project', async () => {
    const app = await openWithThreePersons();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    const id = await idOfPerson(app, 'u1');
    for (const path of [`${PERSONS}999999`, `${PERSONS}${ANON}`, `/api/projects/2/persons/${id}/`]) {
      expect(await app.ask(path)).toMatchObject(refusal(404, 'not_found', null));
    }
  });
});

describe('M9.3 GET /values/?key=&value=', () => {
  test.each([
    ['key=plan', ['free 2', 'pro 1']],
    ['key=plan&value=FR', ['free 2']],
    ['key=plan&value=%25', []],
    ['key=tags', ['a 1', 'b 1']],
    ['key=seats', ['5 1']],
    ['key=never', []],
    ['key=*', []],
    ['', []],
  ])('?%s', async (search, expected) => {
    const app = await openWithThreePersons();
    const values = (await app.ask(`${PERSONS}values/?${search}`)).json;
    expect(values.map(({ name, count }: { name: string; count: number }) => `${name} ${count}`)).toEqual(
      expected,
    );
  });

  test('shows the twenty most frequent', async () => {
    const app = await openTestApp();
    const sent = Array.from({ length: 25 }, (_, at) => ({ distinct_id: `u${at}`, $set: { n: `v${at}` } }));
    await sendEvents(app, [...sent, { distinct_id: 'last', $set: { n: 'v24' } }]);
    const values = (await app.ask(`${PERSONS}values/?key=n`)).json;
    expect(values).toHaveLength(20);
    expect(values[0]).toEqual({ name: 'v24', count: 2 });
  });
});

test('M9.3 GET /properties/ returns the number of persons with each property', async () => {
  const app = await openWithThreePersons();
  expect((await app.ask(`${PERSONS}properties/`)).json).toEqual([
    { name: 'plan', count: 3 },
    { name: 'email', count: 2 },
    { name: 'name', count: 1 },
    { name: 'seats', count: 1 },
    { name: 'tags', count: 1 },
  ]);
});

describe('M9.3 GET /cohorts/?person_id=', () => {
  test('is empty as long as there are no cohorts', async () => {
    const app = await openWithThreePersons();
    const id = await idOfPerson(app, 'u1');
    expect((await app.ask(`${PERSONS}cohorts/?person_id=${id}`)).json).toEqual({ results: [] });
    expect(await app.ask(`${PERSONS}cohorts/`)).toMatchObject(refusal(400, 'required', 'person_id'));
    expect((await app.ask(`${PERSONS}cohorts/?person_id=99999`)).status).toBe(404);
  });

  test('needs the scopes of persons and of cohorts', async () => {
    const app = await openWithThreePersons();
    const id = await idOfPerson(app, 'u1');
    for (const [scopes, status] of [
      [['person:read'], 403],
      [['cohort:read'], 403],
      [['person:read', 'cohort:read'], 200],
    ] as const) {
      const made = await app.ask('/api/personal_api_keys/', { method: 'POST', body: { label: 'k', scopes } });
      const answer = await app.ask(`${PERSONS}cohorts/?person_id=${id}`, { key: made.json.value });
      expect(answer.status).toBe(status);
    }
  });
});

test('M9.3 POST list is 405', async () => {
  const { ask } = await openTestApp();
  expect(await ask(PERSONS, { method: 'POST', body: {} })).toMatchObject(
    refusal(405, 'method_not_allowed', null),
  );
});
