import type { PersonJson } from '../../server/features/persons/persons.contract.ts';
import { api } from './client.ts';

/** A condition on persons, in PostHog's shape: on a property of theirs, or whether they are in a cohort. */
export type PersonFilter =
  | { type: 'person'; key: string; operator: string; value?: string | readonly string[] }
  | { type: 'cohort'; key: 'id'; operator: string; value: number; cohort_name?: string | undefined };

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
