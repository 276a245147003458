import { SCHEMA_PREFIX, type Components, type JsonSchema } from './named-schemas.ts';

const TIME = '2026-11-20T09:30:00.000000Z';
const UUID = '0199aa10-0000-7000-8000-000000000001';

/** Texts for formats and names of fields that say what they hold. */
const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: UUID,
  'date-time': TIME,
  date: TIME.slice(0, 10),
  email: 'ada@example.com',
  uri: 'http://localhost:2877/',
};
const TEXT_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/(^|_)(at|timestamp|after|before|marker|seen|until)$/, TIME],
  [/(^|_)uuid$/, UUID],
  [/^id$/, '1'],
  [/(^|_)email$/, TEXT_BY_FORMAT['email']!],
  [/^timezone$/, 'UTC'],
  [/^(next|previous)$/, 'http://localhost:2877/api/'],
];

/**
 * A value that fits the schema, the same each time: the schema's own `example`, a constant, a first choice, else one
 * built from its type and the field's name. Of an object all properties are shown; a list of what contains the list
 * is empty.
 */
export function exampleOf(
  schema: JsonSchema,
  components: Components,
  name = '',
  within: readonly string[] = [],
): unknown {
  const { $ref } = schema;
  if ($ref !== undefined) {
    const named = components[$ref.slice(SCHEMA_PREFIX.length)] ?? {};
    return exampleOf(named, components, name, [...within, $ref]);
  }
  const given = [schema['example'], schema.default, schema.const, schema.enum?.[0]];
  const ready = given.find((value) => value !== undefined);
  if (ready !== undefined) return ready;
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined)
    return exampleOf(choices.find(({ type }) => type !== 'null') ?? {}, components, name, within);
  return byType(schema, components, name, within);
}

function byType(
  schema: JsonSchema,
  components: Components,
  name: string,
  within: readonly string[],
): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'object') return objectExample(schema, components, within);
  if (type === 'array') return arrayExample(schema, components, name, within);
  if (type === 'string') return textExample(schema, name);
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return false;
  return type === 'null' ? null : {};
}

function objectExample(schema: JsonSchema, components: Components, within: readonly string[]): unknown {
  const { properties = {}, required = [], additionalProperties } = schema;
  // Keys that a record has to have share one schema.
  const others = required.filter((name) => !Object.hasOwn(properties, name));
  return Object.fromEntries(
    [...Object.entries(properties), ...others.map((name) => [name, additionalProperties ?? {}] as const)]
      .filter(([, property]) => !isNothing(property as JsonSchema))
      .map(([name, property]) => [name, exampleOf(property as JsonSchema, components, name, within)]),
  );
}

function arrayExample(
  schema: JsonSchema,
  components: Components,
  name: string,
  within: readonly string[],
): unknown[] {
  const { prefixItems, items } = schema;
  if (prefixItems !== undefined)
    return prefixItems.map((item) => exampleOf(item as JsonSchema, components, name, within));
  if (items === undefined || typeof items !== 'object' || isNothing(items as JsonSchema)) return [];
  const { $ref } = items as JsonSchema;
  if ($ref !== undefined && within.includes($ref)) return [];
  return [exampleOf(items as JsonSchema, components, name, within)];
}

function textExample({ format = '', maxLength = Infinity }: JsonSchema, name: string): string {
  const text = TEXT_BY_FORMAT[format] ?? TEXT_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
  return text.slice(0, maxLength);
}

/** `z.never()`: no value fits. */
function isNothing({ not }: JsonSchema): boolean {
  return not !== undefined;
}
