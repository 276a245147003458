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
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const ANON = '0190f0c1-2222-7000-8000-0000000000aa';

describe('M9.3 PATCH, PUT /:id/', () => {
  test.each(['PATCH', 'PUT'])(
    '%s merges properties by $set, and is answered 202 with an empty body',
    async (method) => {
      const app = await openWithThreePersons();
      const id = await idOfPerson(app, 'u1');
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
    const app = await openWithThreePersons();
    const id = await idOfPerson(app, 'u1');
    expect(await app.ask(`${PERSONS}${id}/`, { method: 'PATCH', body })).toMatchObject(
      refusal(400, code, attr),
    );
  });

  test('an unknown person is 404 whatever is sent; a form is 415', async () => {
    const app = await openWithThreePersons();
    expect((await app.ask(`${PERSONS}999999/`, { method: 'PATCH', body: {} })).status).toBe(404);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = { method: 'PATCH', body: 'properties=1', headers };
    const answer = await app.ask(`${PERSONS}${await idOfPerson(app, 'u1')}/`, form);
    expect(answer).toMatchObject(refusal(415, 'unsupported_media_type', null));
  });

  test('later events are applied to the changed person', async () => {
    const app = await openWithThreePersons();
    const id = await idOfPerson(app, 'u1');
    await app.ask(`${PERSONS}${id}/`, { method: 'PATCH', body: { properties: { first: 'api' } } });
    await sendEvents(app, [{ distinct_id: 'u1', $set_once: { first: 'event', second: 'event' } }]);
    const { properties } = (await app.ask(`${PERSONS}${id}/`)).json;
    expect(properties).toMatchObject({ first: 'api', second: 'event' });
  });
});

describe('M9.3 POST /:id/update_property/', () => {
  test('sets one property, and is answered 202 with an empty body', async () => {
    const app = await openWithThreePersons();
    const path = `${PERSONS}${await idOfPerson(app, 'u1')}/`;
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
    const app = await openWithThreePersons();
    const path = `${PERSONS}${await idOfPerson(app, 'u1')}/update_property/`;
    expect(await app.ask(path, { method: 'POST', body })).toMatchObject(refusal(400, code, attr));
  });
});

