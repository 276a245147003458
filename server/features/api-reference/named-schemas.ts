import { z, type ZodType } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
/** Schemas by the name by which a document refers to them. */
export type Components = Readonly<Record<string, JsonSchema>>;

/** Requests are described as they are sent, answers as they arrive. */
type Direction = 'input' | 'output';

/** The schemas of a document, each once. */
export interface NamedSchemas {
  /** Names a schema for one direction, unless it has a name there or an `id`. Returns the reference to it. */
  add(schema: ZodType, direction: Direction, name: string): JsonSchema;
  components(): Components;
}

export const SCHEMA_PREFIX = '#/components/schemas/';
/** Where zod puts schemas that carry an `id` of their own, or contain themselves. */
const SHARED = /"#\/components\/schemas\/__shared#\/\$defs\/([^"]+)"/g;

const SETTINGS = {
  // A transformation or a rule of one's own: whatever it takes is described by what surrounds it.
  unrepresentable: 'any',
  // Every integer of JSON is within these bounds; saying so with each only hides what is special.
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // zod adds to each format the long expression by which it checks it.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  },
} as const;

/** Collects zod schemas as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
export function createNamedSchemas(): NamedSchemas {
  const registries = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() };
  return {
    add(schema, direction, name) {
      const known = registries[direction];
      if (!known.has(schema)) known.add(schema, { id: z.globalRegistry.get(schema)?.id ?? name });
      return { $ref: SCHEMA_PREFIX + known.get(schema)!.id };
    },
    components: () => ({
      ...schemasOf(registries.output, 'output', ''),
      ...schemasOf(registries.input, 'input', 'Input'),
    }),
  };
}

/** One schema, whole: for parameters, which are inlined where they are used. */
export function plainSchema(schema: ZodType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, { ...SETTINGS, io: 'input' }));
}

/** `suffix` keeps apart what both directions share: an answer is closed to unknown keys, a request is not. */
function schemasOf(registry: z.core.$ZodRegistry<{ id: string }>, io: Direction, suffix: string): Components {
  const { schemas } = z.toJSONSchema(registry, { ...SETTINGS, io, uri: (id) => SCHEMA_PREFIX + id });
  const { __shared, ...named } = schemas as Record<string, JsonSchema>;
  const shared = Object.entries(__shared?.$defs ?? {}).map(([id, schema]) => [id + suffix, schema]);
  const text = JSON.stringify(Object.fromEntries([...Object.entries(named), ...shared]));
  const moved = JSON.parse(text.replaceAll(SHARED, `"${SCHEMA_PREFIX}$1${suffix}"`)) as Components;
  return Object.fromEntries(Object.entries(moved).map(([name, schema]) => [name, withoutIdentity(schema)]));
}

/** The path of a schema in the document replaces its identity. */
function withoutIdentity({ $schema: _schema, $id: _id, id: _name, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
