import { fail } from '../../../errors.ts';
import type { Expr } from '../../../hogql/ast.ts';
import { arithmetic, call, constant, field, parametric } from '../../../hogql/build.ts';
import type { FilterContext } from '../filters/filter-context.ts';
import { sessionOperand } from '../filters/further-leaves.ts';
import { propertyOperand } from '../filters/operand.ts';
import { PROPERTY_MATHS, type SeriesNode } from '../kinds/series.contract.ts';

/**
 * How the events of a series become a number: at once, or in two steps, of which the first groups them by breakdown and
 * interval, so that values can be ranked and those beyond the limit be brought together without reading events twice.
 */
export interface SeriesMath {
  /** The number, of those events of which the condition holds; of all without one. */
  direct(condition: Expr | null): Expr;
  /** What else the first step groups by, such as the person. None and no `isRaw`: breakdown and interval alone. */
  readonly keys: readonly Expr[];
  /** What the first step computes of each group, or (`isRaw`) takes of each event. */
  readonly parts: readonly Expr[];
  readonly isRaw: boolean;
  /** The number of several groups, from their keys and parts. */
  combine(keys: readonly Expr[], parts: readonly Expr[]): Expr;
  /** It cannot be taken apart: `direct` alone computes it. */
  readonly isTotal?: true;
  /** How the values of a breakdown are ranked, from the groups of each. */
  rank(keys: readonly Expr[], parts: readonly Expr[]): Expr;
  /** An aggregate of the numbers that `combine` gives for each actor or session; absent where there is no such second step. */
  readonly perActor?: (count: Expr) => Expr;
  /** Each key counts once for each value that is shown: in the first interval in which it is there. */
  readonly isOnce?: true;
  /** What it counts the different ones of. */
  readonly unique?: Expr;
  /** Whether the number grows with how many events there are, so that one of a sample stands for more. */
  readonly isCount: boolean;
}

const QUANTILES: Readonly<Record<string, number>> = {
  median: 0.5,
  p75: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
};
const PER_ACTOR = '_count_per_actor';

/** The math of a series whose events count as they come (management contract 9.9). Throws invalid_input, HogqlError. */
export async function seriesMath(node: SeriesNode, context: FilterContext): Promise<SeriesMath> {
  const math = node.math ?? 'total';
  const missing = missingOfMath(node);
  if (missing !== null) throw fail('invalid_input', { detail: `The math ${math} requires ${missing}.` });
  switch (math) {
    case 'total':
    case 'first_time_for_user':
    case 'first_time_for_user_with_filters':
    case 'first_matching_event_for_user':
      return total();
    case 'dau':
    case 'weekly_active':
    case 'monthly_active':
      return unique(field(...context.path('person_id')));
    case 'unique_session':
      return unique(call('nullIf', field(...context.path('$session_id')), constant('')));
    case 'unique_group':
      return unique(groupKey(node, context));
    case 'hogql':
      return expression(await context.parse.expression(node.math_hogql!));
    default:
  }
  if (math.endsWith(PER_ACTOR)) {
    return countPerActor(math.slice(0, -PER_ACTOR.length), field(...context.path('person_id')));
  }
  if (isOfSession(node)) {
    return perSession(math, mathProperty(node, context), field(...context.path('$session_id')));
  }
  return ofProperty(math, mathProperty(node, context));
}

/** The field without which the math of a series cannot be computed; null: none is missing. */
export function missingOfMath(
  series: Partial<Pick<SeriesNode, 'math' | 'math_property' | 'math_hogql' | 'math_group_type_index'>>,
): string | null {
  const { math, math_property: property, math_hogql: text, math_group_type_index: index } = series;
  if (math === 'unique_group') return (index ?? null) === null ? 'math_group_type_index' : null;
  if (math === 'hogql') return text ? null : 'math_hogql';
  const isOfProperty = (PROPERTY_MATHS as readonly unknown[]).includes(math);
  return isOfProperty && !property ? 'math_property' : null;
}

