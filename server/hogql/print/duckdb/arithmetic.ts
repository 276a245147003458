import type { Arithmetic } from '../../ast.ts';
import type { Printed } from '../../functions/function-row.ts';
import { shifted } from '../../functions/rows/date-intervals.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import { floatOrNan, isNumeric, mayBeNan, scalar, withNull, type ValueType } from '../../value-type.ts';
import { callContext } from './call-context.ts';
import { toNumber } from './coerce.ts';
import type { Statement } from './statement.ts';

/** A sum, difference, product, quotient or remainder, as ClickHouse means it: `/` gives a float, days follow the calendar. */
export function printArithmetic(node: Arithmetic, scope: Scope): Printed {
  const { printer, statement } = scope.select;
  const [left, right] = [printer.expression(node.left, scope), printer.expression(node.right, scope)];
  const nullable = canBeNull(left.type) || canBeNull(right.type);
  if (left.type.name === 'Interval' || right.type.name === 'Interval')
    return withInterval(node, left, right, statement);
  if (isTime(left.type) || isTime(right.type)) return withTime(node, left, right);
  const [a, b] = [toNumber(left, statement, node.left), toNumber(right, statement, node.right)];
  const isNull = nullable || canBeNull(a.type) || canBeNull(b.type);
  const isFloat = node.op === '/' || a.type.name === 'Float64' || b.type.name === 'Float64';
  const canBeNan = node.op === '/' || mayBeNan(a.type) || mayBeNan(b.type);
  const float = canBeNan ? floatOrNan : (nullable: boolean): ValueType => scalar('Float64', nullable);
  const type = isFloat ? float(isNull || node.op === '%') : scalar('Int64', isNull || node.op === '%');
  const sql = `(${a.sql} ${node.op} ${b.sql})`;
  if (isFloat || node.op === '%' || ![a, b].some(isLarge)) return { sql, type };
  return { sql: `coalesce(try${sql}, ${wrapped(`${a.sql}::HUGEINT ${node.op} ${b.sql}::HUGEINT`)})`, type };
}

/** Whether a number is written out that can take a sum or product beyond 64 bits. */
function isLarge({ constant }: Printed): boolean {
  return constant !== undefined && Math.abs(Number(constant)) > 1e9;
}

/** A whole number of which only 64 bits are left, as ClickHouse calculates. */
function wrapped(huge: string): string {
  const size = 2n ** 64n;
  const half = 2n ** 63n;
  return `CAST((((${huge}) + ${half}) % ${size} + ${size}) % ${size} - ${half} AS BIGINT)`;
}

function isTime({ name }: ValueType): boolean {
  return name === 'Date' || name === 'DateTime';
}

function canBeNull(type: ValueType): boolean {
  return type.name !== 'Lambda' && type.nullable;
}

function withInterval(node: Arithmetic, left: Printed, right: Printed, statement: Statement): Printed {
  const [time, span] = left.type.name === 'Interval' && node.op === '+' ? [right, left] : [left, right];
  if ((node.op !== '+' && node.op !== '-') || span.type.name !== 'Interval') return wrong(node);
  if (time.type.name === 'Interval') {
    const nullable = canBeNull(time.type) || canBeNull(span.type);
    return { sql: `(${time.sql} ${node.op} ${span.sql})`, type: withNull(time.type, nullable) };
  }
  return shifted(time, node.op, span, callContext(statement, node, [node.left]));
}

/** Two times are so many seconds, or days, apart; a number added to one is seconds, or days. */
function withTime(node: Arithmetic, left: Printed, right: Printed): Printed {
  const nullable = canBeNull(left.type) || canBeNull(right.type);
  if (node.op === '-' && isTime(left.type) && isTime(right.type)) {
    if (left.type.name === 'Date' && right.type.name === 'Date') {
      return { sql: `(${left.sql} - ${right.sql})`, type: scalar('Int64', nullable) };
    }
    const micros = ({ sql }: Printed): string => `epoch_us(CAST(${sql} AS TIMESTAMP))`;
    return { sql: `((${micros(left)} - ${micros(right)}) / 1000000)`, type: scalar('Float64', nullable) };
  }
  const [time, count] = isTime(left.type) ? [left, right] : [right, left];
  if (
    (node.op !== '+' && node.op !== '-') ||
    !isNumeric(count.type) ||
    (node.op === '-' && !isTime(left.type))
  )
    return wrong(node);
  const unit = time.type.name === 'Date' ? 'to_days' : 'to_seconds';
  const number = time.type.name === 'Date' ? `CAST(${count.sql} AS INTEGER)` : count.sql;
  const sql = `(${time.sql} ${node.op} ${unit}(${number}))`;
  return time.type.name === 'Date'
    ? { sql: `CAST(${sql} AS DATE)`, type: scalar('Date', nullable) }
    : { sql, type: withNull(time.type, nullable) };
}

function wrong(node: Arithmetic): never {
  return refuse(`Operator "${node.op}" does not support these types.`, node);
}
