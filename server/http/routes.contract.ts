import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a route takes, and the schema of its 2xx body: null when there is none or it is a stream, optional when it comes only
 * with `Prefer: return=representation`.
 */
export interface RouteSchema {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  response: z.ZodType | null;
}

/**
 * The routes of a feature by method and path, as `GET P/cohorts/:id/`. `P/…` is short for both
 * `/api/projects/:project_id/…` and `/api/environments/:project_id/…`; a path always ends with a slash.
 */
export type RouteSchemas = Readonly<Record<`${Method} ${string}`, RouteSchema>>;