/** How many rows there are. */
export function total(): SeriesMath {
  return {
    direct: (condition) => (condition === null ? call('count') : call('countIf', condition)),
    keys: [],
    parts: [call('count')],
    isRaw: false,
    combine: (_, [count]) => call('sum', count!),
    rank: (_, [count]) => call('sum', count!),
    isCount: true,
  };
}

/** How many different ones there are; those without do not count. */
function unique(key: Expr): SeriesMath {
  return {
    direct: (condition) => (condition === null ? call('uniq', key) : call('uniqIf', key, condition)),
    keys: [key],
    parts: [],
    isRaw: false,
    combine: ([one]) => call('uniq', one!),
    rank: ([one]) => call('count', one!),
    unique: key,
    isCount: true,
  };
}

function ofProperty(math: string, value: Expr): SeriesMath {
  if (math === 'avg') return average(value);
  const quantile = QUANTILES[math];
  const aggregate = (x: Expr, condition: Expr | null): Expr => {
    const name = quantile === undefined ? math : 'quantile';
    const args = condition === null ? [x] : [x, condition];
    const suffixed = condition === null ? name : `${name}If`;
    return quantile === undefined
      ? call(suffixed, ...args)
      : parametric(suffixed, [constant(quantile)], ...args);
  };
  const isRaw = quantile !== undefined;
  return {
    direct: (condition) => aggregate(value, condition),
    keys: [],
    parts: [isRaw ? value : aggregate(value, null)],
    isRaw,
    combine: (_, [part]) => aggregate(part!, null),
    rank: (_, [part]) => aggregate(part!, null),
    isCount: math === 'sum',
  };
}

function average(value: Expr): SeriesMath {
  const combine = (_: readonly Expr[], [sum, count]: readonly Expr[]): Expr =>
    arithmetic('/', call('sum', sum!), call('nullIf', call('sum', count!), constant(0)));
  return {
    direct: (condition) => (condition === null ? call('avg', value) : call('avgIf', value, condition)),
    keys: [],
    parts: [call('sum', value), call('count', value)],
    isRaw: false,
    combine,
    rank: combine,
    isCount: false,
  };
}

/** An aggregate of the event counts per actor, over actors with at least one event. */
function countPerActor(math: string, actor: Expr): SeriesMath {
  return {
    ...total(),
    keys: [actor],
    perActor: (count) => ofProperty(math, count).direct(null),
    isCount: false,
  };
}

/** A session counts once in an interval, however many of its events are looked at. */
function perSession(math: string, value: Expr, session: Expr): SeriesMath {
  const ofSessions = (one: Expr): Expr => ofProperty(math, one).direct(null);
  return {
    direct: (condition) => ofProperty(math, value).direct(condition),
    keys: [session],
    parts: [call('max', value)],
    isRaw: false,
    combine: (_, [part]) => call('max', part!),
    rank: (_, [part]) => ofSessions(part!),
    perActor: ofSessions,
    isCount: math === 'sum',
  };
}

/** An aggregate of HogQL cannot be taken apart: it is computed of events alone. */
function expression(aggregate: Expr): SeriesMath {
  return {
    direct: () => aggregate,
    keys: [],
    parts: [],
    isRaw: true,
    isTotal: true,
    combine: () => aggregate,
    rank: () => aggregate,
    isCount: false,
  };
}

function groupKey({ math_group_type_index: index }: SeriesNode, context: FilterContext): Expr {
  return call('nullIf', field(...context.path(`$group_${index}`)), constant(''));
}

/** The property as a number: of the event, unless `math_property_type` names another owner; or the length of the session. */
function mathProperty(node: SeriesNode, context: FilterContext): Expr {
  const name = node.math_property!;
  if (isOfSession(node)) return sessionOperand(name, context).number;
  if (node.math_property_type === 'person_properties') {
    return propertyOperand('person', ['person', 'properties', name], context).number;
  }
  return propertyOperand('event', ['properties', name], context).number;
}

function isOfSession({ math_property: name, math_property_type: type }: SeriesNode): boolean {
  return type === 'session_properties' || name === '$session_duration';
}
