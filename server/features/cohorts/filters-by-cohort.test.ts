import { describe, expect, test } from 'vitest';
import { createCohort, did, ruleOf } from '../../../test/support/app-cohorts.ts';
import { settle } from '../../../test/support/app-events.ts';
import { namesOfPersons, openWithThreePersons } from '../../../test/support/app-persons.ts';
import { encoded, names } from '../../../test/support/four-events.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

/** Persons lin (merged with anon) and max, and an event without a person. */
async function openWithEvents(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    { event: 'a', distinct_id: 'anon', $set: { plan: 'free' } },
    { event: 'b', distinct_id: 'lin', $set: { plan: 'pro' } },
    { event: 'c', distinct_id: 'max', $set: { plan: 'free' } },
    { event: 'd', distinct_id: 'nobody', properties: { $process_person_profile: false } },
  ]);
  return app;
}

const inCohort = (value: number | string, more: object = {}) =>
  encoded('properties', [
    { type: 'cohort', key: 'id', value, ...more },
    { key: 'x', operator: 'is_not_set' },
  ]);
const sorted = async (app: TestApp, search: string): Promise<string> =>
  [...(await names(app, search))].toSorted().join('');

describe('M7.1/properties a cohort', () => {
  test('finds the events of its members, by rule and by list, and with "not" those of all others', async () => {
    const app = await openWithEvents();
    const free = await createCohort(app, ruleOf({ key: 'plan', value: 'free' }));
    const list = await createCohort(app, { is_static: true, csv: 'lin' });
    expect(await sorted(app, inCohort(free.id))).toBe('ac');
    expect(await sorted(app, inCohort(String(list.id), { operator: 'in' }))).toBe('b');
    expect(await sorted(app, inCohort(free.id, { operator: 'not_in' }))).toBe('bd');
    expect(await sorted(app, inCohort(free.id, { negation: true }))).toBe('bd');
    expect(await sorted(app, inCohort(free.id, { operator: 'not_in', negation: true }))).toBe('ac');
  });

  test('follows merges immediately, also for compacted events', async () => {
    const app = await openWithEvents();
    const list = await createCohort(app, { is_static: true, csv: 'anon' });
    await settle(app);
    await sendEvents(app, [
      { event: 'm', distinct_id: 'max' },
      { event: '$identify', distinct_id: 'lin', properties: { $anon_distinct_id: 'anon' } },
    ]);
    const found = await sorted(app, `${inCohort(list.id)}&event=b`);
    expect(found).toBe('b');
    expect(await sorted(app, `${inCohort(list.id)}&event=a`)).toBe('a');
    expect(await sorted(app, `${inCohort(list.id)}&event=m`)).toBe('');
  });

  test('of a behavior', async () => {
    const app = await openWithEvents();
    const { id } = await createCohort(app, ruleOf(did('c')));
    expect(await sorted(app, inCohort(id))).toBe('c');
    expect(await sorted(app, inCohort(id, { negation: true }))).toBe('abd');
  });
});

describe('M9.3 persons', () => {
  test('are listed by cohort, as a parameter and as a filter among others', async () => {
    const app = await openWithThreePersons();
    const { id } = await createCohort(app, ruleOf({ key: 'plan', value: 'free' }));
    const filter = (more: object, ...others: object[]) =>
      `?${encoded('properties', [{ type: 'cohort', key: 'id', value: id, ...more }, ...others])}`;
    expect(await namesOfPersons(app, `?cohort=${id}`)).toEqual(['u3', 'max@local.test']);
    expect(await namesOfPersons(app, `?cohort=${id}&search=max`)).toEqual(['max@local.test']);
    expect(await namesOfPersons(app, filter({}))).toEqual(['u3', 'max@local.test']);
    expect(await namesOfPersons(app, filter({ operator: 'not_in' }))).toEqual(['lin@local.test']);
    expect(await namesOfPersons(app, filter({}, { key: 'email', operator: 'is_set' }))).toEqual([
      'max@local.test',
    ]);
    expect((await app.ask(`/api/projects/1/persons/?cohort=${id}&include_total=true`)).json.count).toBe(2);
  });
});
