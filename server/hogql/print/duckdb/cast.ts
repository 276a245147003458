import type { Cast } from '../../ast.ts';
import { findFunction } from '../../functions/find-function.ts';
import type { Printed } from '../../functions/function-row.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import { callContext } from './call-context.ts';
import { visible } from './coerce.ts';

const CASTS: Readonly<Record<string, string>> = {
  int: '_toInt64',
  integer: '_toInt64',
  bigint: '_toInt64',
  smallint: '_toInt64',
  tinyint: '_toInt64',
  int8: '_toInt64',
  int16: '_toInt64',
  int32: '_toInt64',
  int64: '_toInt64',
  uint8: '_toInt64',
  uint16: '_toInt64',
  uint32: '_toInt64',
  uint64: '_toInt64',
  float: 'toFloat',
  double: 'toFloat',
  real: 'toFloat',
  float32: 'toFloat',
  float64: 'toFloat',
  decimal: 'toFloat',
  numeric: 'toFloat',
  text: 'toString',
  string: 'toString',
  varchar: 'toString',
  char: 'toString',
  date: 'toDate',
  datetime: 'toDateTime',
  timestamp: 'toDateTime',
  datetime64: 'toDateTime',
  bool: 'toBool',
  boolean: 'toBool',
  uuid: 'toUUID',
};

/** The function that casts to a type, by its name; null for an unknown type. */
export function functionOfCast(typeName: string): string | null {
  const type = typeName
    .replace(/^nullable\((.*)\)$/, '$1')
    .replace(/\(.*\)$/, '')
    .trim();
  return Object.hasOwn(CASTS, type) ? CASTS[type]! : null;
}

/** Casts are the functions of the same meaning: what cannot be read becomes NULL. */
export function printCast(node: Cast, scope: Scope): Printed {
  const name = functionOfCast(node.type);
  const row = name === null ? null : findFunction(name);
  if (row === null)
    return refuse(
      `Unknown type "${node.type}". Supported types: int, float, text, date, datetime, boolean and uuid.`,
      node,
    );
  const { printer, statement } = scope.select;
  return row.print(
    [visible(printer.expression(node.expr, scope), statement)],
    callContext(statement, node, [node.expr]),
  );
}
