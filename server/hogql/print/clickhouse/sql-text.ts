/** A string literal of ClickHouse. */
export function textSql(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0');
  return `'${escaped}'`;
}

/** An identifier of ClickHouse, in backticks. */
export function nameSql(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\0', '\\0')}\``;
}

/** A part of JSON text as text: NULL where there is none, and for null. Whole numbers in a path are places from 1. */
export function jsonTextSql(json: string, path: readonly string[]): string {
  return `JSONExtract(${[json, ...path.map(textSql)].join(', ')}, 'Nullable(String)')`;
}
