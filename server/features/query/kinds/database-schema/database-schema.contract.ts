import { z } from 'zod';

const schemaField = z.strictObject({
  name: z.string(),
  /** As it is written in HogQL. */
  hogql_value: z.string(),
  /** Of a lazy table the fields are those of `table`. */
  type: z.enum([
    'string',
    'integer',
    'float',
    'boolean',
    'date',
    'datetime',
    'json',
    'array',
    'unknown',
    'lazy_table',
  ]),
  schema_valid: z.boolean(),
  table: z.string().optional(),
  fields: z.array(z.string()).optional(),
});

const schemaFunction = z.strictObject({
  name: z.string(),
  /** An aggregate makes one value of many rows; a window function needs OVER. */
  kind: z.enum(['function', 'aggregate', 'window']),
  /** Its call, with what may be left out in brackets: `round(x, [digits])`. */
  signature: z.string(),
  /** What it gives, in a sentence; empty where the signature says it. */
  help: z.string(),
});

/** The schema of the tables, in addition to the fields of every response. */
export const databaseSchemaFields = {
  tables: z.record(
    z.string(),
    z.strictObject({
      id: z.string(),
      name: z.string(),
      type: z.enum(['posthog', 'system']),
      fields: z.record(z.string(), schemaField),
    }),
  ),
  joins: z.array(z.unknown()),
  /** Burrow's own field: the functions of the language, for those who write it. */
  functions: z.array(schemaFunction),
};
export type SchemaFieldJson = z.output<typeof schemaField>;
