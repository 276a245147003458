import { fail, type ApiError } from '../../../errors.ts';
import type { CompareOperator, Expr } from '../../../hogql/ast.ts';
import {
  and,
  array,
  between,
  call,
  compare,
  constant,
  field,
  isNotNull,
  isNull,
  lambda,
  not,
  or,
  tuple,
} from '../../../hogql/build.ts';
import {
  isSemverOperator,
  negated,
  ORDER_SIGNS,
  readDate,
  readFilterDate,
  readNumber,
  textOf,
  versionBounds,
  type Comparison,
  type Operator,
  type Scalar,
} from '../../property-filters/index.ts';
import { compilePattern } from '../../../conditions/index.ts';
import type { Operand } from './operand.ts';

/**
 * The condition that `compareText` of property-filters makes of a text, as HogQL: the same rules (P-rules of the ingestion
 * contract) for queries. For absent ones it is true or, meaning no, NULL or false. Throws invalid_input.
 */
export function compareOperand(x: Operand, comparison: Comparison): Expr {
  const { operator, values } = comparison;
  const positive = negated(operator);
  if (positive !== undefined) {
    const denied = compareOperand(x, { ...comparison, operator: positive });
    return call('coalesce', not(denied), constant(true));
  }
  const sign = ORDER_SIGNS[operator];
  if (sign !== undefined) return order(x, sign, values[0]!);
  if (isSemverOperator(operator)) return versions(x, operator, textOf(values[0]!));
  switch (operator) {
    case 'is_set':
      return isNotNull(x.text);
    case 'is_not_set':
      return isNull(x.text);
    case 'icontains':
    case 'icontains_multi':
      return anyOf(values, (value) =>
        compare('>', call('position', lower(x.text), lower(text(value))), constant(0)),
      );
    case 'starts_with':
      return anyOf(values, (value) => call('startsWith', lower(x.text), lower(text(value))));
    case 'ends_with':
      return anyOf(values, (value) => call('endsWith', lower(x.text), lower(text(value))));
    case 'regex':
      return anyOf(values, (value) => call('match', x.text, text(checkedPattern(textOf(value)))));
    case 'between':
    case 'not_between':
      return range(x, operator, values);
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after':
      return onDate(x, operator, values[0]!, comparison.now);
    default:
      return equal(x, values);
  }
}

function text(value: Scalar): Expr {
  return constant(textOf(value));
}

function lower(expr: Expr): Expr {
  return call('lower', expr);
}

function anyOf(values: readonly Scalar[], condition: (value: Scalar) => Expr): Expr {
  return or(...values.map(condition));
}

function equal(x: Operand, values: readonly Scalar[]): Expr {
  if (values.length === 0) return compare('==', lower(x.text), constant('true'));
  const numbers = values.filter((value) => typeof value === 'number');
  const asText = isOneOf(
    lower(x.text),
    values.map((value) => lower(text(value))),
  );
  if (numbers.length === 0) return asText;
  const asNumber = isOneOf(
    x.number,
    numbers.map((number) => constant(number)),
  );
  return or(asText, asNumber);
}

function isOneOf(x: Expr, values: readonly Expr[]): Expr {
  return values.length === 1 ? compare('==', x, values[0]!) : compare('in', x, tuple(...values));
}

function order(x: Operand, sign: CompareOperator, value: Scalar): Expr {
  const number = readNumber(value);
  if (number !== null) return compare(sign, x.number, constant(number));
  const date = readDate(value);
  if (date !== null) return compare(sign, x.micros, constant(date.start));
  return compare(sign, x.text, text(value));
}

function range(x: Operand, operator: Operator, values: readonly Scalar[]): Expr {
  const numbers = values.map(readNumber);
  const isOfDates = numbers.includes(null);
  const [low, high] = isOfDates ? values.map((value) => readDate(value)?.start ?? null) : numbers;
  if (low === null || high === null || low === undefined || high === undefined) {
    throw refusal(`The operator ${operator} needs two numbers or two dates.`);
  }
  const value = isOfDates ? x.micros : x.number;
  const [from, to] = [constant(low), constant(high)];
  if (operator === 'between') return between(value, from, to);
  return or(isNull(x.text), compare('<', value, from), compare('>', value, to));
}

function onDate({ micros }: Operand, operator: Operator, value: Scalar, now: number): Expr {
  const date = readFilterDate(value, now);
  if (date === null) {
    throw refusal(
      `The operator ${operator} needs a date such as 2026-03-04, or a span before now such as -7d.`,
    );
  }
  if (operator === 'is_date_before') return compare('<', micros, constant(date.start));
  if (operator === 'is_date_after') return compare('>=', micros, constant(date.end));
  return and(compare('>=', micros, constant(date.start)), compare('<', micros, constant(date.end)));
}

const VERSION_SIGNS = { '=': '==', '<>': '!=', '>': '>', '>=': '>=', '<': '<', '<=': '<=' } as const;

function versions(x: Operand, operator: Parameters<typeof versionBounds>[0], wanted: string): Expr {
  const version = field('v');
  const bounds = versionBounds(operator, wanted).map((bound) =>
    compare(VERSION_SIGNS[bound.sign], version, call('textVersion', constant(bound.version))),
  );
  // The list names the version, which is read from a text, once.
  const holds = lambda(['v'], and(isNotNull(version), ...bounds));
  return call('arrayExists', holds, array(call('textVersion', x.text)));
}

/** Read here as well as by the database, whose own words for it no client sees. */
function checkedPattern(pattern: string): string {
  if (typeof compilePattern(pattern) !== 'string') return pattern;
  throw refusal('This regular expression cannot be read: it follows the syntax of RE2, without look-around.');
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}
