import type { Params, Value } from './db.ts';

/** The same text for the same statement with the same parameters, and for no other. */
export function statementKey(sql: string, params: Params): string {
  return JSON.stringify([sql, params], (_, value: unknown) =>
    typeof value === 'bigint' ? { bigint: String(value) } : value,
  );
}

/** Bytes that a value takes in memory, about. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return 24 + value.length;
  if (!Array.isArray(value)) return 8;
  return value.reduce<number>((sum, item) => sum + sizeOf(item), 24);
}
