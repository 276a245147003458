/** Types without parts. A DateTime is a moment (TIMESTAMP in UTC); a Date is a day of a calendar. */
export type ScalarName =
  | 'String'
  | 'Int64'
  | 'UInt64'
  | 'Float64'
  | 'Bool'
  | 'Date'
  | 'DateTime'
  | 'UUID'
  | 'JSON'
  /** Who: the number of a person or placeholder inside a statement, its UUID wherever it is seen. */
  | 'Person'
  /** The type of NULL alone. */
  | 'Nothing';

export type IntervalUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Whose properties a text of JSON holds. */
export interface PropertyOwner {
  readonly kind: 'event' | 'person' | 'group';
  readonly groupTypeIndex?: number;
}

/** The type of a value, as far as it is known when a query is compiled. */
export type ValueType =
  | {
      readonly name: Exclude<ScalarName, 'DateTime' | 'JSON' | 'Bool' | 'String' | 'UInt64' | 'Float64'>;
      readonly nullable: boolean;
    }
  /** A truth: 1 or 0 of a comparison, which ClickHouse calls UInt8; true or false where `isBoolean`. */
  | { readonly name: 'Bool'; readonly nullable: boolean; readonly isBoolean?: true }
  /** A float; `mayBeNan`: read from a text, or the result of a division, which may be no number. */
  | { readonly name: 'Float64'; readonly nullable: boolean; readonly mayBeNan?: true }
  /** A text; `isHex`: bytes, which no text can hold, written in hexadecimal digits. */
  | { readonly name: 'String'; readonly nullable: boolean; readonly isHex?: true }
  /** A whole number from 0; `isHuge`: beyond those that the engine counts in 64 bits with a sign. */
  | { readonly name: 'UInt64'; readonly nullable: boolean; readonly isHuge?: true }
  | { readonly name: 'JSON'; readonly nullable: boolean; readonly owner?: PropertyOwner }
  /** A moment that is meant in a zone of its own (`toTimeZone`), or in whole seconds. */
  | { readonly name: 'DateTime'; readonly nullable: boolean; readonly zone?: string; readonly seconds?: true }
  /** Persons, only inside a statement: one bit for each, or a list of their numbers. */
  | { readonly name: 'PersonSet'; readonly isList: boolean; readonly nullable: boolean }
  /** What -State keeps of an aggregate until -Merge finishes it, only inside a statement; its result will be of that type. */
  | {
      readonly name: 'State';
      readonly of: string;
      readonly kept: ValueType;
      readonly result: ValueType;
      readonly nullable: boolean;
    }
  | { readonly name: 'Interval'; readonly unit: IntervalUnit; readonly nullable: boolean }
  | { readonly name: 'Array'; readonly item: ValueType; readonly nullable: boolean }
  | { readonly name: 'Map'; readonly key: ValueType; readonly value: ValueType; readonly nullable: boolean }
  | { readonly name: 'Tuple'; readonly items: readonly ValueType[]; readonly nullable: boolean }
  /** Only as an argument. */
  | { readonly name: 'Lambda'; readonly nullable: false };

/** A scalar type that is never NULL, unless `nullable` says so. */
export function scalar(name: ScalarName, nullable = false): ValueType {
  return { name, nullable };
}

/** True or false, as a query writes them; a comparison gives `scalar('Bool')`. */
export function boolean(nullable = false): ValueType {
  return { name: 'Bool', nullable, isBoolean: true };
}

/** A float that may be NaN, which the engine takes for the largest of all and equal to itself. */
export function floatOrNan(nullable = false): ValueType {
  return { name: 'Float64', nullable, mayBeNan: true };
}

/** Whether a value may be NaN. */
export function mayBeNan(type: ValueType): boolean {
  return type.name === 'Float64' && type.mayBeNan === true;
}

/** An array of items. */
export function arrayOf(item: ValueType, nullable = false): ValueType {
  return { name: 'Array', item, nullable };
}

/** A tuple; in DuckDB an unnamed struct, whose parts are read by `struct_extract(t, 1)`. */
export function tupleOf(items: readonly ValueType[], nullable = false): ValueType {
  return { name: 'Tuple', items, nullable };
}

/** The same type, as something that may be NULL, or may not. */
export function withNull(type: ValueType, nullable = true): ValueType {
  return type.name === 'Lambda' || type.nullable === nullable ? type : { ...type, nullable };
}

/** Whether numbers are meant. */
export function isNumeric(type: ValueType): boolean {
  return ['Int64', 'UInt64', 'Float64'].includes(type.name);
}

/** How ClickHouse writes a type: `Nullable(String)`, `Array(UInt64)`, `DateTime64(6, 'UTC')`. */
export function typeText(type: ValueType, timezone = 'UTC'): string {
  const bare = bareText(type, timezone);
  const isNullableKind = !['Array', 'Map', 'Tuple', 'Lambda', 'JSON', 'State'].includes(type.name);
  return type.nullable && isNullableKind ? `Nullable(${bare})` : bare;
}

function bareText(type: ValueType, timezone: string): string {
  switch (type.name) {
    case 'DateTime':
      return type.seconds === true
        ? `DateTime('${type.zone ?? timezone}')`
        : `DateTime64(6, '${type.zone ?? timezone}')`;
    case 'Array':
      return `Array(${typeText(type.item, timezone)})`;
    case 'Map':
      return `Map(${typeText(type.key, timezone)}, ${typeText(type.value, timezone)})`;
    case 'Tuple':
      return `Tuple(${type.items.map((item) => typeText(item, timezone)).join(', ')})`;
    case 'Interval':
      return `Interval${type.unit[0]!.toUpperCase()}${type.unit.slice(1)}`;
    case 'JSON':
      return 'String';
    case 'Bool':
      return type.isBoolean === true ? 'Bool' : 'UInt8';
    case 'Person':
      return 'UUID';
    case 'State':
      return `AggregateFunction(${type.of}, ${typeText(type.result, timezone)})`;
    default:
      return type.name;
  }
}

/** How DuckDB writes a type, for casts. */
export function duckdbType(type: ValueType): string {
  switch (type.name) {
    case 'String':
    case 'JSON':
      return 'VARCHAR';
    case 'Int64':
      return 'BIGINT';
    case 'UInt64':
      return type.isHuge === true ? 'UBIGINT' : 'BIGINT';
    case 'Float64':
      return 'DOUBLE';
    case 'Bool':
      return 'BOOLEAN';
    case 'Date':
      return 'DATE';
    case 'DateTime':
      return 'TIMESTAMP';
    case 'UUID':
      return 'UUID';
    case 'Person':
      return 'INTEGER';
    case 'PersonSet':
      return type.isList ? 'INTEGER[]' : 'BIT';
    case 'State':
      return duckdbType(type.kept);
    case 'Interval':
      return 'INTERVAL';
    case 'Array':
      return `${duckdbType(type.item)}[]`;
    case 'Map':
      return `MAP(${duckdbType(type.key)}, ${duckdbType(type.value)})`;
    case 'Tuple':
      if (type.items.length === 0) return 'STRUCT(f1 VARCHAR)';
      return `STRUCT(${type.items.map((item, at) => `f${at + 1} ${duckdbType(item)}`).join(', ')})`;
    case 'Nothing':
    case 'Lambda':
      return 'VARCHAR';
  }
}
