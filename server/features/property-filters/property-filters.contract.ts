import { isJsonObject } from '../../lib/exact-number.contract.ts';
import { z } from 'zod';
import { operatorRow, OPERATORS, type Operator, type Scalar } from '../../conditions/operators.contract.ts';
import { booleanField, integerField } from '../../http/fields.contract.ts';

/** Filters of PostHog that need parts of the product which are not built yet. */
const UNAVAILABLE = new Set([
  'precalculated-cohort',
  'static-cohort',
  'dynamic-cohort',
  'hogql',
  'action',
  'behavioral',
  'session',
  'flag',
  'recording',
  'event_metadata',
  'data_warehouse',
  'log_entry',
]);
const MAX_DEPTH = 8;
const MAX_NODES = 500;

interface Leaf {
  key: string;
  operator: Operator;
  /** One value or a list; between two numbers or dates, a list of both. Absent where the operator takes none. */
  value?: Scalar | Scalar[] | null | undefined;
}

/**
 * One comparison: of a property of the event, its person, one of its groups, or the element that was clicked; or whether
 * the person is in a cohort. That of the event's name comes from actions; no client sends it.
 */
export type PropertyLeaf = Leaf &
  (
    | { type: 'event' | 'feature' | 'person' | 'element' }
    | { type: 'group'; group_type_index: number }
    | { type: 'cohort'; value: number; negation?: boolean | undefined }
    | { type: 'event_name' }
  );

/** All (AND) or one (OR) of its parts must hold; without parts it always holds. */
export type PropertyGroup = FilterGroup<never>;

/** The same with leaves of further types. */
export interface FilterGroup<L> {
  type: 'AND' | 'OR';
  values: FilterNode<L>[];
}
export type FilterNode<L> = FilterGroup<L> | PropertyLeaf | L;

/** The schema of a leaf of a further type; an object with the field `type`. */
export type FilterLeaf<L> = z.ZodType<L>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** The fields of a leaf on one property, in the rule of a cohort too; see `checkValue`. */
export const leafShape = {
  key: z.preprocess((key) => (typeof key === 'number' ? String(key) : key), z.string().min(1)),
  operator: z.preprocess((operator) => operator ?? undefined, z.enum(OPERATORS).default('exact')),
  value: z.unknown().optional(),
};

/** Values that fit the operator; what an operator does not look at may be anything. */
export function checkValue(leaf: { operator: Operator; value?: unknown }, context: z.RefinementCtx): void {
  const { operator, value } = leaf;
  const { values } = operatorRow(operator);
  if (values === 'none') return;
  const refuse = (message: string): void =>
    context.addIssue({ code: 'custom', path: ['value'], message, input: value });
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (value === undefined || value === null || (items.length === 0 && values !== 'any'))
    refuse(`The operator ${operator} requires a value.`);
  else if (!items.every((item) => scalar.safeParse(item).success)) {
    refuse('A value must be a string, a number, a boolean, or a list of these.');
  } else if (values === 'range' && items.length !== 2) {
    refuse(`The operator ${operator} requires a list of two values.`);
  } else if (values === 'one' && items.length !== 1) {
    refuse(`The operator ${operator} requires one value.`);
  }
}

/** The schema of a leaf of some type on one property. */
export function leafOf<T extends string>(type: T) {
  return z.object({ ...leafShape, type: z.literal(type) }).superRefine(checkValue);
}

/** The id of a cohort, also as text. */
export const cohortId = integerField().pipe(z.int32().min(1));

/** Whether the person is in a cohort; `exact` and `is_not` are older words for `in` and `not_in`. */
export function cohortLeafOf<T extends string>(type: T) {
  return z.object({
    type: z.literal(type),
    key: z.preprocess((key) => key ?? 'id', z.literal('id')),
    value: cohortId,
    operator: z.preprocess(
      (operator) => operator ?? undefined,
      z.enum(['in', 'not_in', 'exact', 'is_not']).default('in'),
    ),
    negation: booleanField()
      .nullish()
      .transform((word) => word ?? false),
  });
}

