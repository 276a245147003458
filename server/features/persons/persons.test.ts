import { describe, expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { person, personPage, type PersonJson } from './persons.contract.ts';

const PERSONS = '/api/projects/1/persons/';
const T0 = Date.UTC(2026, 10, 1);
const ANON = '0190f0c1-2222-7000-8000-0000000000aa';

function iso(seconds: number): string {
  return new Date(T0 + seconds * 1000).toISOString();
}

async function list(app: TestApp, search = ''): Promise<PersonJson[]> {
  const answer = await app.ask(`${PERSONS}${search}`);
  expect(answer.status).toBe(200);
  return personPage.strict().parse(answer.json).results;
}

async function names(app: TestApp, search = ''): Promise<string[]> {
  return (await list(app, search)).map(({ name }) => name);
}

/** Three persons, created in this order: lin, max, and one without a name. */
async function openWithThree(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    { distinct_id: 'u1', timestamp: iso(1), $set: { email: 'lin@local.test', plan: 'pro', seats: 5 } },
    {
      distinct_id: 'u2',
      timestamp: iso(2),
      $set: { email: 'max@local.test', name: 'Max Élan', plan: 'free' },
    },
    { distinct_id: 'u3', timestamp: iso(3), $set: { plan: 'free', tags: ['a', 'b'] } },
  ]);
  return app;
}

async function idOf(app: TestApp, distinctId: string): Promise<number> {
  const [found] = await list(app, `?distinct_id=${distinctId}`);
  return found!.id;
}

const refusal = (status: number, code: string, attr: string | null) => ({
  status,
  json: { code, attr, type: expect.any(String), detail: expect.any(String) },
});

describe('9.3 GET list', () => {
  test('shows persons newest created first, with the keys of a person', async () => {
    const app = await openWithThree();
    expect(await names(app)).toEqual(['u3', 'max@local.test', 'lin@local.test']);
    const [, , lin] = await list(app);
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
    const app = await openWithThree();
    expect(await names(app, `?${encodeURI(decodeURI(search))}`)).toEqual(expected);
  });

  test('search finds a person by its UUID', async () => {
    const app = await openWithThree();
    const [, max] = await list(app);
    expect(await names(app, `?search=${max!.uuid}`)).toEqual(['max@local.test']);
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

  test('walks by absolute next and previous links that keep the other parameters', async () => {
    const app = await openWithThree();
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

  test('shows the persons of its project only, and none for anonymous events', async () => {
    const app = await openTestApp();
    const other = await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    await sendEvents(app, [{ distinct_id: 'mine' }]);
    await sendEvents(app, [{ distinct_id: 'theirs' }], other.json.api_token);
    await sendEvents(app, [{ distinct_id: 'nobody', properties: { $process_person_profile: false } }]);
    expect(await names(app)).toEqual(['mine']);
    expect(await list(app, '?distinct_id=nobody')).toEqual([]);
    expect(await list(app, '?distinct_id=theirs')).toEqual([]);
  });

  test('lists at most 100 distinct ids of a person, anonymous-looking ones last; its detail lists all', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'main', properties: { $anon_distinct_id: ANON } },
      ...Array.from({ length: 120 }, (_, at) => ({
        event: '$merge_dangerously',
        distinct_id: 'main',
        properties: { alias: `id-${at}` },
      })),
    ]);
    const [listed] = await list(app);
    expect(listed!.distinct_ids).toHaveLength(100);
    expect(listed!.distinct_ids).not.toContain(ANON);
    const shown = person.parse((await app.ask(`${PERSONS}${listed!.id}/`)).json);
    expect(shown.distinct_ids).toHaveLength(122);
    expect(shown.distinct_ids.slice(0, 2)).toEqual(['main', 'id-0']);
    expect(shown.distinct_ids.at(-1)).toBe(ANON);
  });
});

