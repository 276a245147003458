import { operatorOf, type FilterValue, type Operator, type PropertyFilter } from './property-filter.ts';
import { COHORT_OPERATORS, FLAG_OPERATORS, OPERATORS } from './property-filter.ts';
import type { PickerOption } from './step-picker.ts';

/** What a condition looks at. */
export type FilterSubject =
  | { type: 'event' | 'person' | 'session'; key: string }
  | { type: 'group'; key: string; groupTypeIndex: number }
  | { type: 'cohort'; id: number; name: string }
  | { type: 'flag'; id: number; key: string };

/** Types of properties as definitions tell them. */
export type PropertyType = 'String' | 'Numeric' | 'DateTime' | 'Boolean';

/** A condition on its way: what is chosen so far. */
export interface FilterDraft {
  subject?: FilterSubject | undefined;
  operator?: string | undefined;
  values: readonly string[];
}

export type FilterStep = 'subject' | 'operator' | 'value';

/** One line of a step, and what choosing it does. */
export interface FilterOption extends PickerOption {
  adds: { subject: FilterSubject } | { operator: string } | { value: string } | { drops: string } | 'end';
}

export const NO_DRAFT: FilterDraft = { values: [] };

/** The step that a draft is at: its first open part. */
export function stepOf({ subject, operator }: FilterDraft): FilterStep {
  if (!subject) return 'subject';
  return operator === undefined ? 'operator' : 'value';
}

/** The draft one step back. */
export function previousDraft(draft: FilterDraft): FilterDraft {
  if (draft.values.length > 0) return { ...draft, values: draft.values.slice(0, -1) };
  return draft.operator === undefined ? NO_DRAFT : { subject: draft.subject, values: [] };
}

/** Where changing a condition begins: at its value, or at its relation when it has none. `flagKey` is what its flag is called. */
export function draftOf(filter: PropertyFilter, flagKey?: string): FilterDraft {
  const subject = subjectOf(filter, flagKey);
  const { arity } = operatorOf(filter.operator);
  if (arity === 'none') return { subject, values: [] };
  const values = Array.isArray(filter.value) ? filter.value : [filter.value ?? ''];
  return { subject, operator: filter.operator, values: arity === 'many' ? values.map(String) : [] };
}

function subjectOf(filter: PropertyFilter, flagKey?: string): FilterSubject {
  const { type, key } = filter;
  if (type === 'cohort')
    return { type, id: Number(filter.value), name: filter.cohort_name ?? `#${String(filter.value)}` };
  if (type === 'flag') return { type, id: Number(key), key: flagKey ?? `#${key}` };
  return type === 'group' ? { type, key, groupTypeIndex: filter.group_type_index ?? 0 } : { type, key };
}

/** The operators of a subject, those for its value type first. */
export function operatorsOf(subject: FilterSubject, propertyType: PropertyType | null): readonly Operator[] {
  if (subject.type === 'cohort') return COHORT_OPERATORS;
  if (subject.type === 'flag') return FLAG_OPERATORS;
  const fit = { String: 'text', Numeric: 'number', DateTime: 'date', Boolean: 'nothing' };
  const wanted = propertyType && fit[propertyType];
  if (!wanted) return OPERATORS;
  const rank = ({ fits, id }: Operator) => {
    if (wanted === 'date' && (id === 'exact' || id === 'is_not')) return 1;
    return fits === undefined || fits === wanted ? 0 : 2;
  };
  const byRank = OPERATORS.toSorted((a, b) => rank(a) - rank(b));
  if (wanted !== 'date') return byRank;
  return byRank.toSorted((a, b) => Number(b.fits === 'date') - Number(a.fits === 'date'));
}

/**
 * Adds an option to a draft: returns the next draft, or the condition when all steps are filled. With several values
 * allowed, it stays open until they are confirmed, unless `isSingle`.
 */
export function takeOption(
  draft: FilterDraft,
  { adds }: Pick<FilterOption, 'adds'>,
  isSingle = false,
): { draft: FilterDraft } | { done: PropertyFilter } {
  const next = adds === 'end' ? draft : added(draft, adds);
  const { subject, operator, values } = next;
  if (!subject || operator === undefined) return { draft: next };
  const { arity } = operatorOf(operator);
  const isFull =
    arity === 'none' ||
    (arity === 'one' && values.length === 1) ||
    (arity === 'range' && values.length === 2) ||
    (arity === 'many' && values.length > 0 && (isSingle || adds === 'end'));
  return isFull ? { done: filterOf(subject, operator, values) } : { draft: next };
}

function added(draft: FilterDraft, adds: Exclude<FilterOption['adds'], 'end'>): FilterDraft {
  if ('subject' in adds) return { subject: adds.subject, values: [] };
  if ('operator' in adds) return { ...draft, operator: adds.operator, values: [] };
  if ('drops' in adds) return { ...draft, values: draft.values.filter((value) => value !== adds.drops) };
  return { ...draft, values: [...draft.values.filter((value) => value !== adds.value), adds.value] };
}

function filterOf(subject: FilterSubject, operator: string, values: readonly string[]): PropertyFilter {
  if (subject.type === 'cohort')
    return { type: 'cohort', key: 'id', operator, value: subject.id, cohort_name: subject.name };
  if (subject.type === 'flag')
    return { type: 'flag', key: String(subject.id), operator, value: answerOf(values[0]!) };
  const { arity } = operatorOf(operator);
  const base: PropertyFilter = { type: subject.type, key: subject.key, operator };
  if (subject.type === 'group') base.group_type_index = subject.groupTypeIndex;
  if (arity === 'none') return base;
  return { ...base, value: valueOf(arity === 'range', values) };
}

function valueOf(isRange: boolean, values: readonly string[]): FilterValue {
  return isRange || values.length > 1 ? values : values[0]!;
}

function answerOf(text: string): boolean | string {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
