import { z } from 'zod';
import { booleanField, parameter } from '../../../http/fields.contract.ts';
import { createFlagBody } from '../feature-flags.contract.ts';

const object = z.record(z.string(), z.unknown());

const exportedFlag = z.strictObject({
  /** By which other flags of the file name it. */
  id: z.int(),
  key: z.string(),
  name: z.string(),
  active: z.boolean(),
  filters: object,
  ensure_experience_continuity: z.boolean(),
  bucketing_identifier: z.enum(['distinct_id', 'device_id']).nullable(),
  evaluation_runtime: z.enum(['all', 'client', 'server']),
  tags: z.array(z.string()),
  evaluation_tags: z.array(z.string()),
  is_remote_configuration: z.boolean(),
  has_encrypted_payloads: z.boolean(),
});
export type ExportedFlag = z.output<typeof exportedFlag>;

const exportedCohort = z.strictObject({
  /** By which flags and cohorts of the file name it. */
  id: z.int(),
  name: z.string(),
  description: z.string(),
  /** Its members are persons, who are not in the file. */
  is_static: z.boolean(),
  filters: object.nullable(),
});
export type ExportedCohort = z.output<typeof exportedCohort>;

/** All flags of a project and what they need, by their keys, without times: a file for version control and tests. */
const exportedFile = z
  .strictObject({
    version: z.literal(1),
    /** Names of the types of groups that flags are about, by the index by which they are named here. */
    group_types: z.record(z.string(), z.string()),
    flags: z.array(exportedFlag),
    cohorts: z.array(exportedCohort),
  })
  .meta({ id: 'FlagFile' });
export type ExportedFile = z.output<typeof exportedFile>;

/** Query of import/: with `dry_run` everything is tried, and nothing is kept. */
const importQuery = z.object({ dry_run: parameter(booleanField()) });

/** Body of import/: a flag file, a list of flags as PostHog answers it, or its answer for local evaluation. */
const importBody = z.union([object, z.array(z.unknown())]).meta({
  example: {
    version: 1,
    group_types: {},
    flags: [{ key: 'new-navigation', filters: { groups: [{ properties: [], rollout_percentage: 50 }] } }],
    cohorts: [],
  },
});

/** What a file says of a flag beside its filters; the rest of what it may hold is not read. */
export const flagFields = createFlagBody.pick({
  key: true,
  name: true,
  active: true,
  ensure_experience_continuity: true,
  bucketing_identifier: true,
  evaluation_runtime: true,
  tags: true,
  evaluation_tags: true,
  is_remote_configuration: true,
  has_encrypted_payloads: true,
});
export type FlagFieldsBody = z.output<typeof flagFields>;

const OUTCOMES = ['created', 'updated', 'unchanged', 'refused'] as const;
const outcome = {
  /** Of the project; null: it was refused, or is only tried. */
  id: z.int().nullable(),
  outcome: z.enum(OUTCOMES),
  /** Why it is refused, in a sentence. */
  reason: z.string().nullable(),
};

/** What became of each flag and cohort of a file. */
const importReport = z.strictObject({
  /** False: nothing was changed, because something was refused or it was only tried. */
  applied: z.boolean(),
  dry_run: z.boolean(),
  flags: z.array(z.strictObject({ key: z.string(), ...outcome })),
  cohorts: z.array(z.strictObject({ name: z.string(), ...outcome })),
  /** What else is worth knowing. */
  notes: z.array(z.string()),
});
export type ImportReport = z.output<typeof importReport>;
export type ImportOutcome = (typeof OUTCOMES)[number];

export const flagFileApi = {
  'GET P/burrow/flag_file/': { response: exportedFile },
  'PUT P/burrow/flag_file/': { query: importQuery, body: importBody, response: importReport },
  'GET P/burrow/feature_flags/export/': { response: exportedFile },
  'POST P/burrow/feature_flags/import/': { query: importQuery, body: importBody, response: importReport },
};
