import { describe, expect, test } from 'vitest';
import {
  COHORTS,
  createCohort,
  formWithCsv,
  membersOf,
  patchCohort,
  postCohort,
  ruleOf,
} from '../../../test/support/app-cohorts.ts';
import { idOfPerson, listPersons, openWithThreePersons, PERSONS } from '../../../test/support/app-persons.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { cohort, cohortPersons, personsAdded } from './cohorts.contract.ts';

const STATIC = { is_static: true };
const NOBODY = '0190f0c1-3333-7000-8000-000000000009';

const uuidOf = async (app: TestApp, distinctId: string): Promise<string> =>
  (await listPersons(app, `?distinct_id=${distinctId}`))[0]!.uuid;
const countOf = async (app: TestApp, id: number): Promise<number> =>
  (await app.ask(`${COHORTS}${id}/`)).json.count;
const upload = (app: TestApp, csv: string, fields: Record<string, string> = {}) =>
  app.ask(COHORTS, { method: 'POST', ...formWithCsv(csv, { name: 'List', is_static: 'true', ...fields }) });
const change = (
  app: TestApp,
  id: number,
  verb: 'add_persons_to' | 'remove_person_from',
  body: object,
  headers = {},
) => app.ask(`${COHORTS}${id}/${verb}_static_cohort/`, { method: 'PATCH', body, headers });
const rows = async (app: TestApp): Promise<number> =>
  (await app.store.db.first<{ n: number }>('SELECT count(*) AS n FROM cohort_people'))!.n;

