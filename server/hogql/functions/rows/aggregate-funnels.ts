import { arrayOf, scalar, tupleOf } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { perValue, readFunnel, stepCount } from '../funnels/funnel-call.ts';
import { orderedResult } from '../funnels/ordered-funnel.ts';
import { orderedTrends } from '../funnels/ordered-trends.ts';
import { unorderedResult, unorderedTrends } from '../funnels/unordered-funnel.ts';
import { writtenWithin } from '../read-argument.ts';

/** Steps of the events of one group, times the breakdown values, which are walked one after the other: some seconds for this many. */
const MOST_STEPS = 20_000;
/** Without an order each step of an event is compared with all that wait. */
const MOST_UNORDERED = 5_000;

/**
 * `aggregate_funnel(steps, window, attribution, order, values, [optional], events)`: how far the person of the events came,
 * for each breakdown value. Events are in the order of their time.
 */
function aggregateFunnel(args: readonly Printed[], call: CallContext): Printed {
  const steps = stepCount(args, 0, call);
  const funnel = readFunnel(args, call, { steps, windowAt: 1, hasIntervals: false });
  const [most, result] =
    funnel.order === 'unordered' ? [MOST_UNORDERED, unorderedResult] : [MOST_STEPS, orderedResult];
  const sql = perValue(funnel, most, call, (value, events) => result(value, events, funnel, call));
  const { uuid } = funnel.events;
  const items = [
    scalar('Int64'),
    funnel.valueType,
    arrayOf(scalar('Float64')),
    arrayOf(arrayOf(uuid)),
    scalar('UInt64'),
  ];
  return { sql, type: arrayOf(tupleOf(items)) };
}

/**
 * `aggregate_funnel_trends(from, [to], steps, window, attribution, order, values, events)`: the intervals in which the person
 * of the events began, for each breakdown value. Without `to`, `from` is counted from 0, and the last step is the goal.
 */
function aggregateTrends(args: readonly Printed[], call: CallContext): Printed {
  const hasGoal = args.length === 8;
  const steps = stepCount(args, hasGoal ? 2 : 1, call);
  const from = hasGoal
    ? writtenWithin(args, 0, call, ['The first step', 1, steps])
    : writtenWithin(args, 0, call, ['The first step', 0, steps - 1]) + 1;
  const to = hasGoal ? writtenWithin(args, 1, call, ['The last step', 1, steps]) : steps;
  const funnel = readFunnel(args, call, { steps, windowAt: hasGoal ? 3 : 2, hasIntervals: true });
  const [most, result] =
    funnel.order === 'unordered' ? [MOST_UNORDERED, unorderedTrends] : [MOST_STEPS, orderedTrends];
  const sql = perValue(funnel, most, call, (value, events) =>
    result(value, events, { from, to }, funnel, call),
  );
  const { interval, uuid } = funnel.events;
  const type = arrayOf(tupleOf([interval, scalar('Int64'), funnel.valueType, uuid]));
  return { sql: `flatten(${sql})`, type };
}

const KINDS = ['', '_array', '_cohort'];

/** What PostHog's funnels call, so that a statement that it prints for one runs here. */
export const aggregateFunnels: readonly FunctionRow[] = KINDS.flatMap((kind) => [
  typed(`aggregate_funnel${kind}`, [6, 7], aggregateFunnel),
  typed(`aggregate_funnel${kind}_trends`, [7, 8], aggregateTrends),
]);
