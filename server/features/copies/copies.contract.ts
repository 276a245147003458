import { z } from 'zod';
import { booleanField, integerField, textField } from '../../http/fields.contract.ts';

/** What is done in this order; a copy that goes on begins with the one in which it ended. */
export const PHASES = ['start', 'events', 'persons', 'groups', 'definitions', 'check', 'done'] as const;

const copyState = z.enum(['running', 'checked', 'done', 'failed', 'canceled', 'interrupted']);
export type CopyStateName = z.output<typeof copyState>;
const direction = z.enum(['to_host', 'from_host']);
export type Direction = z.output<typeof direction>;

const amounts = z.object({ events: z.int(), persons: z.int(), groups: z.int(), definitions: z.int() });

/** A copy of the project to or from a host with PostHog's API (management contract 9.14). */
const copy = z.object({
  id: z.string(),
  direction,
  /** Scheme, host and port. */
  host: z.string(),
  /** Id of the project there. */
  host_project: z.string(),
  /** It only counts, and sends nothing. */
  is_dry_run: z.boolean(),
  state: copyState,
  phase: z.enum(PHASES),
  /** Of what is to be copied, counted when it began. */
  totals: amounts,
  copied: amounts,
  /** Events that the copy added to complete persons and groups, marked by the property `$import_job_id`. */
  added_events: z.int(),
  not_copied: z.array(z.object({ what: z.string(), count: z.int(), reason: z.string() })),
  /** What both sides have in the end; null: it cannot be read. */
  checks: z.array(z.object({ what: z.string(), source: z.int().nullable(), target: z.int().nullable() })),
  /** Of the file that the events of a host come in; null: they do not come from one. */
  import_id: z.string().nullable(),
  /** Of that file. */
  downloaded_events: z.int(),
  /** Why it failed: a sentence. */
  problem: z.string().nullable(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
});
export type CopyJson = z.output<typeof copy>;

/** What the host is called with. They are kept in memory only, and as long as the copy runs. */
const keys = {
  /** A personal API key of the host. */
  host_api_key: textField(400),
  /** The project key, which events are sent with; from a host none come by it. */
  project_key: textField(400).optional(),
};

const copyParams = z.object({ id: z.uuid() });

export const copiesApi = {
  'GET P/burrow/copies/': { response: z.object({ results: z.array(copy) }) },
  'POST P/burrow/copies/': {
    body: z.object({
      host: textField(400),
      /** Both are required but for a dry run, which calls no host. */
      host_api_key: textField(400).optional(),
      project_key: textField(400).optional(),
      /** Left out: the project that the key of the host is in. */
      host_project: integerField().optional(),
      dry_run: booleanField().default(false),
    }),
    response: copy,
  },
  'POST P/burrow/imports/from_host/': {
    body: z.object({
      host: textField(400),
      host_api_key: keys.host_api_key,
      /** Of the project there. */
      project_id: integerField(),
      dry_run: booleanField().default(false),
    }),
    response: copy,
  },
  'GET P/burrow/copies/:id/': { params: copyParams, response: copy },
  'DELETE P/burrow/copies/:id/': { params: copyParams, response: null },
  'POST P/burrow/copies/:id/resume/': { params: copyParams, body: z.object(keys), response: copy },
  'POST P/burrow/copies/:id/cancel/': { params: copyParams, response: copy },
};