describe('9.3 GET /:id/', () => {
  test('finds a person by its integer id and by its UUID in either case', async () => {
    const app = await openWithThree();
    const [listed] = await list(app, '?distinct_id=u1');
    for (const id of [listed!.id, listed!.uuid, listed!.uuid.toUpperCase()]) {
      const answer = await app.ask(`${PERSONS}${id}/`);
      expect(person.strict().parse(answer.json)).toEqual(listed);
    }
  });

  test.each(['u1', 'lin@local.test', '1.5', '-1', "1' OR '1'='1"])('%j is 400', async (id) => {
    const app = await openWithThree();
    const answer = await app.ask(`${PERSONS}${encodeURIComponent(id)}/`);
    expect(answer).toMatchObject(refusal(400, 'invalid_input', null));
  });

  test('an unknown one is 404, as is one of another project', async () => {
    const app = await openWithThree();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    const id = await idOf(app, 'u1');
    for (const path of [`${PERSONS}999999`, `${PERSONS}${ANON}`, `/api/projects/2/persons/${id}/`]) {
      expect(await app.ask(path)).toMatchObject(refusal(404, 'not_found', null));
    }
  });
});

describe('9.3 PATCH, PUT /:id/', () => {
  test.each(['PATCH', 'PUT'])(
    '%s merges properties by $set, and answers 202 with an empty body',
    async (method) => {
      const app = await openWithThree();
      const id = await idOf(app, 'u1');
      const properties = { plan: 'team', $browser: 'Chrome', nested: { a: [1] } };
      const answer = await app.ask(`${PERSONS}${id}/`, { method, body: { properties } });
      expect([answer.status, answer.text]).toEqual([202, '']);
      const shown = (await app.ask(`${PERSONS}${id}/`)).json;
      expect(shown.properties).toEqual({ email: 'lin@local.test', seats: 5, ...properties });
    },
  );

  test.each([
    [{}, 'required', 'properties'],
    [{ properties: null }, 'null', 'properties'],
    [{ properties: [1] }, 'not_a_dict', 'properties'],
  ])('%j is refused', async (body, code, attr) => {
    const app = await openWithThree();
    const id = await idOf(app, 'u1');
    expect(await app.ask(`${PERSONS}${id}/`, { method: 'PATCH', body })).toMatchObject(
      refusal(400, code, attr),
    );
  });

  test('an unknown person is 404 whatever is sent; a form is 415', async () => {
    const app = await openWithThree();
    expect((await app.ask(`${PERSONS}999999/`, { method: 'PATCH', body: {} })).status).toBe(404);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = { method: 'PATCH', body: 'properties=1', headers };
    const answer = await app.ask(`${PERSONS}${await idOf(app, 'u1')}/`, form);
    expect(answer).toMatchObject(refusal(415, 'unsupported_media_type', null));
  });

  test('events after the answer meet the changed person', async () => {
    const app = await openWithThree();
    const id = await idOf(app, 'u1');
    await app.ask(`${PERSONS}${id}/`, { method: 'PATCH', body: { properties: { first: 'api' } } });
    await sendEvents(app, [{ distinct_id: 'u1', $set_once: { first: 'event', second: 'event' } }]);
    const { properties } = (await app.ask(`${PERSONS}${id}/`)).json;
    expect(properties).toMatchObject({ first: 'api', second: 'event' });
  });
});

