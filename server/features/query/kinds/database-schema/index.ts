import { helpOf } from '../../../../hogql/functions/function-help.ts';
import { FUNCTIONS } from '../../../../hogql/functions/find-function.ts';
import { MACROS } from '../../../../hogql/macros.ts';
import { printName } from '../../../../hogql/print/hogql-literal.ts';
import { columnType, type Table } from '../../../../hogql/tables/table.ts';
import { TABLES } from '../../../../hogql/tables/tables.ts';
import type { ValueType } from '../../../../hogql/value-type.ts';
import { defineKind } from '../../query-kind.ts';
import type { SchemaFieldJson } from './database-schema.contract.ts';
import { z } from 'zod';
import { describe, ON_EVERY_NODE } from '../../node-schema.ts';

/** Functions that only the product's own queries use. */
const INTERNAL: ReadonlySet<string> = new Set([
  'textNumber',
  'textMicros',
  'textMatches',
  'textVersion',
  'caseWithExpression',
  'personNumber',
  'personSet',
  'personsInBoth',
]);

const HELP = [...FUNCTIONS, ...MACROS.values()].filter(({ name }) => !INTERNAL.has(name)).map(helpOf);

/** Lists all tables and columns. */
const databaseSchemaQuery = describe(z.looseObject({ kind: z.literal('DatabaseSchemaQuery') }), {
  name: 'DatabaseSchemaQuery',
  withoutEffect: ON_EVERY_NODE,
  notSupported: ['connectionId'],
});

/** The tables and functions of HogQL, with their columns and joins. */
export const databaseSchemaKind = defineKind({
  kind: 'DatabaseSchemaQuery',
  role: 'tool',
  schema: databaseSchemaQuery,
  plan: async () => null,
  async answer(_, { groupTypes, canRead }) {
    const readable = [...TABLES.values()].filter(
      ({ resource }) => resource === undefined || canRead(resource),
    );
    const tables = readable.map((table) => [
      table.name,
      {
        id: table.name,
        name: table.name,
        type: table.resource === undefined ? 'posthog' : 'system',
        fields: fieldsOf(table, groupTypes.length),
      },
    ]);
    return { results: null, tables: Object.fromEntries(tables), joins: [], functions: HELP };
  },
});

function fieldsOf(table: Table, groupTypes: number): Record<string, SchemaFieldJson> {
  const fields = namesOf(table).map((name) => field(name, typeOf(columnType(table, name)!)));
  const lazy = [...table.lazy].flatMap(([name, { table: other, groupTypeIndex }]) => {
    if (groupTypeIndex !== undefined && groupTypeIndex >= groupTypes) return [];
    return [{ ...field(name, 'lazy_table'), table: other, fields: namesOf(TABLES.get(other)!) }];
  });
  return Object.fromEntries([...fields, ...lazy].map((one) => [one.name, one]));
}

function namesOf({ columns, expressions }: Table): string[] {
  const shown = [...columns].filter(([, { hidden }]) => hidden !== true).map(([name]) => name);
  return [...shown, ...(expressions?.keys() ?? [])];
}

function field(name: string, type: SchemaFieldJson['type']): SchemaFieldJson {
  return { name, hogql_value: printName(name), type, schema_valid: true };
}

const TYPES: Partial<Record<ValueType['name'], SchemaFieldJson['type']>> = {
  String: 'string',
  UUID: 'string',
  Person: 'string',
  Int64: 'integer',
  UInt64: 'integer',
  Float64: 'float',
  Bool: 'boolean',
  Date: 'date',
  DateTime: 'datetime',
  JSON: 'json',
  Array: 'array',
};

function typeOf({ name }: ValueType): SchemaFieldJson['type'] {
  return TYPES[name] ?? 'unknown';
}
