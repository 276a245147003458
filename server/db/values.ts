import {
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUUIDValue,
  listValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { BIGINT, BOOLEAN, DOUBLE, LIST, VARCHAR, type DuckDBType } from '@duckdb/node-api';
import { isoMicros } from '../lib/iso-date.ts';
import type { Param, Params, Row, Value } from './db.ts';

/** A DuckDB value as the plain value that `db.ts` promises. */
function plainValue(value: DuckDBValue): Value {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return value;
  }
  if (typeof value === 'bigint') return plainInteger(value);
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return isoMicros(value.micros);
  if (value instanceof DuckDBUUIDValue) return value.toString();
  if (value instanceof DuckDBListValue) return value.items.map(plainValue);
  if (value instanceof DuckDBStructValue) return Object.values(value.entries).map(plainValue);
  if (value instanceof DuckDBMapValue)
    return value.entries.map((entry) => [entry.key, entry.value].map(plainValue));
  return String(value);
}

/** A number where that is exact, else the digits as text, which is how ClickHouse quotes it in JSON. */
function plainInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The rows of one chunk as objects keyed by column name. */
export function plainRows(rows: readonly (readonly DuckDBValue[])[], names: readonly string[]): Row[] {
  return rows.map((row) => {
    const plain: Row = {};
    for (let i = 0; i < names.length; i++) plain[names[i]!] = plainValue(row[i]!);
    return plain;
  });
}

/** The values and types to bind: whole numbers as BIGINT, lists typed by their first item. */
export function bindings(params: Params): {
  values: Record<string, DuckDBValue>;
  types: Record<string, DuckDBType>;
} {
  const values: Record<string, DuckDBValue> = {};
  const types: Record<string, DuckDBType> = {};
  for (const [name, param] of Object.entries(params)) {
    const [value, type] = binding(param);
    values[name] = value;
    if (type !== null) types[name] = type;
  }
  return { values, types };
}

function binding(param: Param): [DuckDBValue, DuckDBType | null] {
  if (param === null) return [null, VARCHAR];
  if (typeof param === 'string') return [param, VARCHAR];
  if (typeof param === 'boolean') return [param, BOOLEAN];
  if (typeof param === 'bigint') return [param, BIGINT];
  if (typeof param === 'number') {
    return Number.isSafeInteger(param) ? [BigInt(param), BIGINT] : [param, DOUBLE];
  }
  const items = param as readonly (string | number)[];
  return typeof items[0] === 'number'
    ? [listValue(items.map((item) => BigInt(item))), LIST(BIGINT)]
    : [listValue(items as string[]), LIST(VARCHAR)];
}