describe('9.3 POST /:id/update_property/', () => {
  test('sets one property, and answers 202 with an empty body', async () => {
    const app = await openWithThree();
    const path = `${PERSONS}${await idOf(app, 'u1')}/`;
    for (const [key, value] of [
      ['plan', 'team'],
      ['is_admin', false],
      ['0', 0],
      ['deep', { list: [null] }],
    ] as const) {
      const answer = await app.ask(`${path}update_property/`, { method: 'POST', body: { key, value } });
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
    const { properties } = (await app.ask(path)).json;
    expect(properties).toMatchObject({
      plan: 'team',
      is_admin: false,
      '0': 0,
      deep: { list: [null] },
      seats: 5,
    });
  });

  test.each([
    [{ value: 1 }, 'required', 'key'],
    [{ key: 'plan' }, 'required', 'value'],
    [{ key: 'plan', value: null }, 'null', 'value'],
    [{ key: '', value: 1 }, 'blank', 'key'],
  ])('%j is refused', async (body, code, attr) => {
    const app = await openWithThree();
    const path = `${PERSONS}${await idOf(app, 'u1')}/update_property/`;
    expect(await app.ask(path, { method: 'POST', body })).toMatchObject(refusal(400, code, attr));
  });
});

describe('9.3 POST /:id/delete_property/', () => {
  test('removes one property, also one that is not there, and answers 201 with success', async () => {
    const app = await openWithThree();
    const path = `${PERSONS}${await idOf(app, 'u1')}/`;
    for (const $unset of ['plan', 'plan', 'never']) {
      const answer = await app.ask(`${path}delete_property/`, { method: 'POST', body: { $unset } });
      expect([answer.status, answer.json]).toEqual([201, { success: true }]);
    }
    expect((await app.ask(path)).json.properties).toEqual({ email: 'lin@local.test', seats: 5 });
    const refused = await app.ask(`${path}delete_property/`, { method: 'POST', body: {} });
    expect(refused).toMatchObject(refusal(400, 'required', '$unset'));
  });
});

/** Names of all events that the API shows. */
async function eventNames(app: TestApp): Promise<string[]> {
  const { results } = (await app.ask('/api/projects/1/events/')).json;
  return results.map(({ event }: { event: string }) => event).toSorted();
}

describe('9.3 DELETE /:id/', () => {
  test('answers 202 with an empty body; the person is gone at once, its events stay', async () => {
    const app = await openWithThree();
    const id = await idOf(app, 'u1');
    const answer = await app.ask(`${PERSONS}${id}/`, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect((await app.ask(`${PERSONS}${id}/`)).status).toBe(404);
    expect((await app.ask(`${PERSONS}${id}/`, { method: 'DELETE' })).status).toBe(404);
    expect(await names(app)).toEqual(['u3', 'max@local.test']);
    expect((await app.ask(`${PERSONS}values/?key=email`)).json).toEqual([
      { name: 'max@local.test', count: 1 },
    ]);
    expect(await list(app, '?search=lin')).toEqual([]);
    expect(await eventNames(app)).toHaveLength(3);
  });

  test('with delete_events its events are gone too, also those of persons merged into it', async () => {
    const app = await openWithThree();
    await sendEvents(app, [
      { distinct_id: ANON, event: 'before' },
      { distinct_id: 'u1', event: '$identify', properties: { $anon_distinct_id: ANON } },
      { distinct_id: ANON, event: 'after' },
    ]);
    const id = await idOf(app, ANON);
    expect((await app.ask(`${PERSONS}${id}/?delete_events=true`, { method: 'DELETE' })).status).toBe(202);
    expect(await eventNames(app)).toEqual(['seen', 'seen']);
    await sendEvents(app, [{ distinct_id: 'u1', event: 'again' }]);
    const [again] = await list(app, '?distinct_id=u1');
    expect(again).toMatchObject({ properties: {}, distinct_ids: ['u1'] });
    expect(again!.id).not.toBe(id);
  });

  test('a key that may only read is refused', async () => {
    const app = await openWithThree();
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'reader', scopes: ['person:read'] },
    });
    const id = await idOf(app, 'u1');
    const answer = await app.ask(`${PERSONS}${id}/`, { method: 'DELETE', key: made.json.value });
    expect(answer).toMatchObject(refusal(403, 'permission_denied', null));
    expect(answer.json.detail).toContain("missing required scope 'person:write'");
    expect((await app.ask(`${PERSONS}${id}/`, { key: made.json.value })).status).toBe(200);
  });
});

describe('9.3 POST /bulk_delete/', () => {
  const remove = (app: TestApp, body: object, query = '') =>
    app.ask(`${PERSONS}bulk_delete/${query}`, { method: 'POST', body });

  test('deletes by uuid and by distinct id, passes over unknown ones, and answers 202 with an empty body', async () => {
    const app = await openWithThree();
    const [u3] = await list(app, '?distinct_id=u3');
    const answer = await remove(app, { ids: [u3!.uuid, ANON], distinct_ids: ['u1', 'nobody'] });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect(await names(app)).toEqual(['max@local.test']);
    expect(await eventNames(app)).toHaveLength(3);
    expect((await remove(app, { distinct_ids: ['nobody'] })).status).toBe(202);
  });

  test.each(['body', 'query'])('with delete_events in the %s the events go too', async (place) => {
    const app = await openWithThree();
    const body = { distinct_ids: ['u1', 'u2'] };
    if (place === 'body') await remove(app, { ...body, delete_events: true });
    else await remove(app, body, '?delete_events=true');
    expect(await names(app)).toEqual(['u3']);
    expect(await eventNames(app)).toHaveLength(1);
  });

  test('anonymous events go with their distinct id', async () => {
    const app = await openTestApp();
    await sendEvents(app, [{ distinct_id: ANON, properties: { $process_person_profile: false } }]);
    await remove(app, { distinct_ids: [ANON], delete_events: true });
    expect(await eventNames(app)).toEqual([]);
  });

  test.each([
    [{}, null],
    [{ ids: [], distinct_ids: [] }, null],
    [{ distinct_ids: Array.from({ length: 1_001 }, (_, at) => `u${at}`) }, null],
    [{ ids: ['u1'] }, 'ids__0'],
  ])('%# is refused', async (body, attr) => {
    const app = await openWithThree();
    expect(await remove(app, body)).toMatchObject(refusal(400, 'invalid_input', attr));
    expect(await list(app)).toHaveLength(3);
  });
});

