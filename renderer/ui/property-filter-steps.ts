import {
  COHORT_OPERATORS,
  FLAG_OPERATORS,
  operatorOf,
  OPERATORS,
  type FilterValue,
  type Operator,
  type PropertyFilter,
} from './property-filter.ts';
import type { PickerOption } from './step-picker.ts';

/** What a condition looks at. */
export type FilterSubject =
  | { type: 'event' | 'person' | 'session' | 'element'; key: string }
  | { type: 'group'; key: string; groupTypeIndex: number }
  | { type: 'cohort'; id: number; name: string }
  /** Queries name a flag by its key, conditions of flags by its number. */
  | { type: 'flag'; id: number; key: string; isByKey?: boolean }
  | { type: 'hogql' };

/** Types of properties as definitions have them. */
export type PropertyType = 'String' | 'Numeric' | 'DateTime' | 'Boolean';

/** A condition that is being edited: what is chosen so far. */
export interface FilterDraft {
  subject?: FilterSubject | undefined;
  operator?: string | undefined;
  /** The expression, for HogQL. */
  values: readonly string[];
}

export type FilterStep = 'subject' | 'operator' | 'value';

/** A subject that can be chosen, and whose list it is in. */
export interface SubjectOption extends PickerOption {
  category: string;
  subject: FilterSubject;
  description?: string;
}

export const NO_DRAFT: FilterDraft = { values: [] };

/** The first step that is not filled. */
export function stepOf({ subject, operator }: FilterDraft): FilterStep {
  if (!subject) return 'subject';
  return operator === undefined ? 'operator' : 'value';
}

/** The draft one step back. */
export function previousDraft({ subject, operator }: FilterDraft): FilterDraft {
  return subject && operator !== undefined && operatorsOf(subject, null).length > 1
    ? { subject, values: [] }
    : NO_DRAFT;
}

/** The draft of a stored condition. `flagKey` is what its flag is called where the condition has its number. */
export function draftOf(filter: PropertyFilter, flagKey?: string): FilterDraft {
  const subject = subjectOf(filter, flagKey);
  if (subject.type === 'hogql') return { subject, operator: '', values: [filter.key] };
  const { operator, value } = filter;
  if (operatorOf(operator).arity === 'none') return { subject, operator, values: [] };
  const values = Array.isArray(value) ? value : [value ?? ''];
  return { subject, operator, values: values.map(String) };
}

function subjectOf(filter: PropertyFilter, flagKey?: string): FilterSubject {
  const { type, key } = filter;
  if (type === 'hogql') return { type };
  if (type === 'cohort')
    return { type, id: Number(filter.value), name: filter.cohort_name ?? `#${String(filter.value)}` };
  if (type === 'flag') {
    return flagKey === undefined
      ? { type, id: 0, key, isByKey: true }
      : { type, id: Number(key), key: flagKey };
  }
  return type === 'group' ? { type, key, groupTypeIndex: filter.group_type_index ?? 0 } : { type, key };
}

/** The label of a subject on its own. */
export function subjectLabel(subject: FilterSubject): string {
  if (subject.type === 'hogql') return 'HogQL';
  return subject.type === 'cohort' ? subject.name : subject.key;
}

/** The operators of a subject, those for its value type first. */
export function operatorsOf(subject: FilterSubject, propertyType: PropertyType | null): readonly Operator[] {
  if (subject.type === 'hogql') return [];
  if (subject.type === 'cohort') return COHORT_OPERATORS;
  if (subject.type === 'flag') return FLAG_OPERATORS;
  if (subject.type === 'element' && subject.key === 'selector')
    return OPERATORS.filter(({ id }) => id === 'exact' || id === 'is_not');
  const wanted = propertyType && FITS[propertyType];
  if (!wanted) return OPERATORS;
  const rank = (operator: Operator) => {
    if (wanted === 'date' && (operator.id === 'exact' || operator.id === 'is_not')) return 1;
    return fitsType(operator, propertyType) ? 0 : 2;
  };
  const byRank = OPERATORS.toSorted((a, b) => rank(a) - rank(b));
  if (wanted !== 'date') return byRank;
  return byRank.toSorted((a, b) => Number(b.fits === 'date') - Number(a.fits === 'date'));
}

const FITS = { String: 'text', Numeric: 'number', DateTime: 'date', Boolean: 'nothing' };

/** Whether an operator is meant for values of a type; for an unknown type, each is. */
export function fitsType({ fits }: Operator, propertyType: PropertyType | null): boolean {
  if (fits === undefined || propertyType === null) return true;
  return fits === FITS[propertyType] || (fits === 'version' && propertyType === 'String');
}

/** The draft with another subject. Its operator stays while the subject has it, its values only for cohorts. */
export function withSubject(draft: FilterDraft, subject: FilterSubject): FilterDraft {
  if (subject.type === 'hogql') return { subject, operator: '', values: [] };
  const possible = operatorsOf(subject, null);
  const isKept = draft.operator !== undefined && possible.some(({ id }) => id === draft.operator);
  const operator = isKept ? draft.operator : possible.length === 1 ? possible[0]!.id : undefined;
  return { subject, operator, values: [] };
}

/** The draft with another operator. Its values stay where the operator can compare with them. */
export function withOperator(draft: FilterDraft, operator: string): FilterDraft {
  const before = draft.operator === undefined ? null : operatorOf(draft.operator);
  const next = operatorOf(operator);
  const isSameKind = before !== null && before.fits === next.fits;
  const fits = isSameKind || (before !== null && next.fits === undefined && before.arity !== 'range');
  const values = fits && isFull(next.arity, draft.values) ? draft.values : [];
  return { ...draft, operator, values };
}

/** The condition of a draft; null while a part is missing. */
export function filterOf({ subject, operator, values }: FilterDraft): PropertyFilter | null {
  if (!subject) return null;
  if (subject.type === 'hogql') {
    const expression = values[0]?.trim() ?? '';
    return expression === '' ? null : ({ type: 'hogql', key: expression } as PropertyFilter);
  }
  if (operator === undefined || !isFull(operatorOf(operator).arity, values)) return null;
  if (subject.type === 'cohort')
    return { type: 'cohort', key: 'id', operator, value: subject.id, cohort_name: subject.name };
  if (subject.type === 'flag') {
    const key = subject.isByKey ? subject.key : String(subject.id);
    return { type: 'flag', key, operator, value: flagValueOf(values[0]!) };
  }
  const { arity } = operatorOf(operator);
  const base: PropertyFilter = { type: subject.type, key: subject.key, operator };
  if (subject.type === 'group') base.group_type_index = subject.groupTypeIndex;
  if (arity === 'none') return base;
  return { ...base, value: valueOf(arity === 'range', values) };
}

function isFull(arity: Operator['arity'], values: readonly string[]): boolean {
  if (arity === 'none') return true;
  if (arity === 'one') return values.length === 1;
  return arity === 'range' ? values.length === 2 : values.length > 0;
}

function valueOf(isRange: boolean, values: readonly string[]): FilterValue {
  return isRange || values.length > 1 ? values : values[0]!;
}

function flagValueOf(text: string): boolean | string {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
