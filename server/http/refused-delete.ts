import { z } from 'zod';
import { noResource, Reply, type ManagementRoute } from './define-route.ts';

/**
 * DELETE of an object that is only soft-deleted, by PATCH: 405 with an empty body to every caller, also without
 * credentials and for unknown IDs (management contract D1). `allow` lists the allowed methods.
 */
export function refusedDelete(path: string, allow = 'GET, PUT, PATCH, HEAD, OPTIONS'): ManagementRoute {
  return {
    method: 'DELETE',
    path,
    auth: 'none',
    scope: noResource('It is rejected for every caller before any check.'),
    summary: 'Not allowed: set `deleted` to true with PATCH instead.',
    params: z.object({ id: z.string() }),
    response: null,
    status: 405,
    atOnce: Reply.empty(405, { Allow: allow }),
    handle: () => undefined,
  };
}
