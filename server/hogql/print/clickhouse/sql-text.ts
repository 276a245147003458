import type { PathStep } from '../../resolve/source.ts';

/** A string literal of ClickHouse. */
export function textSql(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0');
  return `'${escaped}'`;
}

/** An identifier of ClickHouse, in backticks. */
export function nameSql(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\0', '\\0')}\``;
}

/** A part of JSON text as text: NULL where there is none, and for null. Numbers in a path are places from 1. */
export function jsonTextSql(json: string, path: readonly PathStep[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? String(step) : textSql(step)));
  return `JSONExtract(${[json, ...steps].join(', ')}, 'Nullable(String)')`;
}
