import { z } from 'zod';

/** What becomes of the fields of an object that its schema does not read (amendment A-1). */
export interface ObjectFields {
  /** How errors call it. */
  readonly name: string;
  /** Accepted, and without effect on numbers: `docs/contract/accepted-without-effect.md` lists each. */
  readonly withoutEffect?: readonly string[];
  /** Fields of PostHog's schema that are not implemented. */
  readonly notSupported?: readonly string[];
}

/** Objects of queries and filters. */
export const queryObjects = z.registry<ObjectFields>();
/** Values that a schema reads and that are not implemented. */
export const refusedValues = z.registry<{ isRefused(value: unknown): boolean }>();
/** Fields that hold another query, whose schema follows from its kind; a point of an insight may stand in it too. */
export const nestedQueries = z.registry<{ withPoint: boolean }>();

/** Defines what happens to fields that are not in a schema. A field that is not listed here is refused. */
export function describe<S extends z.ZodType>(schema: S, fields: ObjectFields): S {
  queryObjects.add(schema, fields);
  return schema;
}

/** The same schema, some of whose values new queries may not have. */
export function refusing<S extends z.ZodType>(schema: S, isRefused: (value: unknown) => boolean): S {
  refusedValues.add(schema, { isRefused });
  return schema;
}

/** A query in another one. */
export function nestedQuery({ withPoint }: { withPoint: boolean }) {
  const schema = z.looseObject({ kind: z.string() });
  nestedQueries.add(schema, { withPoint });
  return schema;
}

/** What every node of PostHog has beside its own fields, and what changes no number. */
export const ON_EVERY_NODE = [
  'version',
  'tags',
  'modifiers',
  'response',
  'name',
  'limit_context',
  'client_query_id',
];

const VIRTUAL = /(?:^|[.[`'"])\$virt_\w/;

/** Whether a name or an expression of HogQL means a virtual property, which PostHog computes of others. */
export function namesVirtualProperty(value: unknown): boolean {
  return typeof value === 'string' && VIRTUAL.test(value);
}

/** The name of a property, or an expression, of which virtual properties are not implemented. */
export function propertyName() {
  return refusing(z.string(), namesVirtualProperty);
}
