import { fail } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { resolveDates, type DateSpan } from '../../dates/date-span.ts';
import { firstEventOf } from '../../dates/first-event.ts';
import { filterContext, type FilterContext } from '../../filters/filter-context.ts';
import type { KindContext } from '../../query-kind.ts';
import { scopeConditions } from '../../series/query-scope.ts';
import { actorOf, type Actor } from '../actor.ts';
import type { PathsQuery } from '../insight-kinds.contract.ts';
import { pathItem, withoutSlashText, type PathItem } from './path-item.ts';

/** A PathsQuery, read. */
export interface PathsPlan {
  readonly query: PathsQuery;
  readonly filter: NonNullable<PathsQuery['pathsFilter']>;
  readonly actor: Actor;
  readonly item: PathItem;
  readonly scope: readonly Expr[];
  readonly span: DateSpan;
  readonly filters: FilterContext;
  /** Where paths begin and end; null: anywhere. */
  readonly start: string | null;
  readonly end: string | null;
  /** Items of a path at most. */
  readonly stepLimit: number;
  readonly edgeLimit: number;
}

const DEFAULT_STEPS = 5;
const MOST_STEPS = 50;
const DEFAULT_EDGES = 50;
const MOST_EDGES = 10_000;

/** Reads a query: its dates, conditions and the names of its items. Throws invalid_input, HogqlError. */
export async function planPaths(query: PathsQuery, context: KindContext): Promise<PathsPlan> {
  const filters = filterContext(context);
  const filter = query.pathsFilter ?? {};
  const stepLimit = filter.stepLimit ?? DEFAULT_STEPS;
  const edgeLimit = filter.edgeLimit ?? DEFAULT_EDGES;
  if (stepLimit < 2 || stepLimit > MOST_STEPS) {
    throw fail('invalid_input', { detail: `stepLimit must be 2 to ${MOST_STEPS}.` });
  }
  const [firstEvent, scope, item] = await Promise.all([
    firstEventOf(query.dateRange, context),
    scopeConditions(query, context, filters),
    pathItem(filter, filters, context.pathCleaningFilters),
  ]);
  const { now, weekStartDay: weekStart } = context;
  const actor = actorOf(query.aggregation_group_type_index, filters);
  return {
    query,
    filter,
    actor,
    item,
    scope: [...scope, ...actor.isKnown],
    span: resolveDates(query.dateRange, { zone: timeZone(context.timezone), weekStart, now, firstEvent }),
    filters,
    start: filter.startPoint ? withoutSlashText(filter.startPoint) : null,
    end: filter.endPoint ? withoutSlashText(filter.endPoint) : null,
    stepLimit,
    edgeLimit: Math.min(edgeLimit, MOST_EDGES),
  };
}
