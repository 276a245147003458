import { elementExpr } from '../../conditions/elements.ts';
import type { Operator, Scalar } from '../../conditions/operators.contract.ts';
import { compareOperand } from '../../conditions/operators.ts';
import { textOperand, type Operand, type PropertyComparison } from '../../conditions/to-hogql.ts';
import { fail, type ApiError } from '../../errors.ts';
import type { Expr, Call, Node, Query } from '../../hogql/ast.ts';
import { and, compare, constant, field, or, arrayAccess, call, isNotNull } from '../../hogql/build.ts';
import { validate } from '../../http/validation.ts';
import { actionFilter, type Action } from '../actions/index.ts';
import {
  type PropertyLeaf,
  cohortLeafOf,
  filterTree,
  leafOf,
  type FilterGroup,
} from '../property-filters/index.ts';
import type { KindContext } from './query-kind.ts';
import type { PropertyKind } from '../../hogql/hogql-context.ts';
import { z } from 'zod';
import { LEAF_TYPES } from './node-schema.ts';
import { HogqlError } from '../../hogql/errors.ts';
import { rewrite, visit } from '../../hogql/rewrite.ts';
import { columnType, isVirtual } from '../../hogql/tables/table.ts';
import { TABLES } from '../../hogql/tables/tables.ts';

/**
 * The condition of property filters as queries name them (management contract 9.9): a list whose leaves must all hold, or
 * nested groups. Null for none. It supports more types than `compileFilter` of property-filters, with the same meaning. Throws
 * invalid_input for `properties`, and HogqlError for an expression.
 */
export async function filterExpr(properties: unknown, context: FilterContext): Promise<Expr | null> {
  if (properties === null || properties === undefined) return null;
  const schema = queryFilters(context.rows === 'events' ? 'event' : 'person');
  const filter = validate(schema, { properties }).properties;
  return isEmpty(filter) ? null : await nodeExpr(filter, context);
}

/** The same of filters that were read before, such as those of an action. */
async function nodeExpr(
  node: QueryFilter | PropertyLeaf | QueryOnlyLeaf,
  context: FilterContext,
): Promise<Expr> {
  if (!('values' in node)) return await leafExpr(node, context);
  const parts = node.values.filter((part) => !isEmpty(part));
  const conditions = await Promise.all(parts.map((part) => nodeExpr(part, context)));
  if (conditions.length === 0) return constant(true);
  return node.type === 'AND' ? and(...conditions) : or(...conditions);
}

function isEmpty(node: QueryFilter | PropertyLeaf | QueryOnlyLeaf): boolean {
  return 'values' in node ? node.values.every(isEmpty) : node.type === 'empty';
}

async function leafExpr(leaf: PropertyLeaf | QueryOnlyLeaf, context: FilterContext): Promise<Expr> {
  switch (leaf.type) {
    case 'hogql':
      return await context.parse.expression(leaf.key);
    case 'cohort':
    case 'static-cohort':
    case 'dynamic-cohort':
    case 'precalculated-cohort':
      return cohortExpr(leaf, context);
    case 'empty':
      return constant(true);
    case 'person':
      return compareOperand(personOperand(leaf.key, context), comparisonOf(leaf, context));
    case 'person_metadata':
      return compareOperand(personMetadataOperand(leaf.key, context), comparisonOf(leaf, context));
    default:
      if (context.rows === 'events') return await eventLeafExpr(leaf, context);
      throw refusal(`Filters of type ${leaf.type} are not supported here: use the type person.`);
  }
}

type Leaf<T extends string> = Extract<PropertyLeaf | QueryOnlyLeaf, { type: T }>;

async function eventLeafExpr(leaf: PropertyLeaf | QueryOnlyLeaf, context: FilterContext): Promise<Expr> {
  switch (leaf.type) {
    case 'action':
      return await actionExpr(await context.action(leaf.value), context);
    case 'flag':
      return flagExpr(leaf, context);
    case 'event':
      return compareOperand(eventOperand(leaf.key, context), comparisonOf(leaf, context));
    case 'feature': {
      const key = leaf.key.startsWith('$feature/') ? leaf.key : `$feature/${leaf.key}`;
      return compareOperand(
        propertyOperand('event', ['properties', key], context),
        comparisonOf(leaf, context),
      );
    }
    case 'event_name': {
      const names = valuesOf(leaf).map((value) => constant(String(value)));
      return or(...names.map((name) => compare('==', field(...context.path('event')), name)));
    }
    case 'element':
      return elementExpr(field(...context.path('elements_chain')), leaf.key, comparisonOf(leaf, context));
    case 'group':
      return compareOperand(
        groupOperand(leaf.key, leaf.group_type_index, context),
        comparisonOf(leaf, context),
      );
    case 'session':
      return compareOperand(sessionOperand(leaf.key, context), comparisonOf(leaf, context));
    case 'event_metadata':
      return compareOperand(metadataOperand(leaf.key, context), comparisonOf(leaf, context));
    default:
      throw refusal(`Filters of type ${leaf.type} are not supported here.`);
  }
}

