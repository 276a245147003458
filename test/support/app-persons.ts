import { expect } from 'vitest';
import { type PersonJson, personPage } from '../../server/features/persons/persons.contract.ts';
import { iso } from './app-events.ts';
import { sendEvents } from './send-events.ts';
import { openTestApp, type TestApp } from './test-app.ts';

export const PERSONS = '/api/projects/1/persons/';

/** The persons of a page of the list. */
export async function listPersons(app: TestApp, search = ''): Promise<PersonJson[]> {
  const answer = await app.ask(`${PERSONS}${search}`);
  expect(answer.status).toBe(200);
  return personPage.strict().parse(answer.json).results;
}

/** Their names, as the list shows them. */
export async function namesOfPersons(app: TestApp, search = ''): Promise<string[]> {
  return (await listPersons(app, search)).map(({ name }) => name);
}

/** Three persons, created in this order: lin, max, and one without a name. */
export async function openWithThreePersons(): Promise<TestApp> {
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

/** The id of the person that a distinct id belongs to. */
export async function idOfPerson(app: TestApp, distinctId: string): Promise<number> {
  const [found] = await listPersons(app, `?distinct_id=${distinctId}`);
  return found!.id;
}

/** What an answer holds that refuses. */
export const refusal = (status: number, code: string, attr: string | null) => ({
  status,
  json: { code, attr, type: expect.any(String), detail: expect.any(String) },
});
