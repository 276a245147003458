import { fail } from '../errors.ts';
import type { ProjectRef } from './define-route.ts';
import { queryValue } from './query-text.ts';

/** The project that a public token (`phc_…`) belongs to, or null. */
export type FindProject = (token: string) => ProjectRef | null;

/** The token in a raw query text: `token`, else `api_key`, trimmed; null when both are absent or blank (contract 1.6). */
export function queryToken(search: string): string | null {
  for (const name of ['token', 'api_key']) {
    const token = queryValue(search, name)?.trim();
    if (token !== undefined && token !== '') return token;
  }
  return null;
}

/** The project of a GET on the public surface. Throws missing_api_key or invalid_api_key (ingestion contract 10.5). */
export function projectOfQuery(search: string, findProject: FindProject): ProjectRef {
  const token = queryToken(search);
  if (token === null) throw fail('missing_api_key');
  const project = findProject(token);
  if (project === null) throw fail('invalid_api_key');
  return project;
}
