import { z } from 'zod';
import { textField } from '../../http/fields.contract.ts';

/**
 * not_allowed: its owner has turned forwarding off for the whole server; retrying: the host could not be reached; paused: by
 * a person; stopped: the host refused events, or the data came from a backup.
 */
const forwardingState = z.enum([
  'off',
  'not_allowed',
  'up_to_date',
  'sending',
  'retrying',
  'paused',
  'stopped',
]);
export type ForwardingState = z.output<typeof forwardingState>;

const forwarding = z.object({
  state: forwardingState,
  /** Whether the owner of the server allows it (`/api/burrow/outgoing/`). */
  is_allowed: z.boolean(),
  host: z.string().nullable(),
  /** The beginning and the end of the project API key. */
  api_key_hint: z.string().nullable(),
  /** Why nothing is sent, or why the last request failed. */
  problem: z.string().nullable(),
  /** Events that are stored and not sent yet, and when the oldest of them arrived. */
  waiting: z.int(),
  oldest_waiting_at: z.string().nullable(),
  /** Since it was turned on; `left_out`: too large for the host. */
  sent: z.int(),
  left_out: z.int(),
  last_sent_at: z.string().nullable(),
  /** Of the last 60 seconds. */
  events_per_minute: z.int(),
  next_try_at: z.string().nullable(),
  since: z.string().nullable(),
});
export type ForwardingJson = z.output<typeof forwarding>;

const targetBody = z.object({
  /** The address of PostHog or Burrow, such as `https://posthog.example.com`. */
  host: textField(300),
  /** The key of the project there (`phc_…`); left out: the one that is stored. */
  api_key: textField(200).optional(),
});
export type ForwardingTargetBody = z.output<typeof targetBody>;

const testResult = z.object({
  is_ok: z.boolean(),
  /** Of the answer; null: none came. */
  status: z.int().nullable(),
  problem: z.string().nullable(),
});
export type ForwardingTestJson = z.output<typeof testResult>;

export const forwardingApi = {
  'GET P/burrow/forwarding/': { response: forwarding },
  'PUT P/burrow/forwarding/': { body: targetBody, response: forwarding },
  'DELETE P/burrow/forwarding/': { response: null },
  'POST P/burrow/forwarding/pause/': { response: forwarding },
  'POST P/burrow/forwarding/resume/': { response: forwarding },
  'POST P/burrow/forwarding/test/': { body: targetBody, response: testResult },
};
