import type { PersonJson } from '../../server/features/persons/persons.contract.ts';
import { api } from './client.ts';

/** A condition on a property of persons, in PostHog's shape. */
export interface PersonFilter {
  key: string;
  type: 'person';
  operator: string;
  value?: string | readonly string[];
}

/** The persons of a project that pass, newest first; uncounted, `count` is the number of persons on the page. */
export async function listPersons(
  projectId: number,
  asked: {
    limit: number;
    offset?: number;
    search?: string;
    filters?: readonly PersonFilter[];
    isUncounted?: boolean;
  },
): Promise<{ persons: PersonJson[]; count: number; hasNext: boolean }> {
  const { limit, offset, search, filters = [], isUncounted = false } = asked;
  const page = await api.get('P/persons/', {
    projectId,
    query: {
      limit,
      offset: offset || undefined,
      search: search || undefined,
      properties: filters.length > 0 ? JSON.stringify(filters) : undefined,
      include_total: isUncounted ? undefined : true,
    },
  });
  return { persons: page.results, count: page.count ?? page.results.length, hasNext: page.next !== null };
}
