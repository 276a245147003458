import { z } from 'zod';
import { booleanField, integerField, parameter } from '../../http/fields.contract.ts';

/** Query of `GET P/persons/` (management contract 9.3); `limit` and `offset` are read by the paging of all lists. */
const listPersonsQuery = z.object({
  email: parameter(z.string()),
  distinct_id: parameter(z.string()),
  search: parameter(z.string()),
  /** JSON of property filters; read by the filters of all lists, as it may be repeated. */
  properties: z.string().optional(),
  /** The id of a cohort that they are in. */
  cohort: parameter(integerField().pipe(z.int32().min(1))),
  include_total: parameter(booleanField()),
});
export type ListPersonsQuery = z.output<typeof listPersonsQuery>;

/** A person: the six keys of the management contract, and whether it was identified. */
export const person = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Anonymous-looking ones last; in a list at most 100, in the detail all. */
    distinct_ids: z.array(z.string()),
    properties: z.record(z.string(), z.unknown()),
    created_at: z.string(),
    uuid: z.guid(),
    is_identified: z.boolean(),
  })
  .meta({ id: 'Person' });
export type PersonJson = z.output<typeof person>;

export const personPage = z.object({
  count: z.int().optional(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(person),
});

/** A path's `:id`: an integer id or a UUID; which of them it is, the feature decides. */
const personParams = z.object({ id: z.string() });

/** A key of the properties of a person or group; `$` and spaces are part of it. */
const propertyKey = z.string().min(1);

/** Any JSON value but null: what has no value is deleted by a request of its own. */
const propertyValue = z.unknown().superRefine((value, context) => {
  if (value !== undefined && value !== null) return;
  const error = value === undefined ? 'required' : 'null';
  context.addIssue({ code: 'custom', message: NO_VALUE[error], params: { error } });
});

const NO_VALUE = {
  required: 'This field is required.',
  null: 'This field may not be null. Delete the property instead.',
} as const;

const updatePersonBody = z.object({ properties: z.record(z.string(), z.unknown()) });
/** Body of every `update_property/`. */
export const updatePropertyBody = z.object({ key: propertyKey, value: propertyValue });
/** Body of every `delete_property/`. */
export const deletePropertyBody = z.object({ $unset: propertyKey });

const deletePersonQuery = z.object({ delete_events: parameter(booleanField()) });

const MAX_DELETED = 1_000;

/** Persons by uuid, by distinct id, or both; at most 1,000 in one request. */
const bulkDeleteBody = z
  .object({
    ids: z.array(z.guid()).default([]),
    distinct_ids: z.array(z.string()).default([]),
    delete_events: booleanField().optional(),
  })
  .superRefine(({ ids, distinct_ids }, context) => {
    const named = ids.length + distinct_ids.length;
    if (named === 0) context.addIssue({ code: 'custom', message: 'Specify persons by ids or distinct_ids.' });
    if (named > MAX_DELETED) {
      context.addIssue({ code: 'custom', message: `Up to ${MAX_DELETED} persons can be deleted at once.` });
    }
  })
  .meta({ example: { distinct_ids: ['lin@example.com'], delete_events: false } });

const MAX_LOOKED_UP = 200;

const distinctIdsBody = z
  .object({ distinct_ids: z.array(z.string()).max(MAX_LOOKED_UP) })
  .meta({ example: { distinct_ids: ['lin@example.com'] } });

/** The person of each distinct id; ids of no person are left out. */
const personsByDistinctId = z.object({ results: z.record(z.string(), person) });

const splitPersonBody = z.object({ main_distinct_id: z.string().nullish() });

export const success = z.object({ success: z.literal(true) });

/** Query of every `values/` of properties; without `key` the list is empty. */
const propertyValuesQuery = z.object({
  key: parameter(z.string()),
  value: parameter(z.string()),
});

/** A name, or a value as text, and how many have it. */
export const nameCount = z.object({ name: z.string(), count: z.int() });
export type NameCount = z.output<typeof nameCount>;

/** What set a property last, and when. */
const propertySource = z.object({
  event: z.string().nullable(),
  by: z.string(),
  at: z.string(),
});

/** A person that was absorbed; `distinct_id` is the one that the event named. */
const personMerge = z.object({
  uuid: z.guid(),
  distinct_id: z.string(),
  event: z.string(),
  at: z.string(),
});

/** `GET P/burrow/persons/:id/`: a person with what set its properties and what became part of it, newest first. */
export const personOrigins = z.object({
  person,
  property_sources: z.record(z.string(), propertySource),
  merges: z.array(personMerge),
});
export type PersonOriginsJson = z.output<typeof personOrigins>;

/** How many events, and when the last came. */
const counted = { count: z.int(), last_seen: z.string() };

/** `GET P/burrow/persons/:id/activity/`: what a person's events amount to. */
export const personActivity = z.object({
  count: z.int(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  /** Days in UTC on which there were events, within the last 26 weeks, oldest first. */
  days: z.array(z.object({ day: z.string(), count: z.int() })),
  /** Names of events, most frequent first, at most 100. */
  events: z.array(z.object({ event: z.string(), ...counted })),
  /** Distinct ids that sent events, most recent first, at most 1,000. */
  distinct_ids: z.array(z.object({ distinct_id: z.string(), first_seen: z.string(), ...counted })),
  /** Groups that events belong to, most recent first, at most 100. */
  groups: z.array(z.object({ group_type_index: z.int(), group_key: z.string(), ...counted })),
});
export type PersonActivityJson = z.output<typeof personActivity>;

export const personsApi = {
  'GET P/persons/': { query: listPersonsQuery, response: personPage },
  'GET P/persons/values/': { query: propertyValuesQuery, response: z.array(nameCount) },
  'GET P/persons/properties/': { response: z.array(nameCount) },
  'GET P/persons/:id/': { params: personParams, response: person },
  'PATCH P/persons/:id/': { params: personParams, body: updatePersonBody, response: null },
  'PUT P/persons/:id/': { params: personParams, body: updatePersonBody, response: null },
  'POST P/persons/:id/update_property/': { params: personParams, body: updatePropertyBody, response: null },
  'POST P/persons/:id/delete_property/': {
    params: personParams,
    body: deletePropertyBody,
    response: success,
  },
  'DELETE P/persons/:id/': { params: personParams, query: deletePersonQuery, response: null },
  'POST P/persons/batch_by_distinct_ids/': { body: distinctIdsBody, response: personsByDistinctId },
  'POST P/persons/bulk_delete/': { query: deletePersonQuery, body: bulkDeleteBody, response: null },
  'POST P/persons/:id/split/': { params: personParams, body: splitPersonBody, response: success },
  'GET P/burrow/persons/:id/': { params: personParams, response: personOrigins },
  'GET P/burrow/persons/:id/activity/': { params: personParams, response: personActivity },
};
