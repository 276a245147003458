import fc from 'fast-check';
import { z } from 'zod';
import type { Components, JsonSchema } from '../../server/features/api-reference/index.ts';

export type IdType = 'number' | 'text' | 'uuid';

/**
 * A placeholder in a generated value for the id of an object in an earlier response: `word` is the property's name,
 * `pick` which of the known ids.
 */
export class KnownId {
  readonly word: string;
  readonly pick: number;
  readonly type: IdType;

  constructor(word: string, pick: number, type: IdType) {
    this.word = word;
    this.pick = pick;
    this.type = type;
  }
}

/** Deeper than this, lists are empty and only what is required is generated; some schemas contain themselves. */
const MAX_DEPTH = 9;
const MAX_TEXT = 40;
const MAX_ITEMS = 4;
/** Of many fields that may be left out, a few at a time: with all of them some rule between two is always broken. */
const MAX_OPTIONAL = 3;
const IDS =
  /(^|_)(id|uuid|ids|uuids)$|Id$|^(dashboards?|insight|tiles?|tile_order|toDashboard|user|member|role)$/;

/** Texts that have broken servers: quotes, NUL, other scripts, paths, halves of a character, what is true in SQL. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uD800',
  "'; DROP TABLE dashboards; --",
  "1' OR '1'='1",
  '%',
  '_%\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'null',
  '[object Object]',
  '\u202Eabc',
  '👩‍👩‍👧'.repeat(20),
  'x'.repeat(500),
  '9223372036854775808',
  '1e999',
  '-0',
  '{"a":',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
];
const ODD_NUMBERS = [-1, 0, -0, 0.5, 1e-7, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 99, 21, 37];

export const anyOddText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: MAX_TEXT }) },
);
/** Any JSON, most of it small and invalid in most places. */
export const anyOddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { id: null }) },
  { weight: 3, arbitrary: fc.constantFrom(...ODD_NUMBERS) },
  { weight: 3, arbitrary: anyOddText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Values that fit a JSON Schema of the document; ids are mostly those of things that exist. */
export function valuesOf(
  schema: JsonSchema,
  components: Components,
  word = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const again = (inner: JsonSchema, name = word): fc.Arbitrary<unknown> =>
    valuesOf(inner, components, name, depth + 1);
  if (schema.$ref !== undefined) return namedValuesOf(schema.$ref, components, word, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => again(choice)));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => again({ ...schema, type } as JsonSchema)));
  if (schema['example'] !== undefined) {
    const { example, ...rest } = schema;
    return fc.oneof(fc.constant(example), again(rest));
  }
  switch (types[0]) {
    case 'object':
      return objectsOf(schema, again, word, depth);
    case 'array':
      return arraysOf(schema, again, depth);
    case 'string':
      return textsOf(schema, word);
    case 'integer':
    case 'number':
      return numbersOf(schema, word);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const named = new WeakMap<Components, Map<string, fc.Arbitrary<unknown>>>();

/** Those of a named schema, created once for each depth: many schemas share them. */
function namedValuesOf(
  ref: string,
  components: Components,
  word: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const made = named.get(components) ?? new Map<string, fc.Arbitrary<unknown>>();
  named.set(components, made);
  const name = `${ref} ${word} ${depth}`;
  const values =
    made.get(name) ?? valuesOf(components[ref.split('/').at(-1)!] ?? {}, components, word, depth + 1);
  made.set(name, values);
  return values;
}

type Again = (inner: JsonSchema, name?: string) => fc.Arbitrary<unknown>;

function objectsOf(schema: JsonSchema, again: Again, word: string, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const values = Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, inner]) => [
      name,
      // What is called `id` is the id of what holds it.
      again(inner, name === 'id' ? word : name),
    ]),
  );
  const needed = required.filter((name) => Object.hasOwn(properties, name));
  const free = Object.keys(values).filter((name) => !needed.includes(name));
  const known = fc
    .subarray(free, { maxLength: depth < MAX_DEPTH ? Math.min(MAX_OPTIONAL, free.length) : 0 })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...needed, ...chosen].map((name) => [name, values[name]!]))),
    );
  if (typeof additionalProperties !== 'object' || depth >= MAX_DEPTH) return known;
  const others = fc.dictionary(fc.string({ maxLength: 12 }), again(additionalProperties), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.tuple(others, known).map(([more, own]) => ({ ...more, ...(own as object) }));
}

