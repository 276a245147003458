import { stringifyExactly } from '../../../lib/exact-number.contract.ts';
import { z } from 'zod';
import { dateTimeField } from '../../../http/date-time.contract.ts';
import { parameter, textField, lenient } from '../../../http/fields.contract.ts';
import { pageSchema } from '../../../http/paging.contract.ts';
import { embeddedUser } from '../../users/users.contract.ts';

const MAX_KEY_LENGTH = 400;
const MAX_DISTINCT_ID_LENGTH = 400;
/** Characters of JSON text: every answer for flags carries it. */
const MAX_PAYLOAD_LENGTH = 100_000;

const overrideParams = z.object({ id: z.guid() });

const distinctId = lenient(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().min(1).max(MAX_DISTINCT_ID_LENGTH),
);

/** JSON text, or any JSON value, which is written out; null: what the flag itself gives. */
const payload = z
  .json()
  .transform(payloadText)
  .refine((text) => text === null || text.length <= MAX_PAYLOAD_LENGTH, {
    message: `A payload can have up to ${MAX_PAYLOAD_LENGTH} characters.`,
  });

/** Body of POST: what a flag answers, to whom, and until when. */
const overrideBody = z.object({
  key: textField(MAX_KEY_LENGTH).meta({ example: 'new-navigation' }),
  /** Absent or null: everyone who has no override of their own. */
  distinct_id: distinctId.nullable().optional(),
  /** false, true, or the key of one of the flag's variants. */
  value: z.union([z.boolean(), z.string().min(1).max(MAX_KEY_LENGTH)]),
  payload: payload.optional(),
  /** Absent or null: until it is ended. */
  expires_at: dateTimeField().nullable().optional(),
});
export type OverrideBody = z.output<typeof overrideBody>;

/** Body of POST preset/, which overrides all flags. */
const presetBody = z.object({
  /** `all_on`: true, or of variants the first that is not called control. `all_off`: false. */
  preset: z.enum(['all_on', 'all_off']),
  distinct_id: distinctId.nullable().optional(),
  expires_at: dateTimeField().nullable().optional(),
});
export type PresetBody = z.output<typeof presetBody>;

/** Query of the list, and of DELETE for several. */
const overridesQuery = z.object({
  key: parameter(z.string()),
  distinct_id: parameter(z.string()),
});
export type OverridesQuery = z.output<typeof overridesQuery>;

/** An override that holds now. */
const flagOverride = z
  .strictObject({
    id: z.guid(),
    key: z.string(),
    /** null: there is no such flag now. */
    flag_id: z.int().nullable(),
    /** null: for everyone who has no override of their own. */
    distinct_id: z.string().nullable(),
    value: z.union([z.boolean(), z.string()]),
    /** JSON text; null: what the flag itself gives. */
    payload: z.string().nullable(),
    expires_at: z.string().nullable(),
    /** Why it has no effect, in a sentence. */
    problem: z.string().nullable(),
    created_by: embeddedUser.nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'FlagOverride' });
export type FlagOverrideJson = z.output<typeof flagOverride>;

const flagOverridePage = pageSchema(flagOverride);
const presetAnswer = z.strictObject({ overridden: z.int() });
const endedAnswer = z.strictObject({ ended: z.int() });

export const flagOverridesApi = {
  'POST P/burrow/flag_overrides/': { body: overrideBody, response: flagOverride },
  'GET P/burrow/flag_overrides/': { query: overridesQuery, response: flagOverridePage },
  'DELETE P/burrow/flag_overrides/': { query: overridesQuery, response: endedAnswer },
  'POST P/burrow/flag_overrides/preset/': { body: presetBody, response: presetAnswer },
  'DELETE P/burrow/flag_overrides/:id/': { params: overrideParams, response: null },
};

/** A text that is JSON already stays as it is; any other text becomes a JSON text. */
function payloadText(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && isJson(value)) return value;
  return stringifyExactly(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
