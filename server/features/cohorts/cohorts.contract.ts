import { parseExactly } from '../../lib/exact-number.contract.ts';
import { z } from 'zod';
import {
  booleanField,
  freeTextField,
  integerField,
  parameter,
  textField,
  lenient,
} from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { person } from '../persons/persons.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';
import { cohortTree } from './kinds/cohort-tree.contract.ts';

const MAX_NAME_LENGTH = 400;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_NAMED_PERSONS = 10_000;

const COHORT_TYPES = ['static', 'person_property', 'behavioral', 'realtime', 'analytical'] as const;
export type CohortType = (typeof COHORT_TYPES)[number];
const cohortType = z.enum(COHORT_TYPES);
const object = z.record(z.string(), z.unknown());

/** One condition of a cohort as it is stored: on a property, on another cohort, or on what a person did. */
export interface RuleLeaf {
  type: 'person' | 'cohort' | 'behavioral';
  key: string;
  value?: unknown;
  operator?: string | null;
  negation?: boolean;
  [key: string]: unknown;
}

/** All (AND) or one (OR) of the parts must hold. */
export interface RuleTree {
  type: 'AND' | 'OR';
  values: (RuleTree | RuleLeaf)[];
}

/** A cohort (management contract 9.2). */
export const cohort = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    groups: z.array(z.unknown()),
    deleted: z.boolean(),
    filters: (object as unknown as z.ZodType<{ properties?: RuleTree }>).nullable(),
    query: object.nullable(),
    version: z.int(),
    pending_version: z.int(),
    /** True while the count is recalculated; until then `count` is the previous one. */
    is_calculating: z.boolean(),
    created_by: embeddedUser.nullable(),
    created_at: z.string(),
    /** When the count was true. */
    last_calculation: z.string().nullable(),
    errors_calculating: z.int(),
    last_error_message: z.string().nullable(),
    /** Persons in it; null while the first computation takes long. */
    count: z.int().nullable(),
    is_static: z.boolean(),
    cohort_type: cohortType,
    experiment_set: z.array(z.int()),
  })
  .meta({ id: 'Cohort' });
export type CohortJson = z.output<typeof cohort>;
export const cohortPage = pageSchema(cohort);

const cohortParams = z.object({ id: integerField().pipe(z.int32().min(1)) });
const listCohortsQuery = z.object({
  type: parameter(z.enum(['static', 'dynamic'])),
  created_by_id: parameter(integerField()),
  search: parameter(z.string()),
  hide_behavioral_cohorts: parameter(booleanField()),
});
export type ListCohortsQuery = z.output<typeof listCohortsQuery>;

const RULE_EXAMPLE = {
  properties: {
    type: 'OR',
    values: [{ type: 'AND', values: [{ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }] }],
  },
};
/** The rule is kept as it was sent; `readRule` understands it. */
const filters = lenient(formJson, object).nullable().meta({ example: RULE_EXAMPLE });
/** The text of the file, as forms and JSON send it. */
const csv = z.string();
const personIds = z.array(z.guid()).max(MAX_NAMED_PERSONS);

/** Body of PATCH; what is absent stays. `csv` and `_create_static_person_ids` add persons to a fixed list. */
const updateCohortBody = z.object({
  name: textField(MAX_NAME_LENGTH).optional(),
  description: freeTextField(MAX_DESCRIPTION_LENGTH).optional(),
  filters: filters.optional(),
  groups: lenient(formJson, z.array(object)).optional(),
  query: lenient(formJson, object.nullable()).optional(),
  is_static: booleanField().optional(),
  cohort_type: lenient((word) => (word === '' ? null : word), cohortType.nullable()).optional(),
  deleted: booleanField().optional(),
  csv: csv.optional(),
  _create_static_person_ids: personIds.optional(),
});
export type UpdateCohortBody = z.output<typeof updateCohortBody>;
/** Body of POST and PUT. */
const createCohortBody = updateCohortBody.required({ name: true });
export type CreateCohortBody = z.output<typeof createCohortBody>;

/** What a rule that was sent says: `filters.properties`. */
export const ruleField = z.object({ filters: z.object({ properties: cohortTree.optional() }) });

const addPersonsBody = z.object({ person_ids: personIds });
const removePersonBody = z.object({ person_id: z.guid() });
/** The result of adding named persons, for callers that request it by Prefer. */
export const personsAdded = z.strictObject({ added: z.int(), unknown: z.array(z.string()) });

export const cohortPersons = z.strictObject({
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(person),
});

const personCohortsQuery = z.object({ person_id: z.string().min(1) });
const personCohorts = z.strictObject({ results: z.array(cohort) });

/** `POST P/burrow/cohorts/preview/`: who would be in a cohort with this rule. */
const previewBody = z.object({
  filters: lenient(formJson, object).meta({ example: RULE_EXAMPLE }),
});
export const preview = z.strictObject({ count: z.int(), total: z.int(), sample: z.array(person) });

/** `GET P/burrow/cohorts/usage/`: where cohorts are named; unused ones are left out. */
export const cohortUsage = z.strictObject({
  results: z.array(
    z.strictObject({
      id: z.int(),
      flags: z.array(z.strictObject({ id: z.int(), key: z.string(), name: z.string(), active: z.boolean() })),
      cohorts: z.array(z.strictObject({ id: z.int(), name: z.string() })),
    }),
  ),
});
export type CohortUsageJson = z.output<typeof cohortUsage>;
export type CohortUse = CohortUsageJson['results'][number];

export const cohortsApi = {
  'GET P/cohorts/': { query: listCohortsQuery, response: cohortPage },
  'POST P/cohorts/': { body: createCohortBody, response: cohort },
  'GET P/cohorts/:id/': { params: cohortParams, response: cohort },
  'PATCH P/cohorts/:id/': { params: cohortParams, body: updateCohortBody, response: cohort },
  'PUT P/cohorts/:id/': { params: cohortParams, body: createCohortBody, response: cohort },
  'POST P/cohorts/:id/duplicate_as_static_cohort/': { params: cohortParams, response: cohort },
  'GET P/cohorts/:id/persons/': { params: cohortParams, response: cohortPersons },
  'PATCH P/cohorts/:id/add_persons_to_static_cohort/': {
    params: cohortParams,
    body: addPersonsBody,
    response: personsAdded.optional(),
  },
  'PATCH P/cohorts/:id/remove_person_from_static_cohort/': {
    params: cohortParams,
    body: removePersonBody,
    response: cohort.optional(),
  },
  'GET P/persons/cohorts/': { query: personCohortsQuery, response: personCohorts },
  'GET P/burrow/cohorts/usage/': { response: cohortUsage },
  'POST P/burrow/cohorts/preview/': { body: previewBody, response: preview },
};

/** Objects and lists in the field of a form are JSON text. */
function formJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseExactly(value);
  } catch {
    return value;
  }
}