describe('M9.2 a fixed list', () => {
  test('is created from the distinct ids and UUIDs of a CSV file, and reports the number of unknown ones', async () => {
    const app = await openWithThreePersons();
    const answer = await upload(app, `u1\n"${await uuidOf(app, 'u2')}"\r\nu1\nstranger\n${NOBODY}\n\n`);
    expect(answer.status).toBe(201);
    expect(cohort.parse(answer.json)).toMatchObject({
      count: 2,
      is_static: true,
      cohort_type: 'static',
      last_error_message: `2 of 4 entries do not match a person: stranger, ${NOBODY}`,
    });
    const { id } = answer.json;
    expect(await membersOf(app, id)).toEqual(['u1', 'u2']);
    const stored = await app.ask(`${COHORTS}${id}/`);
    expect(stored.json.last_error_message).toBe('2 of 4 entries do not match a person.');
    const more = await app.ask(`${COHORTS}${id}/`, {
      method: 'PATCH',
      ...formWithCsv('distinct_id;plan\nu3;free'),
    });
    expect(more.json).toMatchObject({ count: 3, last_error_message: null });
    expect(await patchCohort(app, id, { csv: 'u3' })).toMatchObject({ json: { count: 3 } });
    expect(await rows(app)).toBe(3);
  });

  test('is created from UUIDs, and persons are added and removed by theirs', async () => {
    const app = await openWithThreePersons();
    const [lin, max] = [await uuidOf(app, 'u1'), await uuidOf(app, 'u2')];
    const { id } = await createCohort(app, { ...STATIC, _create_static_person_ids: [lin] });
    expect(await membersOf(app, id)).toEqual(['u1']);
    expect(await change(app, id, 'add_persons_to', { person_ids: [max, NOBODY] })).toMatchObject({
      status: 200,
      text: '',
    });
    const prefer = { Prefer: 'return=representation' };
    const told = await change(app, id, 'add_persons_to', { person_ids: [max, NOBODY] }, prefer);
    expect(personsAdded.parse(told.json)).toEqual({ added: 0, unknown: [NOBODY] });
    expect(await membersOf(app, id)).toEqual(['u1', 'u2']);
    expect(await change(app, id, 'remove_person_from', { person_id: lin })).toMatchObject({
      status: 200,
      text: '',
    });
    expect(await membersOf(app, id)).toEqual(['u2']);
    expect((await change(app, id, 'remove_person_from', { person_id: NOBODY })).status).toBe(404);
    const left = await change(app, id, 'remove_person_from', { person_id: max }, prefer);
    expect(left.json).toMatchObject({ id, count: 0 });
    await change(app, id, 'add_persons_to', { person_ids: [max] });
    expect(await countOf(app, id)).toBe(1);
  });

  test('keeps the members of a rule at the time when it was copied', async () => {
    const app = await openWithThreePersons();
    const free = await createCohort(app, { name: 'Free', ...ruleOf({ key: 'plan', value: 'free' }) });
    const copied = await app.ask(`${COHORTS}${free.id}/duplicate_as_static_cohort/`, { method: 'POST' });
    expect(copied.json).toMatchObject({
      name: 'Free (static copy)',
      is_static: true,
      count: 2,
      filters: null,
    });
    const snapshot = await createCohort(app, { ...STATIC, ...ruleOf({ key: 'plan', value: 'free' }) });
    await sendEvents(app, [{ distinct_id: 'u2', $set: { plan: 'pro' } }]);
    expect(await membersOf(app, free.id)).toEqual(['u3']);
    expect(await membersOf(app, copied.json.id)).toEqual(['u2', 'u3']);
    expect(await membersOf(app, snapshot.id)).toEqual(['u2', 'u3']);
  });

  test('follows merges immediately: merged members count as one person', async () => {
    const app = await openWithThreePersons();
    const { id } = await createCohort(app, { ...STATIC, csv: 'u1\nu2' });
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'u3', properties: { $anon_distinct_id: 'u1' } },
    ]);
    expect(await countOf(app, id)).toBe(2);
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'u3', properties: { $anon_distinct_id: 'u2' } },
    ]);
    expect(await countOf(app, id)).toBe(1);
    const merged = await idOfPerson(app, 'u3');
    expect((await app.ask(`${COHORTS}${id}/persons/`)).json.results).toMatchObject([{ id: merged }]);
    expect(await change(app, id, 'remove_person_from', { person_id: await uuidOf(app, 'u3') })).toMatchObject(
      {
        status: 200,
      },
    );
    expect(await countOf(app, id)).toBe(0);
    expect(await rows(app)).toBe(0);
  });

  test('keeps a person that is split, with the same id; the split-off persons are new', async () => {
    const app = await openWithThreePersons();
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'u1', properties: { $anon_distinct_id: 'u2' } },
    ]);
    const { id } = await createCohort(app, { ...STATIC, csv: 'u1' });
    const split = { main_distinct_id: 'u1' };
    await app.ask(`${PERSONS}${await idOfPerson(app, 'u1')}/split/`, { method: 'POST', body: split });
    expect(await membersOf(app, id)).toEqual(['u1']);
  });

  test('drops a deleted person, under every id it ever had', async () => {
    const app = await openWithThreePersons();
    const { id } = await createCohort(app, { ...STATIC, csv: 'u1\nu2\nu3' });
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'u3', properties: { $anon_distinct_id: 'u1' } },
    ]);
    await app.ask(`${PERSONS}${await idOfPerson(app, 'u3')}/`, { method: 'DELETE' });
    expect(await membersOf(app, id)).toEqual(['u2']);
    expect(await rows(app)).toBe(1);
  });

  test('does not add persons deleted after the lookup, and adds the target of persons merged after it', async () => {
    const app = await openWithThreePersons();
    const { id: cohortId } = await createCohort(app, STATIC);
    const ids = await Promise.all(['u1', 'u2', 'u3'].map((distinctId) => idOfPerson(app, distinctId)));
    const personIds = ids.map(Number);
    await app.ask(`${PERSONS}${ids[0]}/`, { method: 'DELETE' });
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'u3', properties: { $anon_distinct_id: 'u2' } },
    ]);
    const order = { kind: 'cohorts.add', projectId: 1, cohortId, personIds };
    await app.store.service('capture').call(order);
    const stored = await app.store.db.all('SELECT cohort_id, person_id FROM cohort_people');
    expect(stored).toEqual([{ cohort_id: cohortId, person_id: personIds[2] }]);
  });

  test.each([
    [{ csv: 'u1' }, 'invalid_input', 'csv'],
    [{ _create_static_person_ids: [NOBODY] }, 'invalid_input', '_create_static_person_ids'],
    [{ ...STATIC, _create_static_person_ids: ['u1'] }, 'invalid_input', '_create_static_person_ids__0'],
    [{ ...STATIC, csv: ['u1'] }, 'invalid_input', 'csv'],
    [{ ...STATIC, cohort_type: 'behavioral' }, 'invalid_input', 'cohort_type'],
    [{ cohort_type: 'static' }, 'invalid_input', 'cohort_type'],
  ])('%j is refused', async (body, code, attr) => {
    const app = await openTestApp();
    const answer = await postCohort(app, { name: 'A', ...body });
    expect([answer.status, answer.json.code, answer.json.attr]).toEqual([400, code, attr]);
    expect((await app.ask(COHORTS)).json.count).toBe(0);
  });

  test('stays static, and a rule does not accept persons', async () => {
    const app = await openWithThreePersons();
    const list = await createCohort(app, STATIC);
    const rule = await createCohort(app, ruleOf());
    const turned = [
      await patchCohort(app, list.id, { is_static: false }),
      await patchCohort(app, rule.id, { is_static: true }),
    ];
    expect(turned.map(({ status, json }) => [status, json.attr])).toEqual([
      [400, 'is_static'],
      [400, 'is_static'],
    ]);
    const body = { person_ids: [await uuidOf(app, 'u1')] };
    expect((await change(app, rule.id, 'add_persons_to', body)).json).toMatchObject({
      code: 'invalid_input',
    });
    expect((await change(app, list.id, 'add_persons_to', { person_ids: ['u1'] })).json.attr).toBe(
      'person_ids__0',
    );
  });
});

