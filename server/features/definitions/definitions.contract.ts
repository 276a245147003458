import { z } from 'zod';
import {
  booleanField,
  integerField,
  jsonListField,
  parameter,
  tagsField,
  lenient,
} from '../../http/fields.contract.ts';

/** Longer names are never listed, so they cannot be created. */
const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 10_000;

const EVENT_TYPES = ['event', 'event_custom', 'event_posthog', 'all', 'action_event'] as const;

/** Names separated by commas. */
const names = z.string().transform((text) => text.split(',').filter((name) => name !== ''));

/** Query of `GET P/event_definitions/` (management contract 9.8); `limit` and `offset` are read by the paging of all lists. */
const listEventDefinitionsQuery = z.object({
  search: parameter(z.string()),
  /** Fields separated by commas, `-` for descending; others than name, created_at and last_seen_at are passed over. */
  ordering: parameter(z.string()),
  /** `event_custom`: names without `$` at the beginning; `event_posthog`: those with it. */
  event_type: parameter(z.enum(EVENT_TYPES)),
  names: parameter(names),
  excluded_properties: parameter(jsonListField()),
  tags: parameter(jsonListField()),
  verified: parameter(booleanField()),
  hidden: parameter(booleanField()),
  exclude_hidden: parameter(booleanField()),
  /** Leaves out what was last seen more than 30 days ago. */
  exclude_stale: parameter(booleanField()),
});
export type ListEventDefinitionsQuery = z.output<typeof listEventDefinitionsQuery>;

const PROPERTY_OWNERS = ['event', 'person', 'group', 'session'] as const;

/** Query of `GET P/property_definitions/` (management contract 9.8). */
const listPropertyDefinitionsQuery = z
  .object({
    search: parameter(z.string()),
    type: parameter(z.enum(PROPERTY_OWNERS)),
    group_type_index: parameter(integerField().pipe(z.int().min(0).max(4))),
    /** Fills `is_seen_on_filtered_events`. */
    event_names: parameter(jsonListField()),
    /** Leaves out what was seen on none of `event_names`. */
    filter_by_event_names: parameter(booleanField()),
    properties: parameter(names),
    excluded_properties: parameter(jsonListField()),
    exclude_core_properties: parameter(booleanField()),
    hidden: parameter(booleanField()),
    exclude_hidden: parameter(booleanField()),
    is_feature_flag: parameter(booleanField()),
    is_numerical: parameter(booleanField()),
    verified: parameter(booleanField()),
  })
  .superRefine(({ type = 'event', group_type_index: index }, context) => {
    if ((type === 'group') === (index !== undefined)) return;
    const [error, message] =
      index === undefined
        ? ['required', 'group_type_index is required for group properties.']
        : ['invalid_input', 'group_type_index is only allowed for group properties.'];
    context.addIssue({ code: 'custom', message, path: ['group_type_index'], params: { error } });
  });
export type ListPropertyDefinitionsQuery = z.output<typeof listPropertyDefinitionsQuery>;

const seenTogetherQuery = z.object({
  event_names: jsonListField().meta({ example: '["signup"]' }),
  property_name: z.string().min(1).meta({ example: 'plan' }),
});
const byNameQuery = z.object({ name: z.string().min(1).meta({ example: 'signup' }) });
const definitionParams = z.object({ id: z.guid() });

const description = lenient(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().max(MAX_DESCRIPTION_LENGTH),
);

/** What people say of a definition; other keys are passed over. */
const saidOfDefinition = z.object({
  description: description.nullish(),
  tags: tagsField().nullish(),
  verified: booleanField().optional(),
  hidden: booleanField().nullish(),
});

function notBoth({
  verified,
  hidden,
}: {
  verified?: boolean | undefined;
  hidden?: boolean | null | undefined;
}) {
  return verified !== true || hidden !== true;
}
const NOT_BOTH = { message: 'A definition cannot be both hidden and verified.' };

const saidOfEvent = saidOfDefinition.extend({
  /** Id of a user. */
  owner: integerField().nullish(),
  post_to_slack: booleanField().optional(),
  default_columns: z.array(z.string()).nullish(),
});

const updateEventDefinitionBody = saidOfEvent.refine(notBoth, NOT_BOTH);
export type UpdateEventDefinitionBody = z.output<typeof updateEventDefinitionBody>;

export const createEventDefinitionBody = saidOfEvent
  .extend({
    name: lenient(
      (value) => (typeof value === 'number' ? String(value) : value),
      z.string().min(1).max(MAX_NAME_LENGTH),
    ),
  })
  .refine(notBoth, NOT_BOTH);
export type CreateEventDefinitionBody = z.output<typeof createEventDefinitionBody>;

