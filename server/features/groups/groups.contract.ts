import { z } from 'zod';
import { integerField, parameter, textField, lenient } from '../../http/fields.contract.ts';
import { deletePropertyBody, nameCount, person, updatePropertyBody } from '../persons/persons.contract.ts';

const groupType = z.object({
  group_type: z.string(),
  group_type_index: z.int(),
  name_singular: z.string().nullable(),
  name_plural: z.string().nullable(),
  detail_dashboard: z.int().nullable(),
  default_columns: z.array(z.string()).nullable(),
  created_at: z.string(),
});
export type GroupTypeJson = z.output<typeof groupType>;
export const groupTypes = z.array(groupType);

/** A name of a group type; null and the empty text take it away. */
const typeName = z.union([z.literal('').transform(() => null), textField(400)]).nullish();

/** Body of `PATCH P/groups_types/update_metadata/`; what is left out stays. */
const updateGroupTypesBody = z.array(
  z.object({ group_type_index: integerField(), name_singular: typeName, name_plural: typeName }),
);

const groupTypeParams = z.object({
  index: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

export const group = z
  .object({
    group_type_index: z.int(),
    group_key: z.string(),
    group_properties: z.record(z.string(), z.unknown()),
    created_at: z.string(),
  })
  .meta({ id: 'Group' });
export type GroupJson = z.output<typeof group>;

/** `group_type_index` of a query; absent, it is `invalid_input` and not `required` (management contract 9.4). */
const indexParameter = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text !== undefined && /^\s*\d{1,9}\s*$/.test(text)) return Number(text);
    context.addIssue({ code: 'custom', message: 'Expected the index of a group type, 0 to 4.' });
    return z.NEVER;
  })
  .meta({ example: '0' });

const listGroupsQuery = z.object({
  group_type_index: indexParameter,
  search: parameter(z.string()),
  group_key: parameter(z.string()),
  cursor: parameter(z.string()),
});
export type ListGroupsQuery = z.output<typeof listGroupsQuery>;

export const groupPage = z.object({
  next: z.string().nullable(),
  previous: z.null(),
  results: z.array(group),
});

/** The query that names one group. */
export const groupQuery = z.object({
  group_type_index: indexParameter,
  group_key: z.string().min(1).meta({ example: 'acme' }),
});

/** Longer keys are not taken from events either (ingestion contract 6.7). */
const MAX_KEY_LENGTH = 400;

const createGroupBody = z.object({
  group_type_index: integerField().meta({ example: 0 }),
  group_key: lenient(
    (value) => (typeof value === 'number' ? String(value) : value),
    z.string().min(1).max(MAX_KEY_LENGTH),
  ),
  group_properties: z.record(z.string(), z.unknown()).nullish(),
});

/** With `group_type_index`, `id` is a group's key; without, a person's id or UUID. */
export const relatedQuery = z.object({
  group_type_index: parameter(indexParameter),
  id: z.string().min(1),
});

/** Persons and groups that share events with the requested one; `id` is a person's UUID, or a group's key. */
export const related = z.array(
  z.discriminatedUnion('type', [
    person.extend({ type: z.literal('person'), id: z.guid() }),
    z.object({
      type: z.literal('group'),
      id: z.string(),
      group_key: z.string(),
      group_type_index: z.int(),
      properties: z.record(z.string(), z.unknown()),
      created_at: z.string(),
    }),
  ]),
);
export type RelatedJson = z.output<typeof related>;

const groupValuesQuery = z.object({
  group_type_index: indexParameter,
  key: parameter(z.string()),
  value: parameter(z.string()),
});
const groupValues = z.object({ results: z.array(nameCount), refreshing: z.literal(false) });

/** Index of a group type -> names of its groups' properties. */
const groupPropertyDefinitions = z.record(z.string(), z.array(nameCount));

export const groupsApi = {
  'GET P/groups_types/': { response: groupTypes },
  'PATCH P/groups_types/update_metadata/': { body: updateGroupTypesBody, response: groupTypes },
  'DELETE P/groups_types/:index/': { params: groupTypeParams, response: null },
  'GET P/groups/': { query: listGroupsQuery, response: groupPage },
  'POST P/groups/': { body: createGroupBody, response: group },
  'GET P/groups/find/': { query: groupQuery, response: group },
  'POST P/groups/update_property/': { body: updatePropertyBody, response: group },
  'POST P/groups/delete_property/': { body: deletePropertyBody, response: group },
  'GET P/groups/related/': { query: relatedQuery, response: related },
  'GET P/groups/property_values/': { query: groupValuesQuery, response: groupValues },
  'GET P/groups/property_definitions/': { response: groupPropertyDefinitions },
};
