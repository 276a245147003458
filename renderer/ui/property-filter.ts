import { OPERATOR_CHOICES, type OperatorChoice } from '../../server/conditions/operators.contract.ts';
import { readFlagDate } from '../../server/lib/relative-date.contract.ts';
import { spanLabel } from './dates/date-ranges.ts';

/** A condition as flags, cohorts, lists and queries store it (ingestion contract F, management contract 9.9). */
export interface PropertyFilter {
  type: 'event' | 'person' | 'session' | 'group' | 'cohort' | 'flag' | 'element' | 'hogql';
  /**
   * The property; `id` for a cohort; for a flag its number as text in flags, its key in queries; for HogQL the expression.
   */
  key: string;
  /** Empty for HogQL. */
  operator: string;
  /** A list when one of several values matches; two bounds of a range; the id of a cohort. Absent when none is needed. */
  value?: FilterValue | undefined;
  group_type_index?: number | undefined;
  negation?: boolean | undefined;
  cohort_name?: string | null | undefined;
}

export type FilterValue = string | number | boolean | readonly (string | number | boolean)[];

/** An offered operator. */
export type Operator = Omit<OperatorChoice, 'id' | 'place'> & { readonly id: string };

/** The operators between a property and a value (ingestion contract P), in the order in which they are offered. */
export const OPERATORS: readonly Operator[] = OPERATOR_CHOICES;

/** Whether a person is in a cohort. */
export const COHORT_OPERATORS: readonly Operator[] = [
  { id: 'in', label: 'is in', arity: 'none' },
  { id: 'not_in', label: 'is not in', arity: 'none' },
];

/** What another flag answers. */
export const FLAG_OPERATORS: readonly Operator[] = [
  { id: 'flag_evaluates_to', label: 'evaluates to', arity: 'one' },
];

const ALL = [...OPERATORS, ...COHORT_OPERATORS, ...FLAG_OPERATORS];

/** The relation of this name; one that is unknown reads as its name and compares with one value. */
export function operatorOf(id: string): Operator {
  return ALL.find((operator) => operator.id === id) ?? { id, label: id, arity: 'one' };
}

/** A relation in words, before this value: `is any of` for several. */
export function relationOf(operator: string, value: unknown): string {
  const { label, labelOfMany } = operatorOf(operator);
  return Array.isArray(value) && value.length > 1 && labelOfMany ? labelOfMany : label;
}

/** The label of a value: `Solo, Studio`, `3 and 8`, `7 days ago`; empty when the operator needs none. */
export function valueLabelOf(operator: string, value: unknown): string | undefined {
  const { arity, fits } = operatorOf(operator);
  if (arity === 'none' || value === undefined) return undefined;
  const texts = (Array.isArray(value) ? value : [value]).map(textOf);
  if (fits === 'date' && texts.length === 1) return relativeDateLabel(texts[0]!) ?? texts[0];
  return texts.join(arity === 'range' ? ' and ' : ', ');
}

/** The label of `-7d`: `7 days ago`; `null` for other values. */
function relativeDateLabel(text: string): string | null {
  const date = readFlagDate(text);
  return date === null ? null : `${spanLabel(date)} ago`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The names of flags and cohorts, for which a condition has only ids. */
export interface FilterNames {
  flag?(id: number): string | undefined;
  cohort?(id: number): string | undefined;
}

/** The words of a condition: what, relation, value. */
export function wordsOf(
  filter: PropertyFilter,
  names: FilterNames = {},
): { field: string; relation: string; value: string | undefined } {
  const { type, key, operator, value, negation } = filter;
  if (type === 'hogql') return { field: 'HogQL', relation: '', value: key };
  if (type === 'cohort') {
    const isOut = (operator === 'not_in') !== (negation === true);
    const name = filter.cohort_name ?? names.cohort?.(Number(value));
    return { field: 'Cohort', relation: isOut ? 'is not' : 'is', value: name ?? `#${String(value)}` };
  }
  // Conditions of flags have the number of a flag, queries have its key.
  const isNumber = type === 'flag' && /^\d+$/.test(key);
  const field = isNumber ? (names.flag?.(Number(key)) ?? `#${key}`) : key;
  return { field, relation: relationOf(operator, value), value: valueLabelOf(operator, value) };
}
