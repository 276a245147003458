import { z } from 'zod';
import { integerField, textField } from '../../http/fields.contract.ts';

const SCOPE = /^(?:\*|[a-z][a-z_]*:(?:read|write))$/;

/** Each `*` or `<object>:<read|write>`; objects this version does not know pass, so that pasted keys work (2.3). */
const scopes = z
  .array(z.string())
  .refine((list) => list.length > 0 && list.every((scope) => SCOPE.test(scope)), {
    message: 'This must be a list of * or <object>:<read|write>, such as query:read.',
  })
  .meta({ example: ['dashboard:read', 'insight:write'] });

const createKeyBody = z.object({
  label: textField(40),
  scopes,
  scoped_teams: z.array(integerField()).nullish(),
  scoped_organizations: z.array(z.uuid()).nullish(),
});
export type CreateKeyBody = z.output<typeof createKeyBody>;

/** What is absent stays as it is; a restriction that is null or empty is none. */
const patchKeyBody = createKeyBody.partial();
export type PatchKeyBody = z.output<typeof patchKeyBody>;

/** A key (management contract 8.4); `value` is the key itself, in the answer that creates it and never again. */
export const personalApiKey = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    value: z.string().nullable(),
    mask_value: z.string(),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    user_id: z.int(),
    scopes: z.array(z.string()),
    scoped_teams: z.array(z.int()),
    scoped_organizations: z.array(z.uuid()),
  })
  .meta({ id: 'PersonalApiKey' });
export type PersonalApiKeyJson = z.output<typeof personalApiKey>;

export const personalApiKeys = z.array(personalApiKey);

const keyParams = z.object({ id: z.string() });

export const personalApiKeysApi = {
  'GET /api/personal_api_keys/': { response: personalApiKeys },
  'POST /api/personal_api_keys/': { body: createKeyBody, response: personalApiKey },
  'GET /api/personal_api_keys/@current/': { response: personalApiKey },
  'GET /api/personal_api_keys/:id/': { params: keyParams, response: personalApiKey },
  'PATCH /api/personal_api_keys/:id/': { params: keyParams, body: patchKeyBody, response: personalApiKey },
  'DELETE /api/personal_api_keys/:id/': { params: keyParams, response: null },
};
