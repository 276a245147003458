import { z } from 'zod';
import { booleanField, integerField, textField } from '../../../http/fields.contract.ts';

const object = z.record(z.string(), z.unknown());
const value = z.union([z.boolean(), z.string()]);
const MAX_KEY_LENGTH = 400;
const MAX_SAMPLE = 1_000_000;

/** Body of user_blast_radius/ (management contract 9.1). */
const blastRadiusBody = z.object({
  /** A condition of a flag: its properties count, its rollout does not. */
  condition: object.meta({
    example: {
      properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@shop.example' }],
    },
  }),
  /** Absent or null: persons. */
  group_type_index: integerField().pipe(z.int().min(0).max(4)).nullable().optional(),
});
export type BlastRadiusBody = z.output<typeof blastRadiusBody>;

export const blastRadius = z.strictObject({ users_affected: z.int(), total_users: z.int() });
export type BlastRadius = z.output<typeof blastRadius>;

/** Body of simulate/: a flag as it would be saved. */
const simulateBody = z.object({
  /** The hash of every subject depends on it; a flag that has it now is what the result is compared with. */
  key: textField(MAX_KEY_LENGTH).meta({ example: 'new-navigation' }),
  filters: object.meta({ example: { groups: [{ properties: [], rollout_percentage: 50 }] } }),
  active: booleanField().optional(),
  ensure_experience_continuity: booleanField().nullable().optional(),
  bucketing_identifier: z.enum(['distinct_id', 'device_id']).nullable().optional(),
  /** How many persons or groups are looked at; default 20,000. */
  sample: integerField().pipe(z.int().min(1).max(MAX_SAMPLE)).optional(),
});
export type SimulateBody = z.output<typeof simulateBody>;

const share = z.strictObject({ value, count: z.int() });

/** What a flag would answer to those who are stored. Counts are of the `evaluated`. */
const simulation = z.strictObject({
  subject: z.enum(['person', 'group']),
  /** Name of the type of groups. */
  group_type: z.string().nullable(),
  /** How many are stored. */
  total: z.int(),
  /** How many were looked at: all, or an even sample, always of the same. */
  evaluated: z.int(),
  /** Each value that a subject gets, most frequent first. */
  values: z.array(share),
  sets: z.array(
    z.strictObject({
      index: z.int(),
      /** Number of subjects with the properties of the condition. */
      matching: z.int(),
      /** Who gets an answer because of it. */
      decided: z.int(),
    }),
  ),
  /** The same of the flag as it is stored; null: there is none with this key. */
  now: z.strictObject({ values: z.array(share) }).nullable(),
  /** How the answers differ from now. */
  changes: z
    .strictObject({
      same: z.int(),
      /** Off now, on then. */
      added: z.int(),
      removed: z.int(),
      /** On both times, with another value. */
      moved: z.int(),
    })
    .nullable(),
  /** Some whose answer changes, or who get the flag; none for who may not see persons. */
  examples: z.array(
    z.strictObject({
      /** UUID of a person, or key of a group. */
      id: z.string(),
      name: z.string(),
      distinct_id: z.string().nullable(),
      value,
      before: value.nullable(),
    }),
  ),
  /** What the result leaves out, in a sentence. */
  note: z.string().nullable(),
});
export type SimulationJson = z.output<typeof simulation>;

export const flagSimulationApi = {
  'POST P/feature_flags/user_blast_radius/': { body: blastRadiusBody, response: blastRadius },
  'POST P/burrow/feature_flags/simulate/': { body: simulateBody, response: simulation },
};
