import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  checkPatterns,
  patternsOf,
  compileFilter,
  readFilters,
  type CohortsOf,
  type PropertyGroup,
} from '../property-filters/index.ts';
import type { ListPersonsQuery } from './persons.contract.ts';
import { readNameProperties, type PersonFilter } from './persons.reads.ts';

/**
 * The persons that a list's query asks for; `properties` are the texts of that parameter, which may be given several
 * times. Throws invalid_input for filters that cannot be read.
 */
export async function filterOfQuery(
  query: ListPersonsQuery,
  properties: readonly string[],
  parts: { db: Db; clock: Clock; cohortsOf: CohortsOf; projectId: number },
): Promise<PersonFilter> {
  const { db, clock, projectId } = parts;
  const cohorts = await parts.cohortsOf(projectId);
  if (query.cohort !== undefined && !cohorts.has(query.cohort)) {
    throw fail('invalid_input', { attr: 'cohort', detail: 'This project has no cohort with this id.' });
  }
  const filters = withCohort(readFilters(properties, 'person'), query.cohort);
  await checkPatterns(db, patternsOf(filters));
  const compiled = compileFilter(filters, {
    rows: 'persons',
    alias: 'persons',
    projectId,
    now: clock(),
    cohorts,
  });
  return {
    email: query.email ?? null,
    distinctId: query.distinct_id ?? null,
    search: query.search?.trim() || null,
    nameProperties: await readNameProperties(db, projectId),
    conditions: filters.values.length === 0 ? [] : [compiled.sql],
    params: compiled.params,
  };
}

function withCohort(filters: PropertyGroup, cohortId: number | undefined): PropertyGroup {
  if (cohortId === undefined) return filters;
  return { type: 'AND', values: [filters, { type: 'cohort', key: 'id', operator: 'in', value: cohortId }] };
}