/** Schemas of leaves that every list of filters takes. */
const LEAVES = [
  leafOf('event'),
  leafOf('feature'),
  leafOf('person'),
  leafOf('element'),
  cohortLeafOf('cohort'),
  z
    .object({
      ...leafShape,
      type: z.literal('group'),
      group_type_index: z.coerce.number().pipe(z.int().min(0).max(4)),
    })
    .superRefine(checkValue),
] as const;

function nodeOf<L>(defaultType: string, further: readonly FilterLeaf<L>[]): z.ZodType<FilterNode<L>> {
  const values = z.lazy(() => z.array(node));
  const union = z.discriminatedUnion('type', [
    z.object({ type: z.literal('AND'), values }),
    z.object({ type: z.literal('OR'), values }),
    ...LEAVES,
    ...(further as unknown as typeof LEAVES),
  ]);
  const node: z.ZodType<FilterNode<L>> = z.preprocess(
    (value) => withType(value, defaultType),
    union,
  ) as never;
  return node;
}

/** A leaf without a type is of the default one; a group without one means AND. */
function withType(value: unknown, defaultType: string): unknown {
  if (!isJsonObject(value) || (value['type'] !== undefined && value['type'] !== null)) return value;
  return { ...value, type: Array.isArray(value['values']) ? 'AND' : defaultType };
}

/**
 * Schema of property filters as clients send them (management contract 9.9): a list of leaves (all must hold), a group
 * `{type: AND|OR, values}`, one leaf, or nothing. Filters on what this version does not know are refused by the name of
 * the whole field. `defaultType` is the type of a leaf that names none.
 */
export function propertyFilters(defaultType: 'event' | 'person' | 'group') {
  return filterTree(defaultType, [], UNAVAILABLE);
}

/** The same, with leaves of further types, and with words for types that the caller has and cannot take. */
export function filterTree<L = never>(
  defaultType: 'event' | 'person' | 'group',
  further: readonly FilterLeaf<L>[],
  unavailable: ReadonlySet<string>,
) {
  const list = z.array(nodeOf(defaultType, further));
  const group = z.object({ type: z.enum(['AND', 'OR']), values: list });
  return z
    .unknown()
    .superRefine((value, context) => {
      const message = problemOf(value, unavailable);
      if (message !== null) context.addIssue({ code: 'custom', message, input: value });
    })
    .transform((value, context): FilterGroup<L> => {
      // Not a union of both, which could only say that neither fits.
      const root = rootOf(value);
      const parsed = (isJsonObject(root) ? group : list).safeParse(root, { reportInput: true });
      if (parsed.success) {
        return Array.isArray(parsed.data) ? { type: 'AND', values: parsed.data } : parsed.data;
      }
      context.issues.push(...(parsed.error.issues as typeof context.issues));
      return z.NEVER;
    });
}

/** What is wrong with a tree as a whole, or null: checked before its parts, and never deeper than it may be. */
function problemOf(root: unknown, unavailable: ReadonlySet<string>): string | null {
  let nodes = 0;
  const walk = (value: unknown, depth: number): string | null => {
    nodes++;
    if (depth > MAX_DEPTH) return `Filters can be nested up to ${MAX_DEPTH} levels.`;
    if (nodes > MAX_NODES) return `At most ${MAX_NODES} filters and groups are allowed.`;
    if (!isJsonObject(value)) return null;
    const type = value['type'];
    if (typeof type === 'string' && unavailable.has(type)) {
      return `Filters of type ${type} are not supported yet.`;
    }
    return firstOf(value['values'], depth);
  };
  const firstOf = (values: unknown, depth: number): string | null => {
    if (!Array.isArray(values)) return null;
    for (const value of values) {
      const problem = walk(value, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return Array.isArray(root) ? firstOf(root, 0) : walk(root, 0);
}

/** A list or a group; one leaf alone becomes a list, and an empty object, as old clients send it, an empty one. */
function rootOf(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) return value;
  if (Object.keys(value).length === 0) return [];
  if (Array.isArray(value['values'])) return { type: 'AND', ...value };
  return [value];
}
