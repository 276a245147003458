import { ExactNumber, stringifyExactly } from '../../../lib/exact-number.contract.ts';
import { z } from 'zod';
import { flagTraceSchema } from '../../../conditions/flags/trace.contract.ts';
import { person } from '../../persons/persons.contract.ts';

/** Absent and null mean the same everywhere: python sends `device_id: null` (ingestion contract 7.1). */
const text = z.string().nullish();
const names = z.array(z.string()).nullish();
const properties = z.record(z.string(), z.unknown()).nullish();
const anything = z.unknown().optional();

const flagsBody = z.object({
  distinct_id: anything,
  $distinct_id: anything,
  $anon_distinct_id: text,
  anon_distinct_id: text,
  $device_id: text,
  device_id: text,
  groups: properties,
  person_properties: properties,
  group_properties: z.record(z.string(), properties).nullish(),
  geoip_disable: anything,
  disable_flags: anything,
  flag_keys_to_evaluate: names,
  flag_keys: names,
  evaluation_runtime: text,
  evaluation_contexts: names,
  evaluation_environments: names,
  timezone: text,
});

/**
 * A request for flags, with its alternative spellings combined (ingestion contract 7.1); unknown keys are ignored.
 */
export const flagsRequestSchema = flagsBody.transform(requestOf);

function requestOf(body: z.output<typeof flagsBody>) {
  return {
    /** Null without a distinct ID; the empty text is one. */
    distinctId: distinctIdText(body.distinct_id ?? body.$distinct_id),
    anonDistinctId: body.$anon_distinct_id ?? body.anon_distinct_id ?? null,
    deviceId: body.$device_id ?? body.device_id ?? null,
    groups: groupKeys(body.groups ?? {}),
    personProperties: body.person_properties ?? {},
    groupProperties: Object.fromEntries(
      Object.entries(body.group_properties ?? {}).map(([type, values]) => [type, values ?? {}]),
    ),
    geoipDisable: isTrue(body.geoip_disable),
    disableFlags: isTrue(body.disable_flags),
    /** Null: all flags. */
    flagKeys: body.flag_keys_to_evaluate ?? body.flag_keys ?? null,
    evaluationRuntime: body.evaluation_runtime ?? null,
    evaluationContexts: body.evaluation_contexts ?? body.evaluation_environments ?? null,
    timezone: body.timezone ?? null,
  };
}

export type ParsedFlagsRequest = z.output<typeof flagsRequestSchema>;
/** A request with a distinct ID. */
export type FlagsRequest = ParsedFlagsRequest & { distinctId: string };

/** A request for the flags of one user in some groups, with nothing else said. */
export function flagsRequestFor(distinctId: string, groups: Readonly<Record<string, unknown>>): FlagsRequest {
  return { ...requestOf({ distinct_id: distinctId, groups }), distinctId };
}

/** One flag in the answers of `/flags?v=2` and `/decide?v=4` (ingestion contract 8.2). Go reads the numbers as integers. */
const flagDetailsSchema = z.strictObject({
  key: z.string(),
  enabled: z.boolean(),
  variant: z.string().nullable(),
  reason: z.strictObject({
    code: z.string(),
    condition_index: z.number().int().nullable(),
    description: z.string().nullable(),
  }),
  metadata: z.strictObject({
    id: z.number().int(),
    version: z.number().int(),
    description: z.string().nullable(),
    payload: z.string().nullable(),
    has_experiment: z.boolean(),
  }),
});

export type FlagDetails = z.infer<typeof flagDetailsSchema>;

/** Body of the playground's question: that of `/flags`, and from which address it would come. */
const explainBody = flagsBody
  .extend({ ip: text })
  .transform(({ ip, ...body }) => ({ request: requestOf(body), ip: ip ?? null }))
  .meta({
    example: {
      distinct_id: 'ada@shop.example',
      groups: { company: 'acme' },
      person_properties: { plan: 'pro' },
      ip: '81.2.69.142',
    },
  });

const jsonObject = z.record(z.string(), z.unknown());

/** What `/flags?v=2` answers, how each value came about, and what is stored about the user. */
const flagExplanation = z
  .strictObject({
    answer: z.strictObject({
      flags: z.record(z.string(), flagDetailsSchema),
      errorsWhileComputingFlags: z.boolean(),
      requestId: z.guid(),
      evaluatedAt: z.int(),
    }),
    /** By key, of inactive flags too; without those that are in `errors`. */
    traces: z.record(z.string(), flagTraceSchema),
    errors: z.array(z.strictObject({ key: z.string(), cause: z.string() })),
    /** Null for a distinct id that has no person. */
    person: person.nullable(),
    /** By type; `properties` is null for a group without stored properties. */
    groups: z.record(z.string(), z.strictObject({ key: z.string(), properties: jsonObject.nullable() })),
    /** Of the address; null when it is not public, or its location is unknown or disabled. */
    geoip: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
  })
  .meta({ id: 'FlagExplanation' });
export type FlagExplanation = z.output<typeof flagExplanation>;

/** Value of a flag in the older answers: the variant, or whether it is on. */
export type FlagValue = boolean | string;

export const decideApi = {
  'POST P/burrow/flags/evaluate/': { body: explainBody, response: flagExplanation },
  'POST P/burrow/feature_flags/explain/': { body: explainBody, response: flagExplanation },
};

/** Texts stay; anything else but null becomes its JSON text, as with captured events (ingestion contract 3.3). */
function distinctIdText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : stringifyExactly(value);
}

/** Older clients send numbers and words for truth values. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === 'true' || value === '1';
}

/** Group keys are texts; a number is taken by its decimal text, anything else names no group (contract F-7). */
function groupKeys(groups: Record<string, unknown>): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const [type, key] of Object.entries(groups)) {
    if (typeof key === 'string') keys[type] = key;
    else if (typeof key === 'number' || key instanceof ExactNumber) keys[type] = String(key);
  }
  return keys;
}
