import { z } from 'zod';
import { booleanField } from '../../http/fields.contract.ts';

/** What Burrow may send to other machines, once an owner has turned it on. */
export const purpose = z.enum(['alert_webhooks', 'forwarding', 'graduate', 'import_from_host']);
export type OutgoingPurpose = z.output<typeof purpose>;

const outgoingCall = z.object({
  at: z.string(),
  /** Host and port, without the path, which may be a secret. */
  host: z.string(),
  /** Of the answer; null: none came. */
  status: z.int().nullable(),
  /** Why there was no answer, or none that counts as success. */
  problem: z.string().nullable(),
});
export type OutgoingCallJson = z.output<typeof outgoingCall>;

const outgoing = z.object({ purpose, is_on: z.boolean(), last_call: outgoingCall.nullable() });
export type OutgoingJson = z.output<typeof outgoing>;

const outgoingList = z.object({ results: z.array(outgoing) });

export const outgoingApi = {
  'GET /api/burrow/outgoing/': { response: outgoingList },
  'PUT /api/burrow/outgoing/:purpose/': {
    params: z.object({ purpose }),
    body: z.object({ is_on: booleanField() }),
    response: outgoing,
  },
};
