import { z } from 'zod';
import { fail, type ApiError } from '../../../../errors.ts';
import type { Expr, JoinExpr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  array,
  call,
  compare,
  constant,
  field,
  from,
  isNotNull,
  isNull,
  join,
  select,
  tuple,
  tupleAccess,
} from '../../../../hogql/build.ts';
import { validate } from '../../../../http/validation.ts';
import { filterContext, filterExpr, type FilterContext } from '../../filters.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import type { ActorsSelect, KindContext } from '../../query-kind.ts';
import { actorOf, between, seriesConditions } from '../../series.ts';
import { attemptsOf } from '../funnels/attempts.ts';
import { checkListed, listed, stepsReached } from '../funnels/actors.ts';
import { ACTOR, eventNamesOf, fields, planFunnel, timeName, type FunnelPlan } from '../funnels/plan.ts';
import { funnelsPoint, funnelsQuery } from '../funnels/schema.ts';
import { bestAttempts } from '../funnels/to-hogql.ts';
import type { correlationPoint, CorrelationQuery } from './schema.ts';

/** A FunnelCorrelationQuery, read. */
export interface CorrelationPlan {
  readonly query: CorrelationQuery;
  readonly funnel: FunnelPlan;
  /** The step that persons took. */
  readonly point: z.output<typeof sourcePoint>;
  /** Events of the joined table, by its alias. */
  readonly filters: FilterContext;
}

type FunnelsActors = Readonly<{ kind: string; source?: unknown }>;

const { funnelStep, funnelCustomSteps } = funnelsPoint;
const sourcePoint = z.looseObject({ funnelStep, funnelCustomSteps });

/** Reads a query with its funnel, without a breakdown. Throws invalid_input, HogqlError. */
export async function planCorrelation(
  query: CorrelationQuery,
  context: KindContext,
): Promise<CorrelationPlan> {
  const source = query.source as FunnelsActors;
  if (source.kind !== 'FunnelsActorsQuery') throw refusal('A correlation requires a FunnelsActorsQuery.');
  const funnelQuery = validate(funnelsQuery, source.source);
  const funnel = await planFunnel({ ...funnelQuery, breakdownFilter: null }, context);
  const missing = missingNames(query);
  if (missing !== null) throw refusal(`A correlation of ${query.funnelCorrelationType} requires ${missing}.`);
  const point = validate(sourcePoint, source);
  return { query, funnel, point, filters: filterContext(context, { alias: EVENT }) };
}

function missingNames(query: CorrelationQuery): string | null {
  const isEmpty = (list: readonly string[] | null | undefined): boolean => (list ?? []).length === 0;
  switch (query.funnelCorrelationType) {
    case 'properties':
      return isEmpty(query.funnelCorrelationNames) ? 'funnelCorrelationNames' : null;
    case 'event_with_properties':
      return isEmpty(query.funnelCorrelationEventNames) ? 'funnelCorrelationEventNames' : null;
    default:
      return null;
  }
}

const EVENT = 'e';
const WHO = 'a';
const OWNER = 'p';
const BEGAN = 'began';
const ENDED = 'ended';
const NAME = 'name';
const PROPERTY = 'property';
/** Between the type of an autocaptured event and its elements. */
export const ELEMENTS_DIVIDER = '__~~__';
const AUTOCAPTURE = '$autocapture';
/** Values of event properties that fewer persons have are left out. */
const MIN_PERSONS_OF_VALUE = 3;

/** Those who took the step: when they began, and when they took the last step, NULL for those who did not. */
function actors({ funnel, point }: CorrelationPlan): SelectQuery {
  const last = funnel.steps.length - 1;
  const best = bestAttempts(attemptsOf(funnel), funnel);
  return select({
    select: [field(ACTOR), alias(field(timeName(0)), BEGAN), alias(field(timeName(last)), ENDED)],
    from: from(best.query),
    where: stepsReached(funnel, point),
  });
}

function counted(conversion: Expr): Expr {
  return call('uniqIf', field(ACTOR), conversion);
}

