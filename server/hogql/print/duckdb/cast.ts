import type { Cast } from '../../ast.ts';
import { findFunction } from '../../functions/find-function.ts';
import type { Printed } from '../../functions/function-row.ts';
import { refuse, type Scope } from '../../resolve/scope.ts';
import { callContext } from './call-context.ts';
import { visible } from './coerce.ts';

const CASTS: Readonly<Record<string, string>> = {
  int: 'toInt',
  integer: 'toInt',
  bigint: 'toInt',
  smallint: 'toInt',
  tinyint: 'toInt',
  int8: 'toInt',
  int16: 'toInt',
  int32: 'toInt',
  int64: 'toInt',
  uint8: 'toInt',
  uint16: 'toInt',
  uint32: 'toInt',
  uint64: 'toInt',
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
