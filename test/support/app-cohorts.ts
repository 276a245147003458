import { expect } from 'vitest';
import { cohort, cohortPersons, type CohortJson } from '../../server/features/cohorts/cohorts.contract.ts';
import type { TestApp, TestResponse } from './test-app.ts';

export const COHORTS = '/api/projects/1/cohorts/';

export const postCohort = (app: TestApp, body: unknown): Promise<TestResponse> =>
  app.ask(COHORTS, { method: 'POST', body });
export const patchCohort = (app: TestApp, id: number, body: unknown): Promise<TestResponse> =>
  app.ask(`${COHORTS}${id}/`, { method: 'PATCH', body });

/** Creates a cohort; throws unless it is created. */
export async function createCohort(app: TestApp, body: object): Promise<CohortJson> {
  const answer = await postCohort(app, { name: 'A cohort', ...body });
  expect(answer.status, answer.text).toBe(201);
  return cohort.parse(answer.json);
}

/** A rule of which all leaves must hold; a leaf without a type is about a property of the person. */
export function ruleOf(...values: object[]): { filters: object } {
  return { filters: { properties: { type: 'AND', values } } };
}

/** A behavioral condition. */
export function did(event: string, value = 'performed_event', more: object = {}): object {
  return { type: 'behavioral', key: event, value, event_type: 'events', ...more };
}

/** The first distinct ids of those in a cohort, in order. */
export async function membersOf(app: TestApp, id: number): Promise<string[]> {
  const answer = await app.ask(`${COHORTS}${id}/persons/`);
  expect(answer.status, answer.text).toBe(200);
  return cohortPersons
    .parse(answer.json)
    .results.map(({ distinct_ids: ids }) => ids[0]!)
    .toSorted();
}

/** The same for a rule that is stored for it. */
export async function membersBy(app: TestApp, ...values: object[]): Promise<string[]> {
  return membersOf(app, (await createCohort(app, ruleOf(...values))).id);
}

/** A form with one file in the field `csv`, and the header that it needs. */
export function formWithCsv(csv: string, fields: Readonly<Record<string, string>> = {}) {
  const boundary = 'boundary-of-the-form';
  const part = (name: string, value: string, file = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  const parts = Object.entries(fields).map(([name, value]) => part(name, value));
  return {
    body: `${parts.join('')}${part('csv', csv, '; filename="list.csv"')}--${boundary}--\r\n`,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
}