/** PostHog's filters name the chain of elements as a property. */
function eventOperand(key: string, context: FilterContext): Operand {
  if (key === '$elements_chain') return metadataOperand('elements_chain', context);
  return propertyOperand('event', ['properties', key], context);
}

/** A property of the person; `distinct_id`, which is none, is that of the event, or any of the person. */
function personOperand(key: string, context: FilterContext) {
  const owner = context.rows === 'persons' ? [] : ['person'];
  if (key === 'distinct_id') {
    const path = context.rows === 'persons' ? context.path('pdi', key) : context.path(key);
    return columnOperand(field(...path), 'text');
  }
  return propertyOperand('person', [...owner, 'properties', key], context);
}

/** A column of the person; PostHog has one that can be filtered by. */
function personMetadataOperand(key: string, context: FilterContext): Operand {
  if (key !== 'created_at') throw refusal('Person metadata filters support the column created_at.');
  const path = context.rows === 'persons' ? context.path(key) : context.path('person', key);
  return columnOperand(field(...path), 'moment');
}

/** A property of the group in the event's `$group_N`; its key is the property `$group_key`. */
export function groupOperand(key: string, index: number, context: FilterContext): Operand {
  if (key === '$group_key') return metadataOperand(`$group_${index}`, context);
  return propertyOperand('group', [`group_${index}`, 'properties', key], context, index);
}

type CohortLeaf = Leaf<'cohort' | 'static-cohort' | 'dynamic-cohort' | 'precalculated-cohort'>;

/** Events without a person are in no cohort, so they match negative filters. */
function cohortExpr(leaf: CohortLeaf, context: FilterContext): Expr {
  if (context.cohort(leaf.value) === null) {
    throw refusal(`Cohort ${leaf.value} does not exist in this project.`);
  }
  const isNegative = (leaf.operator === 'not_in' || leaf.operator === 'is_not') !== (leaf.negation ?? false);
  const person = field(...context.path(context.rows === 'persons' ? 'id' : 'person_id'));
  return compare(isNegative ? 'not in cohort' : 'in cohort', person, constant(leaf.value));
}

/**
 * The condition of the events that an action means: one of its steps fits. False where no event does, because it is not
 * there or has no steps. Throws invalid_input when a step filters by what is not available.
 */
export async function actionExpr(
  action: Pick<Action, 'steps'> | null,
  context: FilterContext,
): Promise<Expr> {
  const read = (properties: unknown) => validate(queryFilters('event'), { properties }).properties;
  const filter = action === null ? null : actionFilter(action, read);
  if (filter === null) return constant(false);
  // A step without conditions fits every event, unlike an empty group of a query's filters, which adds no condition.
  return filter.values.some(isEmpty) ? constant(true) : await nodeExpr(filter, withoutActions(context));
}

/** One action that names another may name itself, and would have no end. */
function withoutActions(context: FilterContext): FilterContext {
  const refused = refusal('Action steps cannot reference other actions.');
  return {
    ...context,
    action: () => Promise.reject(refused),
    parse: {
      ...context.parse,
      expression: (text) => (mayNameActions(text) ? Promise.reject(refused) : context.parse.expression(text)),
    },
  };
}

function comparisonOf(
  leaf: { operator: Operator; value?: Scalar | Scalar[] | null | undefined },
  { now, timezone }: FilterContext,
): PropertyComparison {
  return { operator: leaf.operator, values: valuesOf(leaf), now, timezone };
}

function valuesOf({ value }: { value?: Scalar | Scalar[] | null | undefined }): readonly Scalar[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}