const propertyType = z.enum(['DateTime', 'String', 'Numeric', 'Boolean', 'Duration']);

export const updatePropertyDefinitionBody = saidOfDefinition
  .extend({
    /** Overrides the type detected from values; null resets it. */
    property_type: propertyType.nullish(),
  })
  .refine(notBoth, NOT_BOTH);
export type UpdatePropertyDefinitionBody = z.output<typeof updatePropertyDefinitionBody>;

/** An event name. Only users of this machine change it, and early clients of PostHog accept no person there. */
export const eventDefinition = z
  .object({
    id: z.guid(),
    name: z.string(),
    owner: z.int().nullable(),
    description: z.string(),
    tags: z.array(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
    updated_by: z.null(),
    /** Accurate to about a minute; null for one that was created by hand and has no event. */
    last_seen_at: z.string().nullable(),
    first_seen_at: z.string().nullable(),
    last_updated_at: z.string(),
    verified: z.boolean(),
    verified_at: z.string().nullable(),
    verified_by: z.null(),
    hidden: z.boolean(),
    is_action: z.boolean(),
    action_id: z.null(),
    is_calculating: z.boolean(),
    last_calculated_at: z.null(),
    created_by: z.null(),
    post_to_slack: z.boolean(),
    default_columns: z.array(z.string()),
    media_preview_urls: z.array(z.string()),
  })
  .meta({ id: 'EventDefinition' });
export type EventDefinitionJson = z.output<typeof eventDefinition>;

/** A property of events, persons or groups. */
export const propertyDefinition = z
  .object({
    id: z.guid(),
    name: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    is_numerical: z.boolean(),
    updated_at: z.string(),
    updated_by: z.null(),
    is_seen_on_filtered_events: z.boolean().nullable(),
    property_type: propertyType.nullable(),
    verified: z.boolean(),
    verified_at: z.string().nullable(),
    verified_by: z.null(),
    hidden: z.boolean(),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
  })
  .meta({ id: 'PropertyDefinition' });
export type PropertyDefinitionJson = z.output<typeof propertyDefinition>;

/** A property that queries compute, and events, persons or groups do not have. */
const virtualProperty = propertyDefinition
  .pick({
    name: true,
    description: true,
    tags: true,
    is_numerical: true,
    is_seen_on_filtered_events: true,
    property_type: true,
  })
  .extend({ id: z.string(), virtual: z.literal(true) })
  .meta({ id: 'VirtualProperty' });
export type VirtualPropertyJson = z.output<typeof virtualProperty>;

export const eventDefinitionPage = pageSchema(eventDefinition);
export const propertyDefinitionPage = pageSchema(z.union([propertyDefinition, virtualProperty]));

function pageSchema<S extends z.ZodType>(item: S) {
  return z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });
}

/** By event name: whether it was seen with the property. */
const seenTogether = z.record(z.string(), z.boolean());

/** How often queries have named the event in 30 days; null: that is not counted. */
const eventMetrics = z.object({ query_usage_30_day: z.int().nullable() });

export const definitionsApi = {
  'PATCH P/event_definitions/:id/': {
    params: definitionParams,
    body: updateEventDefinitionBody,
    response: eventDefinition,
  },
  'PUT P/event_definitions/:id/': {
    params: definitionParams,
    body: updateEventDefinitionBody,
    response: eventDefinition,
  },
  'GET P/event_definitions/': { query: listEventDefinitionsQuery, response: eventDefinitionPage },
  'POST P/event_definitions/': { body: createEventDefinitionBody, response: eventDefinition },
  'GET P/event_definitions/by_name/': { query: byNameQuery, response: eventDefinition },
  'GET P/event_definitions/:id/': { params: definitionParams, response: eventDefinition },
  'DELETE P/event_definitions/:id/': { params: definitionParams, response: null },
  'GET P/event_definitions/:id/metrics/': { params: definitionParams, response: eventMetrics },
  'PATCH P/property_definitions/:id/': {
    params: definitionParams,
    body: updatePropertyDefinitionBody,
    response: propertyDefinition,
  },
  'PUT P/property_definitions/:id/': {
    params: definitionParams,
    body: updatePropertyDefinitionBody,
    response: propertyDefinition,
  },
  'GET P/property_definitions/': { query: listPropertyDefinitionsQuery, response: propertyDefinitionPage },
  'GET P/property_definitions/seen_together/': { query: seenTogetherQuery, response: seenTogether },
  'GET P/property_definitions/:id/': { params: definitionParams, response: propertyDefinition },
  'DELETE P/property_definitions/:id/': { params: definitionParams, response: null },
};
