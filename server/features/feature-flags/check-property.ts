import { fail, type ErrorName } from '../../errors.ts';
import { compileComparison, PROPERTY_OPERATORS } from '../../conditions/index.ts';
import { isOperator, operatorRow, takesPattern } from '../../conditions/operators.contract.ts';
import type { SentProperty } from './sent-filters.ts';
import { isVirtual } from '../../hogql/tables/table.ts';

/** A list to compare with is at most so long. */
const MAX_VALUES = 1000;
/** No id is larger. */
const MAX_ID = 2_147_483_647;

const WITH_TEXT = new Set(['regex', 'not_regex', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte']);
const ORDERS = new Set(['gt', 'gte', 'lt', 'lte']);
const DATES = new Set(['is_date_exact', 'is_date_before', 'is_date_after']);
/** Those of persons and groups, of cohorts and of flags (ingestion contract P-9). */
const OPERATORS = new Set([...PROPERTY_OPERATORS, 'in', 'not_in', 'flag_evaluates_to']);

/** Checks one property of a condition by itself (management contract 9.1). Throws at `filters`. */
export function checkProperty(property: SentProperty): void {
  const { key, type, value } = property;
  const operator = property.operator ?? 'exact';
  if (Array.isArray(value) && value.length > MAX_VALUES)
    throw refused('invalid_input', `'${key}' can be compared with up to ${MAX_VALUES} values.`);
  if (!OPERATORS.has(operator)) throw refused('invalid_operator', `Unknown operator '${operator}'.`);
  if ((operator === 'flag_evaluates_to') !== (type === 'flag'))
    throw refused(
      'invalid_input',
      "Properties of type flag must use the operator 'flag_evaluates_to', and other types cannot use it.",
    );
  if (type === 'flag') return checkFlag(property);
  if (type === 'cohort') return checkCohort(property);
  if (isVirtual(String(key)))
    throw refused('invalid_input', `'${key}' is computed by queries alone: flags cannot be targeted by it.`);
  if (operator === 'in' || operator === 'not_in')
    throw refused('invalid_operator', `The operator '${operator}' is only valid for cohorts.`);
  if (DATES.has(operator) && !isDate(operator, value))
    throw refused('invalid_date', `Invalid date: ${shown(value)}.`);
  const isText = typeof value === 'string' || (ORDERS.has(operator) && typeof value === 'number');
  if (WITH_TEXT.has(operator) && !isText) throw cannotCompare(operator, value);
  const problem = whyUnusable(operator, value);
  if (problem !== null) throw cannotCompare(operator, value, problem);
}

/** As it is stored: what orders compare with is text, cohorts are named by number (management contract 9.1). */
export function storedProperty(property: SentProperty): SentProperty {
  const { type, value, operator } = property;
  if (typeof value === 'number' && ORDERS.has(operator ?? '')) return { ...property, value: String(value) };
  if (type === 'cohort' && typeof value === 'string') return { ...property, value: Number(value) };
  return property;
}

/** Returns the ID of the flag or cohort that a value names; 0, which no flag or cohort has, for an invalid ID. */
export function idOf(value: unknown): number {
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= MAX_ID ? id : 0;
}

function checkFlag({ key, value }: SentProperty): void {
  if (idOf(key) === 0)
    throw refused('invalid_input', `Flags are referenced by id, not by key: '${key}' is not an id.`);
  if (typeof value !== 'boolean' && typeof value !== 'string')
    throw refused(
      'invalid_value',
      `A flag evaluates to true, false or a variant key, not to ${shown(value)}.`,
    );
}

function checkCohort({ value, operator }: SentProperty): void {
  if (idOf(value) === 0) throw refused('cohort_does_not_exist', `Cohort ${shown(value)} does not exist.`);
  if (!['exact', 'in', 'not_in'].includes(operator ?? 'exact'))
    throw refused('invalid_operator', `The operator '${operator}' is not valid for cohorts.`);
}

/** Whether evaluation can compare with it; a list is refused, as in PostHog. */
function isDate(operator: string, value: unknown): boolean {
  return typeof value === 'string' && compileComparison(operator, value).problem === null;
}

/** Why an operator can never hold with this value, or compares with what lists and cohorts refuse; else null. */
function whyUnusable(operator: string, value: unknown): string | null {
  const values = isOperator(operator) ? operatorRow(operator).values : 'any';
  if (values === 'none') return null;
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.some((item) => item === null || item === undefined)) return 'A value is required.';
  if (items.length === 0 && values !== 'any') return 'A value is required.';
  if (isOperator(operator) && takesPattern(operator) && isPatternElsewhere(String(value))) return null;
  return compileComparison(operator, value).problem;
}

/**
 * Patterns with look-around or back-references, which RE2 lacks: a flag of PostHog may have one. It is stored, never matches,
 * and the editor says so (P-4).
 */
function isPatternElsewhere(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

/** A value in the text of a refusal, not at any length. */
function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function cannotCompare(operator: string, value: unknown, why?: string) {
  const detail = `The operator '${operator}' cannot compare with ${shown(value)}`;
  return refused('invalid_value', why === undefined ? `${detail}.` : `${detail}: ${why}`);
}

function refused(name: ErrorName, detail: string) {
  return fail(name, { attr: 'filters', detail });
}