/** The context of compiling filters; a KindContext has all of it except the rows. */
export interface FilterContext extends Pick<
  KindContext,
  'now' | 'propertyType' | 'cohort' | 'action' | 'parse' | 'timezone' | 'pathCleaningFilters'
> {
  /** Which rows are filtered. */
  readonly rows: 'events' | 'persons';
  /** A name of the rows' table in the query, from the name of a column and what follows. */
  path(...chain: string[]): string[];
}

/** Filters over events, or persons, whose columns have their own names in the query, or an alias. */
export function filterContext(
  context: KindContext,
  { rows = 'events', alias }: { rows?: FilterContext['rows']; alias?: string } = {},
): FilterContext {
  return { ...context, rows, path: (...chain) => (alias === undefined ? chain : [alias, ...chain]) };
}

/** A property of an event, a person or a group by its place in the statement; of a session, a column. */
export function propertyOperand(
  owner: PropertyKind,
  chain: readonly string[],
  context: FilterContext,
  groupTypeIndex?: number,
): Operand {
  const name = chain.at(-1)!;
  if (isVirtual(name))
    return tableOperand(`${owner}s`, name, field(...context.path(...chain.slice(0, -2), name)));
  // A star is a name here.
  const value =
    name === '*'
      ? arrayAccess(field(...context.path(...chain.slice(0, -1))), constant(name))
      : field(...context.path(...chain));
  const type = context.propertyType(owner, name, groupTypeIndex);
  const isText = type === null || type === 'String';
  const operand = textOperand(isText ? value : call('propertyText', value));
  return type === 'Numeric' ? { ...operand, number: value } : operand;
}

/** A column that holds no JSON, such as the duration of a session. */
function columnOperand(column: Expr, type: 'text' | 'number' | 'moment'): Operand {
  if (type === 'text') return textOperand(column);
  const text = call('toString', column);
  if (type === 'number') return { ...textOperand(text), number: column };
  return { ...textOperand(text), micros: call('toUnixTimestamp64Micro', column) };
}

type ColumnType = Parameters<typeof columnOperand>[1];

/** Columns of events by which queries filter; $group_0 and its like are texts too. */
const METADATA: ReadonlyMap<string, ColumnType> = new Map([
  ['event', 'text'],
  ['distinct_id', 'text'],
  ['elements_chain', 'text'],
  ['$session_id', 'text'],
  ['$window_id', 'text'],
  ['$group_0', 'text'],
  ['$group_1', 'text'],
  ['$group_2', 'text'],
  ['$group_3', 'text'],
  ['$group_4', 'text'],
  // A UUID, which is compared as text.
  ['uuid', 'number'],
  ['person_id', 'number'],
  ['timestamp', 'moment'],
  ['created_at', 'moment'],
]);
/** A column of the event itself. Throws invalid_input for an unknown one. */
export function metadataOperand(key: string, context: Pick<FilterContext, 'path'>): Operand {
  const type = METADATA.get(key);
  if (type === undefined) {
    const known = [...METADATA.keys()].join(', ');
    throw fail('invalid_input', {
      attr: 'properties',
      detail: `Event metadata filters support the columns ${known}.`,
    });
  }
  // An event of no group, or of no session, has an empty text.
  const column = field(...context.path(key));
  const operand = columnOperand(key.startsWith('$') ? call('nullIf', column, constant('')) : column, type);
  return key === 'uuid' || key === 'person_id' ? { ...operand, number: operand.micros } : operand;
}

/** A property of the event's session; one that sessions do not have is an error of the query. */
export function sessionOperand(key: string, context: FilterContext): Operand {
  return tableOperand('sessions', key, field(...context.path('session', key)));
}

/** A column of a table, by its type; a truth is compared as a number where it is one, and as `true` or `false` else. */
function tableOperand(table: string, key: string, column: Expr): Operand {
  const type = columnType(TABLES.get(table)!, key);
  if (type === undefined || type.name === 'String') return columnOperand(column, 'text');
  if (type.name === 'DateTime') return columnOperand(column, 'moment');
  return type.name === 'Bool'
    ? { ...columnOperand(call('toBool', column), 'number'), number: column }
    : columnOperand(column, 'number');
}

/** The value of a flag when the event was sent; `true` is any value but false. */
function flagExpr({ key, value }: Extract<QueryOnlyLeaf, { type: 'flag' }>, context: FilterContext): Expr {
  const { text } = propertyOperand('event', ['properties', `$feature/${key}`], context);
  if (value === true) return and(isNotNull(text), compare('!=', text, constant('false')));
  return compare('==', text, constant(String(value)));
}

