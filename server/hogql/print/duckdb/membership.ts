import type { Compare, Expr, Query } from '../../ast.ts';
import { field, from, select } from '../../build.ts';
import type { Printed } from '../../functions/function-row.ts';
import { personBits as bitsOf } from '../../functions/rows/aggregates.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { isNumeric } from '../../value-type.ts';
import { toDay, toMoment, toText, visible } from './coerce.ts';
import type { NullMode } from './null-mode.ts';
import { personBits } from './fast/person-bits.ts';
import { personOfUuid, uuidOfPerson } from './person-sql.ts';

/** From so many texts or whole numbers on, a list is one parameter that is looked up in. */
const LONG_LIST = 24;

/** SQL for IN: a list, a query, an array, a cohort. */
export function inSql(node: Compare, scope: Scope, mode: NullMode): string {
  const { op, left, right } = node;
  const { printer } = scope.select;
  const value = printer.expression(left, scope);
  const canBeNull = value.type.name !== 'Lambda' && value.type.nullable;
  const test = memberTest(op, value, node, scope);
  if (op.startsWith('not')) return `(NOT coalesce(${test}, false))`;
  const isExact = !canBeNull && right.node === 'Tuple' && right.exprs.every(isWritten);
  return mode === 'value' && !isExact ? `coalesce(${test}, false)` : `(${test})`;
}

function memberTest(op: Compare['op'], value: Printed, { left, right }: Compare, scope: Scope): string {
  if (op === 'in cohort' || op === 'not in cohort') return inCohort(value, right, left, scope);
  if (right.node === 'SelectQuery' || right.node === 'SelectSetQuery') return inQuery(value, right, scope);
  if (right.node === 'Tuple') return inList(value, right.exprs, scope);
  if (right.node === 'Array') return inList(value, right.exprs, scope);
  if (right.node === 'Call' && right.name.toLowerCase() === 'tuple') return inList(value, right.args, scope);
  if (right.node === 'Field' && scope.select.queries.has(right.chain.join('.'))) {
    const rows = select({ select: [field('*')], from: from(right.chain.join('.')) });
    return inQuery(value, rows, scope);
  }
  const list = scope.select.printer.expression(right, scope);
  if (list.type.name === 'Array') {
    const item = visible(value, scope.select.statement).sql;
    const found = `list_contains(${list.sql}, ${item})`;
    return list.type.item.nullable && value.type.name !== 'Lambda' && value.type.nullable
      ? `(CASE WHEN ${item} IS NULL THEN len(${list.sql}) > list_count(${list.sql}) ELSE ${found} END)`
      : found;
  }
  if (right.node === 'Constant') return inList(value, [right], scope);
  return refuse('IN requires a list, an array or a subquery.', right);
}

/** A constant that is not null. */
function isWritten(item: Expr): boolean {
  return item.node === 'Constant' && item.value !== null;
}

function inCohort(value: Printed, cohort: Expr, left: Expr, scope: Scope): string {
  const { statement } = scope.select;
  if (value.type.name !== 'Person')
    refuse('IN COHORT requires a person, as in "person_id IN COHORT 5".', left);
  const wanted = cohort.node === 'Constant' ? cohort.value : null;
  if (typeof wanted !== 'number' && typeof wanted !== 'string')
    return refuse('A cohort must be referenced by its id or name.', cohort);
  const members = statement.context.cohort(wanted);
  if (members === null)
    return refuse(`Unknown cohort ${typeof wanted === 'number' ? wanted : `"${wanted}"`}.`, cohort);
  statement.notes?.cohorts.set(cohort, members.id);
  return `${value.sql} IN (${statement.embed(members)})`;
}

function inQuery(value: Printed, query: Query, scope: Scope): string {
  const { printer, statement, queries } = scope.select;
  const { printed, isClosed } = statement.closing(() => printer.query(query, scope, queries));
  const { sql, columns } = printed;
  const width = value.type.name === 'Tuple' ? value.type.items.length : 1;
  if (columns.length !== width) {
    refuse(
      `The subquery after IN must have ${width === 1 ? 'one column' : `${width} columns`}, not ${columns.length}.`,
      query,
    );
  }
  if (value.type.name === 'Tuple') {
    return `${value.sql} IN (SELECT ${tupleSql(columns.map((_, at) => `c${at}`))} FROM (${sql}))`;
  }
  const inner = columns[0]!.type.name;
  const outer = value.type.name;
  if (inner === 'Person' && outer === 'Person') {
    const limit = personBits(statement.context.personLimit, 1);
    if (limit !== null && isClosed) return inSet(value.sql, sql, limit);
  }
  if (inner === outer) return `${value.sql} IN (${sql})`;
  if (inner === 'Person') {
    const shown = visible(value, statement).sql;
    return `CAST(${shown} AS VARCHAR) IN (SELECT CAST(${uuidOfPerson(statement, 's.c0')} AS VARCHAR) FROM (${sql}) s)`;
  }
  const numbers = isNumeric(value.type) && isNumeric(columns[0]!.type);
  if (numbers) return `${value.sql} IN (${sql})`;
  if (outer === 'DateTime' || outer === 'Date')
    return `${value.sql} IN (SELECT TRY_CAST(s.c0 AS ${outer === 'Date' ? 'DATE' : 'TIMESTAMP'}) FROM (${sql}) s)`;
  return `CAST(${visible(value, statement).sql} AS VARCHAR) IN (SELECT CAST(s.c0 AS VARCHAR) FROM (${sql}) s)`;
}

