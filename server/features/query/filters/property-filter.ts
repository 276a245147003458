import { elementExpr } from '../../../conditions/elements.ts';
import type { Operator, Scalar } from '../../../conditions/operators.contract.ts';
import { compareOperand, type PropertyComparison } from '../../../conditions/to-hogql.ts';
import { fail, type ApiError } from '../../../errors.ts';
import type { Expr } from '../../../hogql/ast.ts';
import { and, compare, constant, field, or } from '../../../hogql/build.ts';
import { validate } from '../../../http/validation.ts';
import { actionFilter, type Action } from '../../actions/index.ts';
import type { PropertyLeaf } from '../../property-filters/index.ts';
import { mayNameActions } from '../action-calls.ts';
import type { FilterContext } from './filter-context.ts';
import { flagExpr, metadataOperand, sessionOperand } from './further-leaves.ts';
import { propertyOperand } from './operand.ts';
import { queryFilters, type QueryFilter, type QueryOnlyLeaf } from './query-filter.ts';

/**
 * The condition of property filters as queries name them (management contract 9.9): a list whose leaves must all hold, or
 * nested groups. Null when they ask for nothing. It has more types than `compileFilter` of property-filters, and the same meaning. Throws invalid_input for `properties`, and HogqlError for an expression.
 */
export async function filterExpr(properties: unknown, context: FilterContext): Promise<Expr | null> {
  if (properties === null || properties === undefined) return null;
  const schema = queryFilters(context.rows === 'events' ? 'event' : 'person');
  const filter = validate(schema, { properties }).properties;
  return isEmpty(filter) ? null : await nodeExpr(filter, context);
}

/** The same of filters that were read before, such as those of an action. */
export async function nodeExpr(
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
      return compareOperand(
        propertyOperand('event', ['properties', leaf.key], context),
        comparisonOf(leaf, context),
      );
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
      return compareOperand(groupOperand(leaf, context), comparisonOf(leaf, context));
    case 'session':
      return compareOperand(sessionOperand(leaf.key, context), comparisonOf(leaf, context));
    case 'event_metadata':
      return compareOperand(metadataOperand(leaf.key, context), comparisonOf(leaf, context));
    default:
      throw refusal(`Filters of type ${leaf.type} are not supported here.`);
  }
}

function personOperand(key: string, context: FilterContext) {
  const owner = context.rows === 'persons' ? [] : ['person'];
  return propertyOperand('person', [...owner, 'properties', key], context);
}

/** The group of the event's `$group_N`; its key is known as the property `$group_key`. */
function groupOperand({ key, group_type_index: index }: Leaf<'group'>, context: FilterContext) {
  if (key === '$group_key') return metadataOperand(`$group_${index}`, context);
  return propertyOperand('group', [`group_${index}`, 'properties', key], context, index);
}

type CohortLeaf = Leaf<'cohort' | 'static-cohort' | 'dynamic-cohort' | 'precalculated-cohort'>;

/** Who is in no cohort, as events without a person, passes what says not. */
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
  return filter === null ? constant(false) : await nodeExpr(filter, withoutActions(context));
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
  { now }: FilterContext,
): PropertyComparison {
  return { operator: leaf.operator, values: valuesOf(leaf), now };
}

function valuesOf({ value }: { value?: Scalar | Scalar[] | null | undefined }): readonly Scalar[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}
