/**
 * SQL for a tuple: a struct whose parts have names, because the driver gives only one part of a struct without. Two with
 * equal parts are equal.
 */
export function tupleSql(parts: readonly string[]): string {
  // There is no struct without parts.
  if (parts.length === 0) return `{'f1': NULL}`;
  return `{${parts.map((part, at) => `'f${at + 1}': ${part}`).join(', ')}}`;
}

/** SQL for one part of a tuple, counted from 1. */
export function tuplePartSql(tuple: string, index: number): string {
  return `struct_extract_at(${tuple}, ${Math.trunc(index)})`;
}
