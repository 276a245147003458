import { fail } from '../../errors.ts';

const PERSON_LISTS = new Set(['ActorsQuery', 'PersonsQuery']);

/**
 * The rule that a query means. A list of persons with properties is one; other queries need to be computed, which this
 * version does not do. Throws invalid_input for `query`.
 */
export function filtersOfQuery(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { kind, source, properties, search, fixedProperties, filterTestAccounts } = query;
  const isList = typeof kind === 'string' && PERSON_LISTS.has(kind);
  if (!isList || hasSomething(source) || hasSomething(search) || hasSomething(fixedProperties)) {
    throw fail('invalid_input', {
      attr: 'query',
      detail:
        'A cohort can be created from an ActorsQuery without source and search. Other queries are not supported yet.',
    });
  }
  if (filterTestAccounts === true) {
    throw fail('invalid_input', { attr: 'query', detail: '"filterTestAccounts" is not supported yet.' });
  }
  if (Array.isArray(properties)) return { properties: { type: 'AND', values: properties } };
  return hasSomething(properties) ? { properties } : {};
}

function hasSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}
