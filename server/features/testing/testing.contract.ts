import { z } from 'zod';
import { integerField, jsonObjectField, parameter } from '../../http/fields.contract.ts';
import { person } from '../persons/persons.contract.ts';

/** The newest events of a project that a test is shown. */
export const MAX_EVENTS = 10_000;
const MAX_WAIT_MS = 60_000;
const MAX_PERSONS = 1_000;
const MAX_TEXT = 400;

const capturedQuery = z.object({
  event: parameter(z.string()),
  distinct_id: parameter(z.string()),
  /** A JSON object; an event has to have each of these properties with this value, and may have others. */
  properties: parameter(jsonObjectField()),
  /** Answers when so many events match, or after `timeout_ms`; absent or 0: immediately. */
  count: parameter(integerField().pipe(z.int().min(0).max(MAX_EVENTS))),
  /** Answers when the project has had another number of events than this, or after `timeout_ms`. */
  beyond: parameter(integerField().pipe(z.int().min(0))),
  timeout_ms: parameter(integerField().pipe(z.int().min(0).max(MAX_WAIT_MS))),
});
export type CapturedQuery = z.output<typeof capturedQuery>;

const capturedEvent = z.strictObject({
  uuid: z.guid(),
  event: z.string(),
  distinct_id: z.string(),
  properties: z.record(z.string(), z.unknown()),
  /** ISO 8601, UTC, microseconds. */
  timestamp: z.string(),
});
export type CapturedEventJson = z.output<typeof capturedEvent>;

const captured = z.strictObject({
  /** Oldest first, of the newest 10,000. */
  results: z.array(capturedEvent),
  /** Events of the project, whether they match or not. */
  total: z.int(),
  /** When fewer than `count` match: the events that differ least, and how. */
  nearest: z.array(z.strictObject({ event: capturedEvent, differences: z.array(z.string()) })),
});

const personToCreate = z.object({
  distinct_id: z.string().min(1).max(MAX_TEXT),
  properties: z.record(z.string(), z.unknown()).default({}),
});
const personsBody = z.object({ persons: z.array(personToCreate).max(MAX_PERSONS) });

const flagBody = z.object({
  key: z.string().min(1).max(MAX_TEXT),
  /** false, true, or the key of a variant. */
  value: z.union([z.boolean(), z.string().min(1).max(MAX_TEXT)]),
  /** Absent or null: for everyone who has no value of their own. */
  distinct_id: z.string().min(1).max(MAX_TEXT).nullable().optional(),
});
export type TestFlagBody = z.output<typeof flagBody>;

const done = z.strictObject({});

/** Only with `--ephemeral`. */
export const testingApi = {
  'GET /_test/events/': { query: capturedQuery, response: captured },
  'GET /_test/persons/': {
    query: z.object({ distinct_id: z.string() }),
    response: z.strictObject({ person: person.nullable() }),
  },
  'POST /_test/persons/': { body: personsBody, response: done },
  'POST /_test/flags/': { body: flagBody, response: done },
  'POST /_test/reset/': { response: done },
};
