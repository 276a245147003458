import type { z } from 'zod';
import { nestedQueries, queryObjects } from '../../server/features/query/node-schema.ts';
import { bareSchema, isMeant } from '../../server/features/query/unsupported-fields.ts';

type Schema = z.core.$ZodType;

/** The fields of parsed objects that were read, by the schema of the object. */
export interface ReadRecord {
  /** The same value, whose fields are written down when they are read. Copying all fields is no reading. */
  watch(value: unknown, schema: Schema): unknown;
  has(schema: Schema, field: string): boolean;
}

interface Definition {
  type: string;
  element?: Schema;
  valueType?: Schema;
  options?: Schema[];
  shape?: Record<string, Schema>;
}

const definitionOf = (schema: Schema): Definition => schema._zod.def as never;

export function createReadRecord(): ReadRecord {
  const read = new Map<Schema, Set<string>>();

  function watch(value: unknown, outer: Schema): unknown {
    const schema = bareSchema(outer);
    if (typeof value !== 'object' || value === null || nestedQueries.has(schema as z.ZodType)) return value;
    const { type, options } = definitionOf(schema);
    if (type === 'union') {
      const option = options!.find((one) => isMeant(bareSchema(one), value));
      return option === undefined ? value : watch(value, option);
    }
    const known = new Map<PropertyKey, unknown>();
    let described: PropertyKey | null = null;
    return new Proxy(value, {
      getOwnPropertyDescriptor(target, key) {
        described = key;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      get(target, key) {
        // A spread or a loop over entries reads the descriptor of each field just before its value.
        const isCopied = described === key;
        described = null;
        if (typeof key === 'string' && !isCopied) {
          read.set(schema, (read.get(schema) ?? new Set()).add(key));
        }
        const inner = innerSchema(schema, key);
        const plain: unknown = Reflect.get(target, key);
        if (inner === null) return plain;
        if (!known.has(key)) known.set(key, watch(plain, inner));
        return known.get(key);
      },
    });
  }

  return { watch, has: (schema, field) => read.get(schema)?.has(field) === true };
}

function innerSchema(schema: Schema, key: PropertyKey): Schema | null {
  const { type, element, valueType, shape } = definitionOf(schema);
  if (typeof key !== 'string') return null;
  if (type === 'array') return /^\d+$/.test(key) ? element! : null;
  if (type === 'record') return valueType!;
  return type === 'object' && Object.hasOwn(shape!, key) ? shape![key]! : null;
}

/** Every object of schemas, with its path. */
function* objectsOf(
  schemas: Readonly<Record<string, Schema>>,
  within: boolean,
): Generator<{ schema: Schema; path: string; shape: Readonly<Record<string, Schema>> }> {
  const seen = new Set<Schema>();
  function* visit(outer: Schema, path: string): ReturnType<typeof objectsOf> {
    const schema = bareSchema(outer);
    if (seen.has(schema) || nestedQueries.has(schema as z.ZodType)) return;
    seen.add(schema);
    const { element, valueType, options = [], shape } = definitionOf(schema);
    for (const inner of [element, valueType, ...options]) if (inner) yield* visit(inner, path);
    if (shape === undefined) return;
    yield { schema, path, shape };
    if (within) for (const [key, inner] of Object.entries(shape)) yield* visit(inner, `${path}.${key}`);
  }
  for (const [name, schema] of Object.entries(schemas)) yield* visit(schema, name);
}

/** The names of all fields of schemas that are accepted without effect. */
export function namesWithoutEffect(schemas: Readonly<Record<string, Schema>>): string[] {
  const names = [...objectsOf(schemas, true)].flatMap(
    ({ schema }) => queryObjects.get(schema as z.ZodType)?.withoutEffect ?? [],
  );
  return [...new Set(names)];
}

/**
 * The unread fields of schemas, and (`within`) of nested ones. A field that is accepted without effect or refused needs
 * no reader, and a field with one possible value only identifies the object.
 */
export function unreadFields(
  schemas: Readonly<Record<string, Schema>>,
  record: ReadRecord,
  { within = true }: { within?: boolean } = {},
): string[] {
  return [...objectsOf(schemas, within)].flatMap(({ schema, path, shape }) => {
    const { withoutEffect = [], notSupported = [] } = queryObjects.get(schema as z.ZodType) ?? {};
    const isRead = (key: string): boolean =>
      withoutEffect.includes(key) || notSupported.includes(key) || record.has(schema, key);
    const isName = (key: string): boolean =>
      key === 'kind' || bareSchema(shape[key]!)._zod.def.type === 'null';
    return Object.keys(shape)
      .filter((key) => !isRead(key) && !isName(key))
      .map((key) => `${path}.${key}`);
  });
}