const SUCCESSES = alias(counted(isNotNull(field(ENDED))), 'successes');
const FAILURES = alias(counted(isNull(field(ENDED))), 'failures');

/** How many converted, and how many did not. */
export function totals(plan: CorrelationPlan): SelectQuery {
  return select({ select: [SUCCESSES, FAILURES], from: from(actors(plan)) });
}

/** The same of those with each event or value. */
export function correlations(plan: CorrelationPlan): SelectQuery {
  const { query } = plan;
  switch (query.funnelCorrelationType) {
    case 'properties':
      return byProperty(withOwnProperties(plan), [PROPERTY], query.funnelCorrelationExcludeNames ?? []);
    case 'event_with_properties':
      return byProperty(
        withEventProperties(plan),
        [NAME, PROPERTY],
        query.funnelCorrelationEventExcludePropertyNames ?? [],
        compare('>=', arithmetic('+', field('successes'), field('failures')), constant(MIN_PERSONS_OF_VALUE)),
      );
    default:
      return byEvent(plan);
  }
}

function notIn(value: Expr, names: readonly string[]): Expr[] {
  return names.length === 0 ? [] : [compare('not in', value, tuple(...names.map((name) => constant(name))))];
}

function byEvent(plan: CorrelationPlan): SelectQuery {
  const { source, where } = eventsBetween(plan);
  const event = field(...plan.filters.path('event'));
  const rows = select({
    select: [alias(event, NAME), alias(field(WHO, ACTOR), ACTOR), alias(field(WHO, ENDED), ENDED)],
    from: source,
    where: and(...where, ...notIn(event, plan.query.funnelCorrelationExcludeEventNames ?? [])),
  });
  return select({ select: [field(NAME), SUCCESSES, FAILURES], from: from(rows), groupBy: [field(NAME)] });
}

/** Of rows with a pair of a property and its value; each is called by its names, one after the other. */
function byProperty(
  rows: SelectQuery,
  keys: readonly string[],
  excluded: readonly string[],
  ...having: readonly Expr[]
): SelectQuery {
  const [key, value] = [tupleAccess(field(PROPERTY), 1), tupleAccess(field(PROPERTY), 2)];
  const named = select({
    select: [
      field(ACTOR),
      field(ENDED),
      alias(key, 'key'),
      alias(
        call(
          'concat',
          ...(keys.includes(NAME) ? [field(NAME), constant('::')] : []),
          key,
          constant('::'),
          value,
        ),
        'shown',
      ),
    ],
    from: from(rows),
  });
  const counts = select({
    select: [field('shown'), SUCCESSES, FAILURES],
    from: from(named),
    where: and(...notIn(field('key'), excluded)),
    groupBy: [field('shown')],
  });
  return select({
    select: fields(['shown', 'successes', 'failures']),
    from: from(counts),
    where: and(...having),
  });
}

function withOwnProperties(plan: CorrelationPlan): SelectQuery {
  const names = plan.query.funnelCorrelationNames ?? [];
  const properties = field(OWNER, 'properties');
  const pairs = names.includes('$all')
    ? call('JSONExtractKeysAndValues', properties, constant('String'))
    : array(
        ...names.map((name) => tuple(constant(name), call('JSONExtractString', properties, constant(name)))),
      );
  return select({
    select: [
      alias(field(WHO, ACTOR), ACTOR),
      alias(field(WHO, ENDED), ENDED),
      alias(call('arrayJoin', pairs), PROPERTY),
    ],
    from: withOwner(plan),
  });
}

function withOwner(plan: CorrelationPlan): JoinExpr {
  const { groupTypeIndex } = plan.funnel.actor;
  const left = from(actors(plan), WHO);
  if (groupTypeIndex === null) {
    return join(
      left,
      'INNER JOIN',
      from('persons', OWNER),
      // What an expression says is the id of no person.
      compare('==', call('toString', field(OWNER, 'id')), call('toString', field(WHO, ACTOR))),
    );
  }
  const groups = select({
    select: fields(['key', 'properties']),
    from: from('groups'),
    where: compare('==', field('index'), constant(groupTypeIndex)),
  });
  return join(left, 'INNER JOIN', from(groups, OWNER), compare('==', field(OWNER, 'key'), field(WHO, ACTOR)));
}