/** Whether a query returns a person; the query runs once and its result becomes a bit set. */
function inSet(person: string, query: string, limit: number): string {
  const set = `(SELECT ${bitsOf('s.c0', limit)} FROM (${query}) s)`;
  return `(get_bit(${set}, CASE WHEN ${person} < ${limit} THEN ${person} END) = 1)`;
}

/** NULL in a list is NULL of the value, as ClickHouse has it with `transform_null_in`. */
function inList(value: Printed, all: readonly Expr[], scope: Scope): string {
  const items = all.filter((item) => item.node !== 'Constant' || item.value !== null);
  if (items.length === all.length) return inKnown(value, items, scope);
  const isNull = `(${value.sql} IS NULL)`;
  return items.length === 0 ? isNull : `(${isNull} OR ${inKnown(value, items, scope)})`;
}

function inKnown(value: Printed, items: readonly Expr[], scope: Scope): string {
  if (items.length === 0) return 'false';
  const long = items.length >= LONG_LIST ? longList(value, items, scope) : null;
  if (long !== null) return long;
  const printed = items.map((item) => scope.select.printer.expression(item, scope));
  const isSame = printed.every((item) => item.type.name === value.type.name);
  const isNumbers = isNumeric(value.type) && printed.every((item) => isNumeric(item.type));
  if (isSame || isNumbers) return `${value.sql} IN (${printed.map((item) => item.sql).join(', ')})`;
  return mixedList(value, printed, items, scope);
}

/**
 * A long list of texts, also each in lower case, for texts, or of whole numbers for numbers; null for any other list.
 */
function longList(value: Printed, items: readonly Expr[], scope: Scope): string | null {
  const { statement } = scope.select;
  const values = items.map((item) => (item.node === 'Constant' ? item.value : null));
  const isTexts = values.every((item) => typeof item === 'string');
  const isNumbers = values.every((item) => typeof item === 'number' && Number.isSafeInteger(item));
  if (isTexts && (value.type.name === 'String' || value.type.name === 'UUID')) {
    const text = value.type.name === 'UUID' ? `CAST(${value.sql} AS VARCHAR)` : value.sql;
    return `${text} IN (SELECT unnest(${statement.bindList(values as string[])}))`;
  }
  const small = items.map(textInSmallLetters);
  if (small.every((item) => item !== null) && value.type.name === 'String')
    return `${value.sql} IN (SELECT lower(unnest(${statement.bindList(small)})))`;
  if (isTexts && value.type.name === 'Person') {
    const shown = `CAST(${visible(value, statement).sql} AS VARCHAR)`;
    return `${shown} IN (SELECT unnest(${statement.bindList(values as string[])}))`;
  }
  if (isNumbers && isNumeric(value.type))
    return `${value.sql} IN (SELECT unnest(${statement.bindList(values as number[])}))`;
  return null;
}

/** The text that `lower` is called with: filters compare so. */
function textInSmallLetters(item: Expr): string | null {
  if (item.node !== 'Call' || item.name !== 'lowerUTF8' || item.args.length !== 1) return null;
  const [text] = item.args;
  return text?.node === 'Constant' && typeof text.value === 'string' ? text.value : null;
}

/** Each brought to the type of the value, or, where a text is compared with numbers, both to text. */
function mixedList(
  value: Printed,
  printed: readonly Printed[],
  items: readonly Expr[],
  scope: Scope,
): string {
  const { statement } = scope.select;
  const listed = (convert: (item: Printed, at: Expr) => string): string =>
    printed.map((item, at) => convert(item, items[at]!)).join(', ');
  switch (value.type.name) {
    case 'Person': {
      const isUuids = printed.every(
        (item) => typeof item.constant === 'string' || item.type.name === 'Person',
      );
      if (!isUuids) break;
      return `${value.sql} IN (${listed((item) => (item.type.name === 'Person' ? item.sql : personOfUuid(statement, item.sql)))})`;
    }
    case 'DateTime':
      return `${value.sql} IN (${listed((item, at) => toMoment(item, statement, at).sql)})`;
    case 'Date':
      return `${value.sql} IN (${listed((item, at) => toDay(item, statement, at).sql)})`;
    case 'Tuple':
      return `${value.sql} IN (${listed((item) => item.sql)})`;
    case 'Int64':
    case 'UInt64':
    case 'Float64':
      return `${value.sql} IN (${listed((item) => `TRY_CAST(${item.sql} AS DOUBLE)`)})`;
    default:
  }
  const text = (item: Printed): string => toText(visible(item, statement)).sql;
  return `${text(value)} IN (${listed(text)})`;
}
