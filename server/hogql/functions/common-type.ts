import { arrayOf, duckdbType, isNumeric, scalar, tupleOf, withNull, type ValueType } from '../value-type.ts';
import type { CallContext, Printed } from './function-row.ts';
import { asMoment } from './read-argument.ts';

/** The type that can hold values of both, or null. */
export function commonType(a: ValueType, b: ValueType): ValueType | null {
  const nullable = a.nullable || b.nullable;
  if (a.name === 'Nothing') return withNull(b);
  if (b.name === 'Nothing') return withNull(a);
  if (a.name === 'Array' && b.name === 'Array') {
    const item = commonType(a.item, b.item);
    return item === null ? null : arrayOf(item, nullable);
  }
  if (a.name === 'Tuple' && b.name === 'Tuple') return commonTuple(a.items, b.items, nullable);
  if (a.name === 'State' && b.name === 'State' && a.of !== b.of) return null;
  if (a.name === 'Map' && b.name === 'Map') {
    const [key, value] = [commonType(a.key, b.key), commonType(a.value, b.value)];
    return key === null || value === null ? null : { name: 'Map', key, value, nullable };
  }
  if (a.name === 'Bool' && b.name === 'Bool' && a.isBoolean !== b.isBoolean) return scalar('Bool', nullable);
  if (isHuge(a) || isHuge(b)) {
    const isWhole = [a, b].every((type) => isNumeric(type) && type.name !== 'Float64');
    if (isWhole) return { name: 'UInt64', nullable, isHuge: true };
  }
  if (a.name === b.name) return withNull(a, nullable);
  const pair = [a.name, b.name];
  if ([a, b].every((type) => isNumeric(type) || type.name === 'Bool')) {
    return scalar(pair.includes('Float64') ? 'Float64' : 'Int64', nullable);
  }
  if (pair.includes('Date') && pair.includes('DateTime'))
    return withNull(a.name === 'DateTime' ? a : b, nullable);
  if (pair.includes('JSON') && pair.includes('String')) return scalar('String', nullable);
  return null;
}

function isHuge(type: ValueType): boolean {
  return type.name === 'UInt64' && type.isHuge === true;
}

function commonTuple(a: readonly ValueType[], b: readonly ValueType[], nullable: boolean): ValueType | null {
  if (a.length !== b.length) return null;
  const items = a.map((item, at) => commonType(item, b[at]!));
  return items.includes(null) ? null : tupleOf(items as ValueType[], nullable);
}

/** Gives values one type. Refuses the call when there is none that holds them all. */
export function unify(
  values: readonly Printed[],
  call: CallContext,
): { type: ValueType; sql: readonly string[] } {
  let type: ValueType = values[0]?.type ?? scalar('Nothing', true);
  for (const [at, value] of values.entries()) {
    type =
      commonType(type, value.type) ??
      call.refuse(`Types ${type.name} and ${value.type.name} have no common type.`, at);
  }
  return { type, sql: values.map((value) => converted(value, type, call)) };
}

/** The value as a type that can hold it. */
function converted(value: Printed, type: ValueType, call: CallContext): string {
  if (type.name === 'DateTime' && value.type.name === 'Date') return asMoment(value, call).sql;
  if (type.name === 'Nothing' || duckdbType(value.type) === duckdbType(type)) return value.sql;
  if (value.constant === null) return `CAST(NULL AS ${duckdbType(type)})`;
  return `CAST(${value.sql} AS ${duckdbType(type)})`;
}
