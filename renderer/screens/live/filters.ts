import type { LiveEvent, LiveFilter } from '../../api/live.api.ts';
import type { EventsQuery } from '../../insights/events-query.ts';

export type Operator = LiveFilter['operator'];

/** The relations a filter may state, in the order in which they are offered. */
export const OPERATORS: readonly { id: Operator; label: string; needsValue: boolean }[] = [
  { id: 'exact', label: 'is', needsValue: true },
  { id: 'is_not', label: 'is not', needsValue: true },
  { id: 'icontains', label: 'contains', needsValue: true },
  { id: 'is_set', label: 'is set', needsValue: false },
  { id: 'is_not_set', label: 'is not set', needsValue: false },
];

const FIELDS: readonly LiveFilter['field'][] = ['event', 'distinct_id', 'property'];

/** Those that make sense for a field: an event always has a name and a distinct id. */
export function operatorsOf(field: LiveFilter['field']): typeof OPERATORS {
  return field === 'property' ? OPERATORS : OPERATORS.filter((operator) => operator.needsValue);
}

/** Whether this relation compares with a value. */
export function needsValue(operator: Operator): boolean {
  return OPERATORS.some((known) => known.id === operator && known.needsValue);
}

/** The words of a chip: what, relation, value. */
export function wordsOf(filter: LiveFilter): { field: string; operator: string; value: string | undefined } {
  const names = { event: 'Event', distinct_id: 'Distinct ID', property: filter.key ?? '' };
  const operator = OPERATORS.find((known) => known.id === filter.operator)?.label ?? filter.operator;
  return {
    field: names[filter.field],
    operator,
    value: needsValue(filter.operator) ? filter.value : undefined,
  };
}

/** Filters as the address carries them; `undefined` for none, so that the address stays short. */
export function filtersToText(filters: readonly LiveFilter[]): string | undefined {
  return filters.length === 0 ? undefined : JSON.stringify(filters);
}

/** Filters from a URL, which may contain any text: what is not a filter is left out. */
export function filtersFromText(text: unknown): LiveFilter[] {
  if (typeof text !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.flatMap(readFilter) : [];
  } catch {
    return [];
  }
}

function readFilter(item: unknown): LiveFilter[] {
  if (typeof item !== 'object' || item === null) return [];
  const { field, key, operator, value } = item as Record<string, unknown>;
  const knownField = FIELDS.find((known) => known === field);
  const knownOperator = OPERATORS.find((known) => known.id === operator);
  if (!knownField || !knownOperator) return [];
  if (knownField === 'property' && (typeof key !== 'string' || key === '')) return [];
  if (knownOperator.needsValue && typeof value !== 'string') return [];
  return [
    {
      field: knownField,
      ...(knownField === 'property' ? { key: key as string } : {}),
      operator: knownOperator.id,
      ...(knownOperator.needsValue ? { value: value as string } : {}),
    },
  ];
}

/** The same filters on events of all time, as Explore has them. */
export function eventsOf(
  filters: readonly LiveFilter[],
): Pick<EventsQuery, 'events' | 'properties' | 'where'> {
  const names = filters.filter(({ field, operator }) => field === 'event' && operator === 'exact');
  // Several names must all hold here, and any of them there.
  const isOne = names.length === 1;
  const columns = filters
    .filter(({ field }) => field !== 'property')
    .filter((filter) => !(isOne && filter === names[0]));
  return {
    events: isOne ? [names[0]!.value!] : [],
    properties: filters
      .filter(({ field }) => field === 'property')
      .map(({ key, operator, value }) => ({
        type: 'event',
        key: key!,
        operator,
        ...(value !== undefined && { value: operator === 'icontains' ? value : [value] }),
      })),
    where: columns.map(
      ({ field, operator, value = '' }) => `${field} ${RELATIONS[operator]!} ${hogqlText(value, operator)}`,
    ),
  };
}

/** Events have a name and a distinct ID always, so that these relations are all. */
const RELATIONS: Partial<Record<Operator, string>> = { exact: '=', is_not: '!=', icontains: 'ILIKE' };

function hogqlText(value: string, operator: Operator): string {
  const text = operator === 'icontains' ? `%${value.replaceAll(/[\\%_]/g, '\\$&')}%` : value;
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** Whether an event passes all filters; by the same rules as the server applies to the stream. */
export function matchesFilters(event: LiveEvent, filters: readonly LiveFilter[]): boolean {
  return filters.every((filter) => matches(textOf(subjectOf(event, filter)), filter));
}

function subjectOf(event: LiveEvent, filter: LiveFilter): unknown {
  if (filter.field === 'event') return event.event;
  if (filter.field === 'distinct_id') return event.distinct_id;
  return event.properties[filter.key ?? ''];
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function matches(text: string | null, { operator, value = '' }: LiveFilter): boolean {
  switch (operator) {
    case 'exact':
      return text === value;
    case 'is_not':
      return text !== value;
    case 'icontains':
      return text !== null && text.toLowerCase().includes(value.toLowerCase());
    case 'is_set':
      return text !== null;
    case 'is_not_set':
      return text === null;
  }
}
