import { fail, type ApiError } from '../../../../errors.ts';
import type { Expr, JoinExpr } from '../../../../hogql/ast.ts';
import {
  alias,
  arithmetic,
  call,
  compare,
  constant,
  field,
  from,
  join,
  select,
} from '../../../../hogql/build.ts';
import { safeParseExactly } from '../../../../http/exact-values.ts';
import { problemOf } from '../../query-errors.ts';
import type { KindContext } from '../../query-kind.ts';
import { attemptsOf } from '../funnels/attempts.ts';
import { stepsReached } from '../funnels/actors.ts';
import { ACTOR, planFunnel, timeName, type FunnelPlan } from '../funnels/plan.ts';
import { funnelsQuery } from '../funnels/schema.ts';
import { bestAttempts, lastTime } from '../funnels/to-hogql.ts';
import type { PathsQuery } from './schema.ts';

/** The part of time, around a step of a funnel, whose events are on paths. */
export interface AroundStep {
  readonly funnel: FunnelPlan;
  /** Counted from 1; negative: not taken after the step before it. */
  readonly step: number;
  readonly part: NonNullable<PathsQuery['funnelPathsFilter']>['funnelPathType'];
}

const SOURCE = 'funnelPathsFilter.funnelSource';

/** Reads `funnelPathsFilter`; null: paths are of any time. Throws invalid_input, HogqlError. */
export async function readAroundStep(
  { funnelPathsFilter: filter }: PathsQuery,
  context: KindContext,
): Promise<AroundStep | null> {
  if (filter === null || filter === undefined) return null;
  const source = filter.funnelSource as Readonly<{ kind: string }>;
  if (source.kind !== 'FunnelsQuery') throw refusal(`${SOURCE} must be a FunnelsQuery.`);
  const read = safeParseExactly(funnelsQuery, source);
  if (!read.success) throw refusal(`${SOURCE} is invalid. ${problemOf(read.error.issues)}`);
  const query = read.data;
  // Only who took which step when is of interest.
  const funnelsFilter = { ...query.funnelsFilter, funnelVizType: 'steps' as const };
  const funnel = await planFunnel({ ...query, funnelsFilter, breakdownFilter: null }, context);
  const step = filter.funnelStep ?? 1;
  const part = filter.funnelPathType;
  if (part === 'funnel_path_between_steps' && lastTaken(step) === 0) {
    throw refusal('No step comes before the first: funnelStep must be a later one.');
  }
  return { funnel, step, part };
}

/** The step, counted from 0, that was taken last. */
function lastTaken(step: number): number {
  return step < 0 ? -step - 2 : step - 1;
}

const ALIAS = 'around';
const WHO = 'funnel_actor';
const STEP_AT = 'step_at';
const BEFORE_AT = 'before_at';

/** Events of those who reached the step, and the condition that they are in the part of time. */
export function eventsAround(
  events: JoinExpr,
  { funnel, step, part }: AroundStep,
): { source: JoinExpr; where: Expr[] } {
  const at = lastTaken(step);
  const isBetween = part === 'funnel_path_between_steps';
  const reached = select({
    select: [
      alias(field(ACTOR), WHO),
      alias(step < 0 ? lastTime(at, funnel) : field(timeName(at)), STEP_AT),
      ...(isBetween ? [alias(lastTime(at - 1, funnel), BEFORE_AT)] : []),
    ],
    from: from(bestAttempts(attemptsOf(funnel), funnel).query),
    where: stepsReached(funnel, { funnelStep: step, funnelCustomSteps: null }),
  });
  const source = join(
    events,
    'INNER JOIN',
    from(reached, ALIAS),
    compare('==', funnel.actor.id, field(ALIAS, WHO)),
  );
  const time = call('toUnixTimestamp64Micro', field('timestamp'));
  const stepAt = field(ALIAS, STEP_AT);
  if (part === 'funnel_path_after_step') {
    // Who did not take the step had until the end of the window.
    const since = step < 0 ? arithmetic('+', stepAt, constant(funnel.window)) : stepAt;
    return { source, where: [compare('>=', time, since)] };
  }
  const since = isBetween ? [compare('>=', time, field(ALIAS, BEFORE_AT))] : [];
  return { source, where: [...since, compare('<=', time, stepAt)] };
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { detail });
}
