import type { ErrorName } from '../errors.ts';
import type { ManagementRoute } from './define-route.ts';

/** Errors of every route: Host and Origin checks, and unexpected errors. */
const ALWAYS: readonly ErrorName[] = [
  'foreign_host',
  'foreign_origin',
  'unknown_format',
  'server_error',
  'database_unavailable',
];
const WITH_KEY: readonly ErrorName[] = [
  'not_authenticated',
  'authentication_failed',
  'key_excludes_project',
  'throttled',
];
const IN_PROJECT: readonly ErrorName[] = ['project_not_found', 'no_project_access', 'access_level'];
/** Bodies are read for every method that may have one, since they may contain the credential. */
const WITH_BODY: readonly ErrorName[] = ['parse_error', 'unsupported_media_type', 'payload_too_large'];
/** What `validate` makes of a schema's issues, and what schemas name by themselves. */
const FIELDS: readonly ErrorName[] = [
  'required',
  'null',
  'blank',
  'invalid_input',
  'invalid_choice',
  'max_length',
  'not_a_list',
  'not_a_dict',
];

/**
 * Everything that a management route may refuse, each once: what the checks before its handler refuse (management
 * contract 2.4, 2.5), and what it names as its own.
 */
export function refusalsOf(route: ManagementRoute): readonly ErrorName[] {
  if (route.atOnce !== undefined) return ALWAYS.filter((name) => name.startsWith('foreign_'));
  const names: ErrorName[] = [...ALWAYS];
  if (route.auth === 'key') names.push(...WITH_KEY);
  if (route.auth === 'key' && route.scope.length > 0) names.push('missing_scope');
  if (route.path.startsWith('P/') || route.path.includes(':project_id')) names.push(...IN_PROJECT);
  if (route.params !== undefined || route.lookup !== undefined) names.push('not_found');
  if (route.method !== 'GET') names.push(...WITH_BODY);
  if (route.query !== undefined || route.body !== undefined) names.push(...FIELDS);
  return [...new Set([...names, ...(route.errors ?? [])])];
}
