import { expect, test } from 'vitest';
import { namesOfPersons, openWithThreePersons } from '../../../test/support/app-persons.ts';

const PROJECT = '/api/projects/1/';

async function openWithNames(names: string[] | null) {
  const app = await openWithThreePersons();
  const body = { person_display_name_properties: names };
  expect((await app.ask(PROJECT, { method: 'PATCH', body })).status).toBe(200);
  return app;
}

test('person_display_name_properties name the persons of lists, and a person without any is named by a distinct id', async () => {
  const app = await openWithNames(['seats', 'plan']);
  expect(await namesOfPersons(app)).toEqual(['free', 'free', '5']);
  const other = await openWithNames(['seats']);
  expect(await namesOfPersons(other)).toEqual(['u3', 'u2', '5']);
});

test('a search uses the display name properties', async () => {
  const app = await openWithNames(['plan']);
  expect(await namesOfPersons(app, '?search=pro')).toEqual(['pro']);
  expect(await namesOfPersons(app, '?search=max@')).toEqual([]);
});

test('queries show persons by the same names', async () => {
  const app = await openWithNames(['plan']);
  const ask = async (query: object) =>
    (await app.ask(`${PROJECT}query/`, { method: 'POST', body: { query } })).json.results as unknown[][];
  const actors = await ask({ kind: 'ActorsQuery', select: ['actor'] });
  expect(actors.map(([actor]) => (actor as { name: string }).name).toSorted()).toEqual([
    'free',
    'free',
    'pro',
  ]);
  const events = await ask({ kind: 'EventsQuery', select: ['person_display_name'], after: 'all' });
  const names = events.map(([one]) => (one as { display_name: string }).display_name);
  expect(new Set(names)).toEqual(new Set(['pro', 'free']));
});

test.each([[null], [[]]])('%j restores the default names', async (names) => {
  const app = await openWithNames(names);
  expect(await namesOfPersons(app)).toEqual(['u3', 'max@local.test', 'lin@local.test']);
});