function withEventProperties(plan: CorrelationPlan): SelectQuery {
  const names = plan.query.funnelCorrelationEventNames ?? [];
  const { source, where } = eventsBetween(plan);
  const { path } = plan.filters;
  const event = field(...path('event'));
  const type = call('coalesce', field(...path('properties', '$event_type')), constant(''));
  const elements = call('concat', type, constant(ELEMENTS_DIVIDER), field(...path('elements_chain')));
  const property = names.includes(AUTOCAPTURE)
    ? tuple(constant('elements_chain'), elements)
    : call('arrayJoin', call('JSONExtractKeysAndValues', field(...path('properties')), constant('String')));
  return select({
    select: [
      alias(event, NAME),
      alias(field(WHO, ACTOR), ACTOR),
      alias(field(WHO, ENDED), ENDED),
      alias(property, PROPERTY),
    ],
    from: source,
    where: and(...where, compare('in', event, tuple(...names.map((name) => constant(name))))),
  });
}

/** Events of those who took the step, between the first step and the last or the end of the window, but for those of the steps. */
function eventsBetween(plan: CorrelationPlan): { source: JoinExpr; where: Expr[] } {
  const { funnel, filters } = plan;
  const timestamp = field(...filters.path('timestamp'));
  const at = call('toUnixTimestamp64Micro', timestamp);
  const end = arithmetic('+', field(WHO, BEGAN), constant(funnel.window));
  const actor = funnel.actor.isExpression ? funnel.actor : actorOf(funnel.actor.groupTypeIndex, filters);
  return {
    source: join(
      from('events', EVENT),
      'INNER JOIN',
      from(actors(plan), WHO),
      compare('==', actor.id, field(WHO, ACTOR)),
    ),
    where: [
      between(timestamp, funnel.span),
      compare('>', at, field(WHO, BEGAN)),
      compare('<', at, call('coalesce', field(WHO, ENDED), end)),
      ...notIn(field(...filters.path('event')), eventNamesOf(funnel)),
    ],
  };
}

type CorrelationPoint = ActorsPoint<typeof correlationPoint>;

/** Those behind a number: with an event, or with values of properties, who converted or did not. Throws invalid_input. */
export async function correlationActors(
  plan: CorrelationPlan,
  point: CorrelationPoint,
  context: KindContext,
): Promise<ActorsSelect> {
  checkListed(plan.funnel);
  const isConverted = point.funnelCorrelationPersonConverted ?? null;
  const ended = plan.query.funnelCorrelationType === 'properties' ? field(ENDED) : field(WHO, ENDED);
  const conversion = isConverted === null ? [] : [isConverted ? isNotNull(ended) : isNull(ended)];
  if (plan.query.funnelCorrelationType === 'properties') {
    const values = point.funnelCorrelationPropertyValues ?? [];
    if (values.length === 0) throw refusal('This correlation requires funnelCorrelationPropertyValues.');
    const condition = await filterExpr(values, filterContext(context));
    const scope = [...plan.funnel.scope, ...(condition === null ? [] : [condition])];
    const found = select({
      select: [alias(field(ACTOR), 'actor_id')],
      from: from(actors({ ...plan, funnel: { ...plan.funnel, scope } })),
      where: and(...conversion),
    });
    return listed(found, plan.funnel);
  }
  const entity = point.funnelCorrelationPersonEntity;
  if (entity === null || entity === undefined) {
    throw refusal('This correlation requires funnelCorrelationPersonEntity.');
  }
  const { source, where } = eventsBetween(plan);
  const conditions = await seriesConditions(entity, plan.filters);
  const found = select({
    select: [alias(field(WHO, ACTOR), 'actor_id')],
    from: source,
    where: and(...where, ...conditions, ...conversion),
    groupBy: [field('actor_id')],
  });
  return listed(found, plan.funnel);
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { detail });
}
