import type { Compare, CompareOperator, Expr, Located } from '../../ast.ts';
import type { Printed } from '../../functions/function-row.ts';
import { likeSql } from '../../functions/like.ts';
import { matchesSql } from '../../functions/text-sql.ts';
import type { Scope } from '../../resolve/scope.ts';
import { isNumeric, mayBeNan, scalar, type ValueType } from '../../value-type.ts';
import { callContext } from './call-context.ts';
import { toDay, toMoment, toNumber, toText, visible } from './coerce.ts';
import { inSql } from './membership.ts';
import type { NullMode } from './null-mode.ts';
import { personOfUuid } from './person-sql.ts';
import type { Statement } from './statement.ts';

/** SQL for a comparison. */
export function compareSql(node: Compare, scope: Scope, mode: NullMode): string {
  const { op, left, right } = node;
  if (op === 'in' || op === 'not in' || op === 'in cohort' || op === 'not in cohort')
    return inSql(node, scope, mode);
  const { printer, statement } = scope.select;
  return comparison(op, printer.expression(left, scope), printer.expression(right, scope), {
    statement,
    mode,
    at: node,
    left,
    right,
  });
}

export interface Comparing {
  statement: Statement;
  mode: NullMode;
  at: Located;
  left: Expr;
  right: Expr;
}

/** SQL for a comparison of what is printed. */
export function comparison(op: CompareOperator, left: Printed, right: Printed, how: Comparing): string {
  switch (op) {
    case 'like':
    case 'not like':
    case 'ilike':
    case 'not ilike':
      return pattern(op, left, right, how);
    case '=~':
    case '!~':
    case '=~*':
    case '!~*':
      return regex(op, left, right, how);
    default:
      return order(op, left, right, how);
  }
}

function order(op: CompareOperator, left: Printed, right: Printed, how: Comparing): string {
  const isEqual = op === '==' || op === 'is not distinct from';
  const isUnequal = op === '!=' || op === 'is distinct from';
  if (right.type.name === 'Nothing') return nullTest(left, isEqual, isUnequal);
  if (left.type.name === 'Nothing') return nullTest(right, isEqual, isUnequal);
  const [a, b] = unified(left, right, how);
  const canBeNull = isNullable(a.type) || isNullable(b.type);
  const nans = [a, b].filter(({ type }) => mayBeNan(type)).map(({ sql }) => `isnan(${sql})`);
  if (nans.length > 0 && op !== 'is distinct from' && op !== 'is not distinct from')
    return numberSql(op, [a.sql, b.sql], nans, canBeNull && how.mode === 'value');
  if (isUnequal) return canBeNull ? `(${a.sql} IS DISTINCT FROM ${b.sql})` : `(${a.sql} <> ${b.sql})`;
  if (isEqual && isNullable(a.type) && isNullable(b.type) && (how.mode !== 'on' || op !== '==')) {
    return `(${a.sql} IS NOT DISTINCT FROM ${b.sql})`;
  }
  const sign = isEqual ? '=' : op;
  return canBeNull && how.mode === 'value'
    ? `coalesce(${a.sql} ${sign} ${b.sql}, false)`
    : `(${a.sql} ${sign} ${b.sql})`;
}

/** A comparison of numbers of which one may be NaN, which differs from all and is neither more nor less. */
function numberSql(
  op: CompareOperator,
  [a, b]: readonly [string, string],
  nans: readonly string[],
  isTotal: boolean,
): string {
  if (op === '!=') return `(${a} IS DISTINCT FROM ${b} OR coalesce(${nans.join(' OR ')}, false))`;
  const sign = op === '==' ? '=' : op;
  const test = `${a} ${sign} ${b} AND NOT (${nans.join(' OR ')})`;
  return isTotal ? `coalesce(${test}, false)` : `(${test})`;
}

function nullTest({ sql }: Printed, isEqual: boolean, isUnequal: boolean): string {
  if (isEqual) return `(${sql} IS NULL)`;
  return isUnequal ? `(${sql} IS NOT NULL)` : 'false';
}

/** Both sides as values that DuckDB compares as the language means it. */
export function unified(left: Printed, right: Printed, how: Comparing): [Printed, Printed] {
  const { statement } = how;
  const [a, b] = [left.type.name, right.type.name];
  if (a === b && a !== 'Tuple') return [left, right];
  if (a === 'Person' || b === 'Person') return persons(left, right, how);
  if (isNumeric(left.type) && isNumeric(right.type)) return [left, right];
  if (a === 'DateTime' || b === 'DateTime')
    return [toMoment(left, statement, how.left), toMoment(right, statement, how.right)];
  if (a === 'Date' || b === 'Date')
    return [toDay(left, statement, how.left), toDay(right, statement, how.right)];
  if (a === 'UUID' || b === 'UUID') return [toUuid(left), toUuid(right)];
  if (a === 'Bool' || b === 'Bool') return booleans(left, right, how);
  if (isNumeric(left.type) || isNumeric(right.type)) return numbers(left, right, how);
  return [left, right];
}

