import type { PersonFilter } from '../../api/persons.api.ts';
import { COHORT_OPERATORS, OPERATORS, type PropertyFilter } from '../../ui/property-filter.ts';

/** Relations that lists of persons do not know: the server's filters are the older ones (management contract 9.9). */
const UNKNOWN = /^(?:semver_|not_starts|not_ends|starts|ends)|_multi$/;

/** The relations that a list of persons may be filtered by. */
export const PERSON_OPERATORS = OPERATORS.filter(({ id }) => !UNKNOWN.test(id));

/** A condition of the editor as one of persons. */
export function personFilterOf({
  type,
  key,
  operator,
  value,
  cohort_name: name,
}: PropertyFilter): PersonFilter {
  if (type === 'cohort')
    return { type, key: 'id', operator, value: Number(value), ...(name && { cohort_name: name }) };
  const base = { key, type: 'person', operator } as const;
  if (value === undefined) return base;
  return { ...base, value: Array.isArray(value) ? value.map(String) : String(value) };
}

/** Filters as the address carries them; `undefined` for none, so that the address stays short. */
export function filtersToText(filters: readonly PersonFilter[]): string | undefined {
  if (filters.length === 0) return undefined;
  return JSON.stringify(
    filters.map((filter) => {
      const { type, key, operator, value } = filter;
      // A cohort has a number where a property has its name.
      if (type === 'cohort') return [value, operator, filter.cohort_name ?? ''];
      return value === undefined ? [key, operator] : [key, operator, value];
    }),
  );
}

/** Filters from a URL, which may contain any text: what is not a filter is left out. */
export function filtersFromText(text: unknown): PersonFilter[] {
  if (typeof text !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.flatMap(readFilter) : [];
  } catch {
    return [];
  }
}

function readFilter(item: unknown): PersonFilter[] {
  if (!Array.isArray(item)) return [];
  const [key, id, value] = item as unknown[];
  if (typeof key === 'number') return readCohort(key, id, value);
  const operator = PERSON_OPERATORS.find((known) => known.id === id);
  if (typeof key !== 'string' || key === '' || !operator) return [];
  const base = { key, type: 'person', operator: operator.id } as const;
  if (operator.arity === 'none') return [base];
  if (isTextList(value)) return fits(operator.arity, value.length) ? [{ ...base, value }] : [];
  return typeof value === 'string' && operator.arity !== 'range' ? [{ ...base, value }] : [];
}

function readCohort(id: number, operator: unknown, name: unknown): PersonFilter[] {
  const known = COHORT_OPERATORS.find((one) => one.id === operator);
  if (!known || !Number.isInteger(id) || id < 1) return [];
  const named = typeof name === 'string' && name !== '' ? { cohort_name: name } : {};
  return [{ type: 'cohort', key: 'id', operator: known.id, value: id, ...named }];
}

function fits(arity: string, count: number): boolean {
  return arity === 'range' ? count === 2 : arity === 'many' && count > 0;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
