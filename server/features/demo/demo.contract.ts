import { z } from 'zod';

export const demoKind = z.enum(['saas', 'shop', 'app']);
export type DemoKind = z.output<typeof demoKind>;

const demoSize = z.enum(['small', 'medium', 'large']);
export type DemoSize = z.output<typeof demoSize>;

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
});
export type DemoProjectJson = z.output<typeof demoProject>;

/** The same kind, size and seed give the same numbers. */
const createDemoBody = z.object({
  kind: demoKind.default('saas'),
  size: demoSize.default('medium'),
  seed: z.int().min(0).max(4_294_967_295).default(1),
});

const demoParams = z.object({ id: z.coerce.number().pipe(z.int32().min(1)) });

export const demoApi = {
  'GET /api/burrow/demo/': { response: z.object({ results: z.array(demoProject) }) },
  'POST /api/burrow/demo/': { body: createDemoBody, response: demoProject },
  'DELETE /api/burrow/demo/:id/': { params: demoParams, response: null },
};