describe('M9.2 persons of a cohort', () => {
  test('are listed in pages, the newest first', async () => {
    const app = await openWithThreePersons();
    const { id } = await createCohort(app, ruleOf());
    const first = cohortPersons.parse((await app.ask(`${COHORTS}${id}/persons/?limit=2`)).json);
    expect(first.results.map(({ distinct_ids: ids }) => ids[0])).toEqual(['u3', 'u2']);
    const second = (await app.ask(first.next!.slice(app.url.length))).json;
    expect(second).toMatchObject({ next: null, results: [{ distinct_ids: ['u1'] }] });
  });

  test('are exported as CSV, from which the same list can be created', async () => {
    const app = await openWithThreePersons();
    const { id } = await createCohort(app, ruleOf({ key: 'plan', value: 'free' }));
    const { text, headers } = await app.ask(`${COHORTS}${id}/persons/?format=csv`);
    expect(headers['content-type']).toContain('text/csv');
    expect(text.split('\n')[0]).toBe('uuid,name,email,distinct_id,created_at');
    const again = await upload(app, text);
    expect(again.json).toMatchObject({ count: 2, last_error_message: null });
  });

  test('need the scope to read persons', async () => {
    const app = await openTestApp();
    const { id } = await createCohort(app, ruleOf());
    const body = { label: 'cohorts', scopes: ['cohort:read'] };
    const key = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value;
    expect((await app.ask(`${COHORTS}${id}/`, { key })).status).toBe(200);
    expect((await app.ask(`${COHORTS}${id}/persons/`, { key })).json.detail).toContain("'person:read'");
  });

  test('list their cohorts', async () => {
    const app = await openWithThreePersons();
    const free = await createCohort(app, { name: 'Free', ...ruleOf({ key: 'plan', value: 'free' }) });
    await createCohort(app, { name: 'Pro', ...ruleOf({ key: 'plan', value: 'pro' }) });
    await createCohort(app, { name: 'List', ...STATIC, csv: 'u2' });
    const gone = await createCohort(app, { name: 'Gone', ...ruleOf() });
    await patchCohort(app, gone.id, { deleted: true });
    const ask = async (person: string | number) =>
      (await app.ask(`${PERSONS}cohorts/?person_id=${person}`)).json.results;
    expect((await ask(await uuidOf(app, 'u2'))).map(({ name }: { name: string }) => name)).toEqual([
      'List',
      'Free',
    ]);
    expect(await ask(await idOfPerson(app, 'u3'))).toEqual([
      expect.objectContaining({ id: free.id, count: 2 }),
    ]);
    expect((await app.ask(`${PERSONS}cohorts/?person_id=${NOBODY}`)).status).toBe(404);
    expect((await app.ask(`${PERSONS}cohorts/`)).json).toMatchObject({ code: 'required', attr: 'person_id' });
  });
});