/** Newer types of cohort filters name the storage of the cohort, which makes no difference here. */
const COHORT_TYPES = ['static-cohort', 'dynamic-cohort', 'precalculated-cohort'] as const;
type CohortType = (typeof COHORT_TYPES)[number];

/** Leaves that queries take and lists of events do not (management contract 9.9). */
export type QueryOnlyLeaf =
  | {
      type: 'session' | 'event_metadata' | 'person_metadata';
      key: string;
      operator: Operator;
      value?: Scalar | Scalar[] | null | undefined;
    }
  | { type: CohortType; value: number; operator: 'in' | 'not_in' | 'exact' | 'is_not'; negation: boolean }
  /** An expression of HogQL. */
  | { type: 'hogql'; key: string }
  /** The value of a flag: true is any value but false, a string is a variant. */
  | { type: 'flag'; key: string; value: boolean | string }
  | { type: 'action'; value: number }
  /** A filter without content yet. */
  | { type: 'empty' };
export type QueryFilter = FilterGroup<QueryOnlyLeaf>;

const LEAVES = [
  leafOf('session'),
  leafOf('event_metadata'),
  leafOf('person_metadata'),
  z.object({ type: z.literal('hogql'), key: z.string().min(1) }),
  z.object({
    type: z.literal('flag'),
    key: z.string().min(1),
    operator: z.enum(['flag_evaluates_to', 'exact']).nullish(),
    value: z.union([z.boolean(), z.string()]),
  }),
  z.object({ type: z.literal('action'), value: z.coerce.number().pipe(z.int32().min(1)) }),
  z.object({ type: z.literal('empty') }),
  ...COHORT_TYPES.map((type) => cohortLeafOf(type)),
] as unknown as z.ZodType<QueryOnlyLeaf>[];

const TAKEN: ReadonlySet<string> = new Set([
  'event',
  'person',
  'element',
  'cohort',
  'group',
  'feature',
  'session',
  'event_metadata',
  'person_metadata',
  'hogql',
  'flag',
  'action',
  'empty',
  ...COHORT_TYPES,
]);
/** Filters of PostHog on what is not kept here, or that no query takes. */
const UNAVAILABLE = new Set(LEAF_TYPES.filter((type) => !TAKEN.has(type)));

const schemas = {
  event: z.object({ properties: filterTree('event', LEAVES, UNAVAILABLE) }),
  person: z.object({ properties: filterTree('person', LEAVES, UNAVAILABLE) }),
};

/** The schema of property filters of a query, in the field `properties`; leaves without a type are of `defaultType`. */
export function queryFilters(defaultType: 'event' | 'person') {
  return schemas[defaultType];
}

/** What an action means of events, by its id or its name; null when the project has no such action. */
export type ActionCondition = (idOrName: number | string) => Promise<Expr | null>;

/** Whether a text may call `matchesAction`. */
export function mayNameActions(text: string): boolean {
  return /matchesaction/i.test(text);
}

/** Replaces each `matchesAction(…)` in a tree by the condition of the action. Throws HogqlError. */
export async function withActionConditions<Part extends Query | Expr>(
  tree: Part,
  conditionOf: ActionCondition,
): Promise<Part> {
  const calls: Call[] = [];
  visit(tree, (node) => {
    if (isActionCall(node)) calls.push(node);
  });
  const conditions = new Map(
    await Promise.all(
      calls.map(async (node): Promise<[Call, Expr]> => [node, await condition(node, conditionOf)]),
    ),
  );
  return rewrite(tree, (node) => (isActionCall(node) ? conditions.get(node)! : node));
}

function isActionCall(node: Node): node is Call {
  return node.node === 'Call' && node.name.toLowerCase() === 'matchesaction' && node.args.length === 1;
}

async function condition(node: Call, conditionOf: ActionCondition): Promise<Expr> {
  const [argument] = node.args;
  const value = argument!.node === 'Constant' ? argument!.value : null;
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new HogqlError('The id or name of an action must be a constant.', argument);
  }
  const found = await conditionOf(value);
  if (found === null)
    throw new HogqlError(`Action ${JSON.stringify(value)} does not exist in this project.`, argument);
  return found;
}
