import { z } from 'zod';
import type { ManagementRoute } from '../../http/define-route.ts';

/** A family of `P/…` paths; null: a path that belongs to none. */
export type Family = 'projects' | 'environments' | null;

const ACCESS = /(^|_)access(_|$)/;

const VERBS = { POST: 'create', PUT: 'update', PATCH: 'partial_update', DELETE: 'destroy' } as const;

/**
 * The name by which generated clients call an operation, in the manner of PostHog's: `dashboards_partial_update`,
 * `environments_dashboards_list`. It comes from the path alone, so that it stays when routes are added.
 */
export function operationIdOf(route: ManagementRoute, family: Family): string {
  const words = wordsOf(route.path);
  const first = family === 'environments' || words.length === 0 ? [family ?? 'projects'] : [];
  // Of all objects of a kind, beside that of one: `dashboards/activity/` and `dashboards/:id/activity/`.
  if (words.at(-1) === 'activity' && !route.path.includes(':')) words.splice(-1, 0, 'all');
  return [...first, ...words, verbOf(route)].join('_');
}

/** The resource under which a reference groups an operation: the first word of its path that names one. */
export function tagOf(route: ManagementRoute): string {
  const words = wordsOf(route.path).filter((word) => word !== 'burrow');
  // Access controls are below objects of many kinds, in the singular and the plural.
  if (words.some((word) => ACCESS.test(word))) return 'access_controls';
  return words[0] ?? 'projects';
}

/** A name for a schema that its contract gives none: `DashboardsPartialUpdate`. */
export function schemaNameOf(route: ManagementRoute): string {
  return operationIdOf(route, null)
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The words of a path, without parameters: `P/dashboards/:id/sharing/` has two. */
function wordsOf(path: string): string[] {
  return path
    .replace(/^(P|\/api)\//, '')
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => part.replace(/^@/, ''));
}

function verbOf({ method, path, response }: ManagementRoute): string {
  // Of several: it says how many they were.
  if (method === 'DELETE' && response !== null && !path.includes(':')) return 'bulk_destroy';
  if (method === 'POST' && path.endsWith(':id/')) return 'create_by_id';
  if (method !== 'GET') return VERBS[method];
  const isList =
    response instanceof z.ZodArray || (response instanceof z.ZodObject && 'results' in response.shape);
  return isList && !path.endsWith(':id/') ? 'list' : 'retrieve';
}