function arraysOf({ items, prefixItems, minItems = 0, maxItems }: JsonSchema, again: Again, depth: number) {
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((item) => again(item as JsonSchema)));
  const most = Math.max(minItems, Math.min(maxItems ?? MAX_ITEMS, MAX_ITEMS));
  if (typeof items !== 'object' || (depth >= MAX_DEPTH && minItems === 0)) return fc.constant([]);
  return fc.array(again(items as JsonSchema), { minLength: minItems, maxLength: most });
}

function textsOf(schema: JsonSchema, word: string): fc.Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = MAX_TEXT } = schema;
  if (format === 'uuid')
    return fc.oneof({ weight: 4, arbitrary: knownIds(word, 'uuid') }, { weight: 1, arbitrary: fc.uuid() });
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'email') return fc.emailAddress();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: MAX_TEXT });
  if (IDS.test(word)) return fc.oneof(knownIds(word, 'text'), plain(minLength, maxLength));
  return plain(minLength, maxLength);
}

function plain(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const most = Math.max(minLength, Math.min(maxLength, MAX_TEXT));
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength: most }) },
    { weight: 1, arbitrary: fc.string({ minLength, maxLength: most, unit: 'binary' }) },
  );
}

function numbersOf(schema: JsonSchema, word: string): fc.Arbitrary<unknown> {
  const { type, minimum = -1_000_000, maximum = 1_000_000 } = schema;
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
  const any = fc.integer({ min: minimum, max: maximum });
  return IDS.test(word)
    ? fc.oneof({ weight: 5, arbitrary: knownIds(word, 'number') }, { weight: 1, arbitrary: any })
    : any;
}

function knownIds(word: string, type: IdType): fc.Arbitrary<KnownId> {
  return fc.nat({ max: 1000 }).map((pick) => new KnownId(word, pick, type));
}

/** A value with something odd in one place of it; a key may also be missing, or come on top. */
export function nearlyOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, fc.nat(), anyOddValue, fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, pick, odd, how]) => {
      const copy = copyOf(value);
      const places = placesIn(copy);
      if (places.length === 0) return odd;
      const [holder, key] = places[pick % places.length]!;
      if (how === 'remove') delete holder[key];
      else if (how === 'add') holder[`${key}_`] = odd;
      else holder[key] = odd;
      return copy;
    });
}

type Holder = Record<string, unknown>;

function placesIn(value: unknown): [Holder, string][] {
  if (typeof value !== 'object' || value === null || value instanceof KnownId) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [[holder, key] as [Holder, string], ...placesIn(holder[key])]);
}

/** fast-check may give the same object again. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof KnownId) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
}

/** Values that fit a schema; what looks like an id is that of something which is there. */
export function writtenOf(
  schema: z.ZodType,
  words: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<unknown> {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', cycles: 'ref' });
  return valuesOf(withWords(json, words) as JsonSchema, (json.$defs ?? {}) as Components).map(withIds);
}

/** The same schema, whose fields of these names are ones that mean something; fields that no schema names are refused. */
function withWords(value: unknown, words: Readonly<Record<string, readonly unknown[]>>): unknown {
  if (Array.isArray(value)) return value.map((one) => withWords(one, words));
  if (typeof value !== 'object' || value === null) return value;
  const { properties, additionalProperties, ...rest } = value as Record<string, unknown>;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, withWords(one, words)]));
  if (typeof properties !== 'object' || properties === null) return { ...inner, additionalProperties };
  const fields = Object.entries(properties).map(([name, one]) => [
    name,
    Object.hasOwn(words, name) ? { enum: words[name] } : withWords(one, words),
  ]);
  return { ...inner, properties: Object.fromEntries(fields) as unknown };
}

function withIds(value: unknown): unknown {
  if (value instanceof KnownId) return value.type === 'number' ? 1 : '1';
  if (Array.isArray(value)) return value.map(withIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIds(one)]));
}