function toUuid({ sql, type }: Printed): Printed {
  return type.name === 'UUID'
    ? { sql, type }
    : { sql: `TRY_CAST(trim(${sql}) AS UUID)`, type: scalar('UUID', true) };
}

/** By number when both are persons, or a UUID is written out; else by UUID. */
function persons(left: Printed, right: Printed, how: Comparing): [Printed, Printed] {
  const byNumber = (value: Printed): Printed =>
    typeof value.constant === 'string'
      ? { sql: personOfUuid(how.statement, `trim(${value.sql})`), type: scalar('Person', true) }
      : value;
  const [a, b] = [byNumber(left), byNumber(right)];
  if (a.type.name === 'Person' && b.type.name === 'Person') return [a, b];
  return unified(visible(a, how.statement), visible(b, how.statement), how);
}

/** A text that says a number is compared as one; against a number that says none, both are texts. */
function numbers(left: Printed, right: Printed, how: Comparing): [Printed, Printed] {
  const isWord = ({ constant }: Printed): boolean =>
    typeof constant === 'string' && (constant.trim() === '' || !Number.isFinite(Number(constant)));
  if (isWord(left) || isWord(right)) return [toText(left), toText(right)];
  const number = (value: Printed): Printed =>
    typeof value.constant === 'string'
      ? { sql: `CAST(${value.sql} AS DOUBLE)`, type: scalar('Float64') }
      : toNumber(value, how.statement, how.at);
  return [number(left), number(right)];
}

/** Against a text, true is 'true'; against a number, 1. */
function booleans(left: Printed, right: Printed, how: Comparing): [Printed, Printed] {
  if (isNumeric(left.type) || isNumeric(right.type))
    return [toNumber(left, how.statement, how.left), toNumber(right, how.statement, how.right)];
  const text = (value: Printed): Printed =>
    value.constant === '1'
      ? { ...value, sql: `'true'` }
      : value.constant === '0'
        ? { ...value, sql: `'false'` }
        : toText(value);
  return [text(left), text(right)];
}

function isNullable(type: ValueType): boolean {
  return type.name !== 'Lambda' && type.nullable;
}

function pattern(
  op: 'like' | 'not like' | 'ilike' | 'not ilike',
  left: Printed,
  right: Printed,
  how: Comparing,
): string {
  const [text, wanted] = [toText(visible(left, how.statement)), toText(visible(right, how.statement))];
  const call = callContext(how.statement, how.at, [how.left, how.right]);
  const sql = likeSql(text.sql, wanted, op.endsWith('ilike'), call);
  return matched(sql, op.startsWith('not'), [text, wanted], how.mode);
}

function regex(op: '=~' | '!~' | '=~*' | '!~*', left: Printed, right: Printed, how: Comparing): string {
  const [text, wanted] = [toText(visible(left, how.statement)), toText(visible(right, how.statement))];
  const sql = matchesSql(text.sql, wanted.sql, op.endsWith('*') ? 'is' : 's');
  return matched(sql, op.startsWith('!'), [text, wanted], how.mode);
}

/** Whether a text matches a pattern, or its opposite: NULL matches NULL and nothing else. */
function matched(sql: string, isNegated: boolean, sides: readonly Printed[], mode: NullMode): string {
  const canBeNull = sides.filter(({ type }) => isNullable(type));
  if (canBeNull.length < 2 || mode === 'on') return signed(sql, isNegated, canBeNull.length > 0, mode);
  const test = `coalesce(${sql}, ${canBeNull.map((side) => `${side.sql} IS NULL`).join(' AND ')})`;
  return isNegated ? `(NOT ${test})` : test;
}

/** A test or its opposite; a test of NULL fails, and its opposite holds. */
export function signed(sql: string, isNegated: boolean, canBeNull: boolean, mode: NullMode): string {
  if (isNegated) return canBeNull ? `(NOT coalesce(${sql}, false))` : `(NOT (${sql}))`;
  return canBeNull && mode === 'value' ? `coalesce(${sql}, false)` : `(${sql})`;
}

/** BETWEEN, as the two comparisons that it means. */
export function betweenSql(
  parts: { expr: Expr; low: Expr; high: Expr; negated?: true },
  at: Located,
  scope: Scope,
  mode: NullMode,
): string {
  const { printer, statement } = scope.select;
  const value = printer.expression(parts.expr, scope);
  const side = (op: CompareOperator, bound: Expr): string =>
    comparison(op, value, printer.expression(bound, scope), {
      statement,
      mode: parts.negated ? 'value' : mode,
      at,
      left: parts.expr,
      right: bound,
    });
  const sql = `(${side('>=', parts.low)} AND ${side('<=', parts.high)})`;
  return parts.negated ? `(NOT ${sql})` : sql;
}
