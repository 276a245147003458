import { expect } from 'vitest';
import {
  type EventDefinitionJson,
  eventDefinitionPage,
  type PropertyDefinitionJson,
  propertyDefinitionPage,
} from '../../server/features/definitions/definitions.contract.ts';
import { TEST_TOKEN, type TestApp } from './test-app.ts';

export const EVENTS = '/api/projects/1/event_definitions/';

export const PROPERTIES = '/api/projects/1/property_definitions/';

/** The id of nothing. */
export const UNKNOWN = '0190f0c1-0000-7000-8000-000000000001';

/** The time of the test's clock. */
export const NOON = '2026-11-20T09:30:00.000000Z';

export interface Sent {
  event: string;
  properties?: Record<string, unknown>;
}

/** Sends events as an SDK does; they are acknowledged when this returns. */
export async function capture(app: TestApp, ...batch: Sent[]): Promise<void> {
  const body = { api_key: TEST_TOKEN, batch: batch.map((event) => ({ distinct_id: 'u1', ...event })) };
  expect((await app.ask('/batch/', { method: 'POST', key: null, body })).status).toBe(200);
}

/** A page of the event definitions. */
export async function listEvents(app: TestApp, query = ''): Promise<EventDefinitionJson[]> {
  return eventDefinitionPage.parse((await app.ask(`${EVENTS}?${query}`)).json).results;
}

/** A page of the property definitions, without virtual ones. */
export async function listProperties(app: TestApp, query = ''): Promise<PropertyDefinitionJson[]> {
  const { results } = propertyDefinitionPage.parse((await app.ask(`${PROPERTIES}?${query}`)).json);
  return results.flatMap((one) => ('virtual' in one ? [] : [one]));
}

/** The names of what is listed. */
export const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name);

/** A value as a parameter of a query. */
export const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

/** The id of the definition of that name. */
export async function idOf(app: TestApp, path: string, name: string): Promise<string> {
  const { results } = (await app.ask(`${path}?search=${encodeURIComponent(name)}`)).json;
  return results.find((one: { name: string }) => one.name === name).id;
}
