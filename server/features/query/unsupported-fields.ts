import type { z } from 'zod';
import { fail } from '../../errors.ts';
import { didYouMean } from '../../hogql/nearest.ts';
import { isFields, type Fields } from './legacy-filters.ts';
import { actorsPoint, NODE_SCHEMAS } from './query-kinds.ts';
import { nestedQueries, queryObjects, refusedValues } from './node-schema.ts';
import type { QueryWarning } from './query.contract.ts';

/** A field of a query that is not read, or has a value that is not computed. */
interface UnsupportedField {
  /** Its path, such as `source.series.0.math_multiplier`. */
  readonly field: string;
  readonly message: string;
}

type Schema = z.core.$ZodType;
type Path = readonly (string | number)[];

/** A value in a query, with its schema and its place. */
interface QueryPart {
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: Path;
}
type OnPart = (part: QueryPart) => void;
const NO_VISITOR: OnPart = () => undefined;

const POINT_FIELDS = new Set(Object.keys(actorsPoint.shape));

/**
 * The fields of a query that nothing reads (amendment A-1). New queries with one are refused; stored ones are answered
 * without it, and the answer says so. The query fits the schema of its kind.
 */
export function unsupportedFields(query: Readonly<Record<string, unknown>>): UnsupportedField[] {
  const schema = schemaOfKind(query);
  return schema === undefined ? [] : [...walk(schema, query, [], NO_VISITOR)];
}

/** The schema of a node, by its kind. */
export function schemaOfKind({ kind }: Readonly<Record<string, unknown>>): Schema | undefined {
  return typeof kind === 'string' && Object.hasOwn(NODE_SCHEMAS, kind) ? NODE_SCHEMAS[kind] : undefined;
}

/** The same of a part of a query, such as its dates. */
export function unsupportedIn(schema: Schema, value: unknown): UnsupportedField[] {
  return [...walk(schema, value, [], NO_VISITOR)];
}

/** All values of a query, or of a part of one, that a schema names: outer ones before those in them. */
export function partsOf(schema: Schema, value: unknown): QueryPart[] {
  const parts: QueryPart[] = [];
  // Unsupported fields are ignored here, but the generator has to run to its end.
  Array.from(walk(schema, value, [], (part) => parts.push(part)));
  return parts;
}

/** The warnings about unsupported fields. New queries with such fields are refused, so only stored ones have any. */
export function warningsOf(query: Fields): QueryWarning[] {
  return unsupportedFields(query).map(({ field, message }) => ({ message, start: null, end: null, field }));
}

/** Throws invalid_input that names the first field of a query that is not read. */
export function refuseUnsupported(query: Readonly<Record<string, unknown>>): void {
  const [first] = unsupportedFields(query);
  if (first !== undefined) throw fail('invalid_input', { detail: first.message });
}

/** The schema without what makes it optional or prepares its value. */
export function bareSchema(schema: Schema): Schema {
  const def = schema._zod.def as Partial<Record<'type' | 'innerType' | 'in' | 'out', unknown>>;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return bareSchema(def.innerType as Schema);
    case 'pipe': {
      const inner = def.in as Schema;
      return bareSchema(inner._zod.def.type === 'transform' ? (def.out as Schema) : inner);
    }
    case 'lazy':
      return bareSchema((def as { getter(): Schema }).getter());
    default:
      return schema;
  }
}

function* walk(outer: Schema, value: unknown, path: Path, onPart: OnPart): Generator<UnsupportedField> {
  if (value === null || value === undefined) return;
  const schema = bareSchema(outer);
  onPart({ schema, value, path });
  if (refusedValues.get(schema as z.ZodType)?.isRefused(value) === true) {
    yield unsupported(path, `${named(path)}: ${JSON.stringify(value).slice(0, 80)} is not supported yet.`);
    return;
  }
  const nested = nestedQueries.get(schema as z.ZodType);
  if (nested !== undefined) return yield* walkNested(value as Fields, path, nested.withPoint, onPart);
  const def = schema._zod.def as { type: string; element?: Schema; valueType?: Schema; options?: Schema[] };
  if (def.type === 'array' && Array.isArray(value)) {
    for (const [at, one] of value.entries()) yield* walk(def.element!, one, [...path, at], onPart);
  } else if (def.type === 'record' && isFields(value)) {
    for (const [key, one] of Object.entries(value)) yield* walk(def.valueType!, one, [...path, key], onPart);
  } else if (def.type === 'union') {
    const option = def.options!.find((one) => isMeant(bareSchema(one), value));
    if (option !== undefined) yield* walk(option, value, path, onPart);
  } else if (def.type === 'object' && isFields(value)) {
    yield* walkObject(schema, value, path, new Set(), onPart);
  }
}

function* walkObject(
  schema: Schema,
  value: Fields,
  path: Path,
  known: ReadonlySet<string>,
  onPart: OnPart,
): Generator<UnsupportedField> {
  const shape = shapeOf(schema);
  const fields = queryObjects.get(schema as z.ZodType);
  for (const [key, one] of Object.entries(value)) {
    const isKnown = fields?.notSupported?.includes(key) === true;
    if (Object.hasOwn(shape, key) && !isKnown) yield* walk(shape[key]!, one, [...path, key], onPart);
    else if (fields !== undefined && !known.has(key) && one !== undefined) {
      if (fields.withoutEffect?.includes(key) === true) continue;
      if (isKnown && saysNothing(one)) continue;
      const problem = isKnown
        ? `${named([...path, key])} is not supported yet.`
        : `${named([...path, key])} is not a field of ${fields.name}.${didYouMean(key, Object.keys(shape))}`;
      yield unsupported([...path, key], problem);
    }
  }
}

function* walkNested(
  node: Fields,
  path: Path,
  withPoint: boolean,
  onPart: OnPart,
): Generator<UnsupportedField> {
  const schema = schemaOfKind(node);
  if (schema !== undefined)
    yield* walkObject(schema, node, path, withPoint ? POINT_FIELDS : new Set(), onPart);
}

/** Fields that are off or empty have no effect, so ignoring them needs no warning. */
function saysNothing(value: unknown): boolean {
  if (value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(saysNothing);
}

/** Whether a value is one of this alternative: its scalars, a list, or an object with its names and words. */
export function isMeant(schema: Schema, value: unknown): boolean {
  const def = schema._zod.def as { type: string; values?: unknown[]; entries?: object; options?: Schema[] };
  switch (def.type) {
    case 'object':
      return isFields(value) && Object.entries(shapeOf(schema)).every((one) => isMeantField(one, value));
    case 'array':
      return Array.isArray(value);
    case 'union':
      return def.options!.some((one) => isMeant(bareSchema(one), value));
    case 'literal':
      return def.values!.includes(value);
    case 'enum':
      return Object.values(def.entries!).includes(value);
    default:
      return typeof value !== 'object';
  }
}

function isMeantField([key, schema]: [string, Schema], value: Fields): boolean {
  if (schema._zod.optin === 'optional') return true;
  const bare = bareSchema(schema);
  return Object.hasOwn(value, key) && (!isWord(bare) || isMeant(bare, value[key]));
}

function isWord({ _zod: { def } }: Schema): boolean {
  return def.type === 'literal' || def.type === 'enum';
}

function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema._zod.def as unknown as { shape: Record<string, Schema> }).shape;
}

function unsupported(path: Path, message: string): UnsupportedField {
  return { field: path.join('.'), message };
}

/** The field, after the path of its object. */
function named(path: Path): string {
  const place = path.slice(0, -1).join('.');
  return `${place === '' ? '' : `${place}: `}"${String(path.at(-1))}"`;
}