describe('9.3 POST /:id/split/', () => {
  async function openWithMerged(): Promise<{ app: TestApp; path: string }> {
    const app = await openTestApp();
    await sendEvents(app, [
      { distinct_id: ANON, event: 'before' },
      {
        distinct_id: 'u1',
        event: '$identify',
        properties: { $anon_distinct_id: ANON },
        $set: { plan: 'pro' },
      },
      { distinct_id: 'u1', event: '$create_alias', properties: { alias: 'other' } },
      { distinct_id: 'other', event: 'after' },
    ]);
    expect(await list(app)).toHaveLength(1);
    return { app, path: `${PERSONS}${await idOf(app, 'u1')}/` };
  }

  test('gives each distinct id a person of its own, and answers 201 with success', async () => {
    const { app, path } = await openWithMerged();
    const answer = await app.ask(`${path}split/`, { method: 'POST', body: { main_distinct_id: 'u1' } });
    expect([answer.status, answer.json]).toEqual([201, { success: true }]);
    expect((await list(app)).map(({ distinct_ids }) => distinct_ids.join()).toSorted()).toEqual([
      ANON,
      'other',
      'u1',
    ]);
    expect((await app.ask(path)).json).toMatchObject({ distinct_ids: ['u1'], properties: { plan: 'pro' } });
  });

  test('without a main id the person keeps its first', async () => {
    const { app, path } = await openWithMerged();
    const [first] = (await app.ask(path)).json.distinct_ids;
    expect((await app.ask(`${path}split/`, { method: 'POST', body: {} })).status).toBe(201);
    expect((await app.ask(path)).json.distinct_ids).toEqual([first]);
  });

  test('a main id that is not among its own is refused', async () => {
    const { app, path } = await openWithMerged();
    const answer = await app.ask(`${path}split/`, { method: 'POST', body: { main_distinct_id: 'u9' } });
    expect(answer).toMatchObject(refusal(400, 'does_not_exist', 'main_distinct_id'));
    expect(await list(app)).toHaveLength(1);
  });
});

describe('9.3 GET /values/?key=&value=', () => {
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
    const app = await openWithThree();
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

test('9.3 GET /properties/ counts the persons that have each property', async () => {
  const app = await openWithThree();
  expect((await app.ask(`${PERSONS}properties/`)).json).toEqual([
    { name: 'plan', count: 3 },
    { name: 'email', count: 2 },
    { name: 'name', count: 1 },
    { name: 'seats', count: 1 },
    { name: 'tags', count: 1 },
  ]);
});

describe('9.3 GET /cohorts/?person_id=', () => {
  test('is empty as long as there are no cohorts', async () => {
    const app = await openWithThree();
    const id = await idOf(app, 'u1');
    expect((await app.ask(`${PERSONS}cohorts/?person_id=${id}`)).json).toEqual({ results: [] });
    expect(await app.ask(`${PERSONS}cohorts/`)).toMatchObject(refusal(400, 'required', 'person_id'));
    expect((await app.ask(`${PERSONS}cohorts/?person_id=99999`)).status).toBe(404);
  });

  test('needs the scopes of persons and of cohorts', async () => {
    const app = await openWithThree();
    const id = await idOf(app, 'u1');
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

test('9.3 POST list is 405', async () => {
  const { ask } = await openTestApp();
  expect(await ask(PERSONS, { method: 'POST', body: {} })).toMatchObject(
    refusal(405, 'method_not_allowed', null),
  );
});
