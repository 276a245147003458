import { z } from 'zod';
import { dateTimeField } from '../../http/date-time.contract.ts';

export const demoKind = z.enum(['saas', 'shop', 'app']);
export type DemoKind = z.output<typeof demoKind>;

export const demoSize = z.enum(['small', 'medium', 'large']);
export type DemoSize = z.output<typeof demoSize>;

/** What happens in live mode: nothing in particular, more and more visitors, or requests that fail for 15 minutes. */
export const demoScript = z.enum(['steady', 'launch', 'outage']);
export type DemoScript = z.output<typeof demoScript>;

/** Events that keep coming; it ends with the server. */
const demoLive = z.object({
  events_per_minute: z.int(),
  script: demoScript,
  /** When the launch or the outage begins. */
  at: z.string(),
  since: z.string(),
  /** Events stored so far. */
  events: z.int(),
  /** Why the newest events could not be stored. */
  problem: z.string().nullable(),
});
export type DemoLiveJson = z.output<typeof demoLive>;

/** A project with demo data (management contract 9.12). */
const demoProject = z.object({
  /** Of the project. */
  id: z.int(),
  name: z.string(),
  kind: demoKind,
  size: demoSize,
  seed: z.int(),
  /** `incomplete`: the server ended while it was created. */
  state: z.enum(['creating', 'ready', 'failed', 'incomplete']),
  /** From 0 to 1. */
  progress: z.number(),
  /** Events stored so far, while it is created. */
  events: z.int(),
  /** Why it failed. */
  problem: z.string().nullable(),
  /** Null: no events are added. */
  live: demoLive.nullable(),
});
export type DemoProjectJson = z.output<typeof demoProject>;

/** The same kind, size and seed give the same numbers. */
const createDemoBody = z.object({
  kind: demoKind.default('saas'),
  size: demoSize.default('medium'),
  seed: z.int().min(0).max(4_294_967_295).default(1),
});

/** `at` left out: the launch or the outage begins now. */
const demoLiveBody = z.object({
  events_per_minute: z.int().min(1).max(6000).default(60),
  script: demoScript.default('steady'),
  at: dateTimeField().nullish(),
});
export type DemoLiveBody = z.output<typeof demoLiveBody>;

const demoParams = z.object({ id: z.coerce.number().pipe(z.int32().min(1)) });

export const demoApi = {
  'GET /api/burrow/demo/': { response: z.object({ results: z.array(demoProject) }) },
  'POST /api/burrow/demo/': { body: createDemoBody, response: demoProject },
  'DELETE /api/burrow/demo/:id/': { params: demoParams, response: null },
  'PUT /api/burrow/demo/:id/live/': { params: demoParams, body: demoLiveBody, response: demoProject },
  'DELETE /api/burrow/demo/:id/live/': { params: demoParams, response: null },
};
