import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { readBreakdown, type Breakdown } from '../../breakdowns/breakdown.ts';
import { filterContext, type FilterContext } from '../../filters/filter-context.ts';
import { propertyOperand } from '../../filters/operand.ts';
import { filterExpr } from '../../filters/property-filter.ts';
import type { KindContext } from '../../query-kind.ts';
import { scopeConditions } from '../../series/query-scope.ts';
import { entityCondition } from '../../series/series-condition.ts';
import { actorOf, type Actor } from '../actor.ts';
import type { RetentionQuery } from '../insight-kinds.contract.ts';
import { retentionDates, type RetentionDates } from './retention-dates.ts';

type Entity = NonNullable<RetentionQuery['retentionFilter']['targetEntity']>;

/** Start or return events. */
export interface Occurrence {
  /** The event or action alone; null: any event. */
  readonly entity: Expr | null;
  /** What else is demanded of it. */
  readonly filters: readonly Expr[];
}

/** A RetentionQuery, read. */
export interface RetentionPlan {
  readonly dates: RetentionDates;
  readonly target: Occurrence;
  readonly returning: Occurrence;
  /** Start and return events are the same. */
  readonly isSame: boolean;
  /** Conditions of the whole query. */
  readonly scope: readonly Expr[];
  readonly actor: Actor;
  readonly breakdown: Breakdown | null;
  /**
   * `each`: actors start in every interval; otherwise with their first matching event, or their first event if it
   * matches.
   */
  readonly beginning: 'each' | 'first fitting' | 'first of all';
  /** Events that an interval needs to count. */
  readonly minimum: number;
  /** Cumulative: actors that return later also count in earlier intervals. */
  readonly isCumulative: boolean;
  /** The number whose sum or mean stands beside each count; null: none. */
  readonly aggregated: { readonly type: 'sum' | 'avg'; readonly number: Expr } | null;
}

const DEFAULT_ENTITY: Entity = { id: '$pageview', type: 'events' };

/** Reads a query: its dates, conditions and breakdown. Throws invalid_input, HogqlError. */
export async function planRetention(query: RetentionQuery, context: KindContext): Promise<RetentionPlan> {
  const filters = filterContext(context);
  const { retentionFilter: filter } = query;
  const [dates, scope, target, returning, breakdown] = await Promise.all([
    retentionDates(query, context),
    scopeConditions(query, context, filters),
    occurrence(filter.targetEntity, 'targetEntity', filters),
    occurrence(filter.returningEntity, 'returningEntity', filters),
    readBreakdown(query.breakdownFilter, filters),
  ]);
  return {
    dates,
    target,
    returning,
    isSame: isDeepStrictEqual(target, returning),
    scope,
    actor: actorOf(query.aggregation_group_type_index, filters),
    breakdown: withoutBins(breakdown),
    beginning: beginningOf(filter.retentionType),
    minimum: filter.minimumOccurrences ?? 1,
    isCumulative: filter.cumulative ?? false,
    aggregated: aggregatedOf(query, filters),
  };
}

function beginningOf(type: RetentionQuery['retentionFilter']['retentionType']): RetentionPlan['beginning'] {
  if (type === 'retention_first_time') return 'first fitting';
  return type === 'retention_first_ever_occurrence' ? 'first of all' : 'each';
}

async function occurrence(
  sent: Entity | null | undefined,
  field: string,
  context: FilterContext,
): Promise<Occurrence> {
  const entity = sent ?? DEFAULT_ENTITY;
  const [condition, filters] = await Promise.all([
    entityCondition(nodeOf(entity, field), context),
    filterExpr(entity.properties, context),
  ]);
  return { entity: condition, filters: filters === null ? [] : [filters] };
}

function nodeOf({ id, type, kind }: Entity, field: string) {
  if (type === 'new_entity' || type === 'data_warehouse') {
    throw fail('invalid_input', {
      detail: `${field} must be an event or an action, with the type events or actions.`,
    });
  }
  const isAction = kind === 'ActionsNode' || type === 'actions';
  if (!isAction)
    return { kind: 'EventsNode' as const, event: id === null || id === undefined ? null : String(id) };
  if (!Number.isSafeInteger(Number(id)) || id === '') {
    throw fail('invalid_input', { detail: `${field} must reference an action by its id, a whole number.` });
  }
  return { kind: 'ActionsNode' as const, id: Number(id) };
}

function withoutBins(breakdown: Breakdown | null): Breakdown | null {
  if (breakdown?.kind === 'values' && breakdown.dimensions.some(({ bins }) => bins !== null)) {
    throw fail('invalid_input', { detail: 'Retention does not support histogram breakdowns.' });
  }
  return breakdown;
}

function aggregatedOf({ retentionFilter: filter }: RetentionQuery, context: FilterContext) {
  const { aggregationType: type, aggregationProperty: name, aggregationPropertyType: owner } = filter;
  if (type !== 'sum' && type !== 'avg') return null;
  if (!name) throw fail('invalid_input', { detail: `aggregationType ${type} requires aggregationProperty.` });
  const { number } =
    owner === 'person'
      ? propertyOperand('person', ['person', 'properties', name], context)
      : propertyOperand('event', ['properties', name], context);
  return { type, number };
}
