import type { PersonFilter } from '../../api/persons.api.ts';
import type { PickerOption } from '../../ui/step-picker.ts';

interface Operator {
  id: string;
  label: string;
  needsValue: boolean;
}

/** The relations of property filters (management contract 9.9), in the order in which they are offered. */
export const OPERATORS: readonly Operator[] = [
  { id: 'exact', label: 'is', needsValue: true },
  { id: 'is_not', label: 'is not', needsValue: true },
  { id: 'icontains', label: 'contains', needsValue: true },
  { id: 'not_icontains', label: 'does not contain', needsValue: true },
  { id: 'gt', label: 'is more than', needsValue: true },
  { id: 'gte', label: 'is at least', needsValue: true },
  { id: 'lt', label: 'is less than', needsValue: true },
  { id: 'lte', label: 'is at most', needsValue: true },
  { id: 'is_date_before', label: 'is before', needsValue: true },
  { id: 'is_date_after', label: 'is after', needsValue: true },
  { id: 'regex', label: 'matches the pattern', needsValue: true },
  { id: 'is_set', label: 'is set', needsValue: false },
  { id: 'is_not_set', label: 'is not set', needsValue: false },
];

/** A filter on its way: what is chosen so far. */
export interface FilterDraft {
  key?: string;
  operator?: string;
}

export type FilterStep = 'key' | 'operator' | 'value';

/** One line of a step; `adds` is what choosing it adds. */
export interface FilterOption extends PickerOption {
  adds: FilterDraft & { value?: string };
}

/** Where changing a filter begins: at its value, or at its relation when it has none. */
export function draftOf({ key, operator, value }: PersonFilter): FilterDraft {
  return value === undefined ? { key } : { key, operator };
}

/** The step that a draft is at: its first open part. */
export function stepOf(draft: FilterDraft): FilterStep {
  if (draft.key === undefined) return 'key';
  return draft.operator === undefined ? 'operator' : 'value';
}

/** The draft one step back. */
export function previousDraft(draft: FilterDraft): FilterDraft {
  return stepOf(draft) === 'value' && draft.key !== undefined ? { key: draft.key } : {};
}

/** Adds an option to a draft: the next draft, or the filter when nothing is open any more. */
export function takeOption(
  draft: FilterDraft,
  option: FilterOption,
): { draft: FilterDraft } | { done: PersonFilter } {
  const { value, ...next } = { ...draft, ...option.adds };
  const operator = OPERATORS.find(({ id }) => id === next.operator);
  if (next.key === undefined || !operator) return { draft: next };
  const base = { key: next.key, type: 'person', operator: operator.id } as const;
  if (!operator.needsValue) return { done: base };
  return value === undefined ? { draft: next } : { done: { ...base, value } };
}

/** The words of a chip: what, relation, value. */
export function wordsOf(filter: PersonFilter): {
  field: string;
  relation: string;
  value: string | undefined;
} {
  const relation = OPERATORS.find(({ id }) => id === filter.operator)?.label ?? filter.operator;
  return { field: filter.key, relation, value: filter.value };
}

/** Filters as the address carries them; `undefined` for none, so that the address stays short. */
export function filtersToText(filters: readonly PersonFilter[]): string | undefined {
  if (filters.length === 0) return undefined;
  return JSON.stringify(
    filters.map(({ key, operator, value }) =>
      value === undefined ? [key, operator] : [key, operator, value],
    ),
  );
}

/** Filters from an address that anybody may have typed: what is not a filter is left out. */
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
  const operator = OPERATORS.find((known) => known.id === id);
  if (typeof key !== 'string' || key === '' || !operator) return [];
  const base = { key, type: 'person', operator: operator.id } as const;
  if (!operator.needsValue) return [base];
  return typeof value === 'string' ? [{ ...base, value }] : [];
}
