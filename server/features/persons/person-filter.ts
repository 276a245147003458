import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { checkPatterns, compileFilter, readFilters } from '../property-filters/index.ts';
import type { ListPersonsQuery } from './persons.contract.ts';
import type { PersonFilter } from './persons.reads.ts';

/**
 * The persons that a list's query asks for; `properties` are the texts of that parameter, which may be given several
 * times. Throws invalid_input for filters that cannot be read.
 */
export async function filterOfQuery(
  query: ListPersonsQuery,
  properties: readonly string[],
  { db, clock, projectId }: { db: Db; clock: Clock; projectId: number },
): Promise<PersonFilter> {
  const filters = readFilters(properties, 'person');
  const compiled = compileFilter(filters, { rows: 'persons', alias: 'persons', projectId, now: clock() });
  await checkPatterns(db, compiled);
  return {
    email: query.email ?? null,
    distinctId: query.distinct_id ?? null,
    search: query.search?.trim() || null,
    conditions: filters.values.length === 0 ? [] : [compiled.sql],
    params: compiled.params,
  };
}
