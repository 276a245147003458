import { z } from 'zod';

/** What is shown of an existing secret key. */
const shownSecret = z.strictObject({ mask_value: z.string(), created_at: z.string() });

/** The secret keys of a project; `secret_api_token` is the key itself, in the answer that makes it and never again. */
const projectSecrets = z
  .strictObject({
    secret_api_token: z.string().nullable(),
    /** The one in use; null: the project has none. */
    current: shownSecret.nullable(),
    /** The one before it, which works until it is removed. */
    backup: shownSecret.nullable(),
  })
  .meta({ id: 'ProjectSecrets' });
export type ProjectSecretsJson = z.output<typeof projectSecrets>;

export const projectSecretsApi = {
  'GET P/burrow/secret_token/': { response: projectSecrets },
  'DELETE P/burrow/secret_token/': { response: null },
  'PATCH P/rotate_secret_token/': { body: z.object({}), response: projectSecrets },
  'PATCH P/delete_secret_token_backup/': { body: z.object({}), response: projectSecrets },
};