describe('M9.3 POST /:id/delete_property/', () => {
  test('removes one property, also a missing one, and is answered 201 with success', async () => {
    const app = await openWithThreePersons();
    const path = `${PERSONS}${await idOfPerson(app, 'u1')}/`;
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

describe('M9.3 DELETE /:id/', () => {
  test('is answered 202 with an empty body; the person is deleted immediately, its events are kept', async () => {
    const app = await openWithThreePersons();
    const id = await idOfPerson(app, 'u1');
    const answer = await app.ask(`${PERSONS}${id}/`, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect((await app.ask(`${PERSONS}${id}/`)).status).toBe(404);
    expect((await app.ask(`${PERSONS}${id}/`, { method: 'DELETE' })).status).toBe(404);
    expect(await namesOfPersons(app)).toEqual(['u3', 'max@local.test']);
    expect((await app.ask(`${PERSONS}values/?key=email`)).json).toEqual([
      { name: 'max@local.test', count: 1 },
    ]);
    expect(await listPersons(app, '?search=lin')).toEqual([]);
    expect(await eventNames(app)).toHaveLength(3);
  });

  test('with delete_events its events are deleted too, also those of persons merged into it', async () => {
    const app = await openWithThreePersons();
    await sendEvents(app, [
      { distinct_id: ANON, event: 'before' },
      { distinct_id: 'u1', event: '$identify', properties: { $anon_distinct_id: ANON } },
      { distinct_id: ANON, event: 'after' },
    ]);
    const id = await idOfPerson(app, ANON);
    expect((await app.ask(`${PERSONS}${id}/?delete_events=true`, { method: 'DELETE' })).status).toBe(202);
    expect(await eventNames(app)).toEqual(['seen', 'seen']);
    await sendEvents(app, [{ distinct_id: 'u1', event: 'again' }]);
    const [again] = await listPersons(app, '?distinct_id=u1');
    expect(again).toMatchObject({ properties: {}, distinct_ids: ['u1'] });
    expect(again!.id).not.toBe(id);
  });

  test('a key that may only read is refused', async () => {
    const app = await openWithThreePersons();
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'reader', scopes: ['person:read'] },
    });
    const id = await idOfPerson(app, 'u1');
    const answer = await app.ask(`${PERSONS}${id}/`, { method: 'DELETE', key: made.json.value });
    expect(answer).toMatchObject(refusal(403, 'permission_denied', null));
    expect(answer.json.detail).toContain("missing required scope 'person:write'");
    expect((await app.ask(`${PERSONS}${id}/`, { key: made.json.value })).status).toBe(200);
  });
});

describe('M9.3 POST /bulk_delete/', () => {
  const remove = (app: TestApp, body: object, query = '') =>
    app.ask(`${PERSONS}bulk_delete/${query}`, { method: 'POST', body });

  test('deletes by uuid and by distinct id, ignores unknown ones, and is answered 202 with an empty body', async () => {
    const app = await openWithThreePersons();
    const [u3] = await listPersons(app, '?distinct_id=u3');
    const answer = await remove(app, { ids: [u3!.uuid, ANON], distinct_ids: ['u1', 'nobody'] });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect(await namesOfPersons(app)).toEqual(['max@local.test']);
    expect(await eventNames(app)).toHaveLength(3);
    expect((await remove(app, { distinct_ids: ['nobody'] })).status).toBe(202);
  });

  test.each(['body', 'query'])('with delete_events in the %s the events are deleted too', async (place) => {
    const app = await openWithThreePersons();
    const body = { distinct_ids: ['u1', 'u2'] };
    if (place === 'body') await remove(app, { ...body, delete_events: true });
    else await remove(app, body, '?delete_events=true');
    expect(await namesOfPersons(app)).toEqual(['u3']);
    expect(await eventNames(app)).toHaveLength(1);
  });

  test('anonymous events are deleted with their distinct id', async () => {
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
    const app = await openWithThreePersons();
    expect(await remove(app, body)).toMatchObject(refusal(400, 'invalid_input', attr));
    expect(await listPersons(app)).toHaveLength(3);
  });
});

describe('M9.3 POST /:id/split/', () => {
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
    expect(await listPersons(app)).toHaveLength(1);
    return { app, path: `${PERSONS}${await idOfPerson(app, 'u1')}/` };
  }

  test('creates a person for each distinct id, and is answered 201 with success', async () => {
    const { app, path } = await openWithMerged();
    const answer = await app.ask(`${path}split/`, { method: 'POST', body: { main_distinct_id: 'u1' } });
    expect([answer.status, answer.json]).toEqual([201, { success: true }]);
    expect((await listPersons(app)).map(({ distinct_ids }) => distinct_ids.join()).toSorted()).toEqual([
      ANON,
      'other',
      'u1',
    ]);
    expect((await app.ask(path)).json).toMatchObject({ distinct_ids: ['u1'], properties: { plan: 'pro' } });
  });

  test('without a main id the person keeps its first one', async () => {
    const { app, path } = await openWithMerged();
    const [first] = (await app.ask(path)).json.distinct_ids;
    expect((await app.ask(`${path}split/`, { method: 'POST', body: {} })).status).toBe(201);
    expect((await app.ask(path)).json.distinct_ids).toEqual([first]);
  });

  test('a main id of another person is refused', async () => {
    const { app, path } = await openWithMerged();
    const answer = await app.ask(`${path}split/`, { method: 'POST', body: { main_distinct_id: 'u9' } });
    expect(answer).toMatchObject(refusal(400, 'does_not_exist', 'main_distinct_id'));
    expect(await listPersons(app)).toHaveLength(1);
  });
});
