import { fail } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  field,
  isNotNull,
  not,
  or,
  select,
} from '../../../../hogql/build.ts';
import { isMissing, NO_BIN, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { noInterval, pickedPlace, type Period } from '../../buckets.ts';
import { readDateWord, unitAround, type DateSpan, type Interval } from '../../dates.ts';
import type { TimeZone } from '../../../../lib/time-zone.ts';
import type { ActorsSelect, KindContext } from '../../query-kind.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import { queryNumbers, queryValues } from './numbers.ts';
import { isNested, sourceOf } from './to-hogql.ts';
import { conditionOf, isGrowing, isOfGroups, type PlannedSeries, type TrendsPlan } from './plan.ts';

/**
 * Selects the actors behind a point of a series, in an interval (or the whole span), with a value of the breakdown,
 * each with its number of events in `event_count`, and persons with the senders of these in `event_distinct_ids`. Throws invalid_input for a point that does not exist.
 */
export async function trendsActors(
  plan: TrendsPlan,
  point: ActorsPoint,
  context: KindContext,
): Promise<ActorsSelect> {
  const period = plan.periods.find(({ compare: of }) => of === (point.compare ?? of)) ?? plan.periods[0]!;
  const series = pickedSeries(plan, point);
  const picked = pickedPeriod(period, point, plan, context);
  const values = plan.breakdown === null ? [] : await queryValues({ plan, context }, period, series);
  // Of who counts once, every event is looked at.
  const seen = { ...series, once: null };
  const source = sourceOf(plan, picked, seen, values);
  const condition = isNested(seen) ? null : conditionOf(series);
  const selected = await breakdownConditions(source.values, { plan, series, point, period }, context);
  const conditions = [...source.where, ...(condition === null ? [] : [condition]), ...selected];
  const groupTypeIndex = isOfGroups(series.node) ? (series.node.math_group_type_index ?? null) : null;
  const actor = groupTypeIndex === null ? field('person_id') : field(`$group_${groupTypeIndex}`);
  const { unique } = series.math;
  const known = unique === undefined ? [] : [isNotNull(unique)];
  return {
    select: select({
      select: [
        alias(actor, 'actor_id'),
        alias(call('count'), 'event_count'),
        ...(isNested(seen) || groupTypeIndex !== null
          ? []
          : [alias(call('arraySort', call('groupUniqArray', field('distinct_id'))), 'event_distinct_ids')]),
      ],
      from: source.from,
      where: and(...conditions, ...known),
      groupBy: [field('actor_id')],
    }),
    groupTypeIndex,
  };
}

function pickedSeries(plan: TrendsPlan, { series: order, breakdown }: ActorsPoint): PlannedSeries {
  const found = plan.series.filter((one) => one.order === (order ?? 0));
  const [value] = Array.isArray(breakdown) ? breakdown : [breakdown];
  const ofCohort = found.find(({ cohort }) => String(cohort?.id ?? 'all') === String(value ?? 'all'));
  const picked = found[0]?.cohort === undefined ? found[0] : ofCohort;
  if (picked === undefined)
    throw fail('invalid_input', { detail: 'This series does not exist in the query.' });
  return picked;
}

/**
 * The interval in which the day, or moment, of the point lies; where sums grow, with all intervals before it. A point of the
 * compared period may be named by its own day, or by that of the current period at the same place (amendment A-5).
 */
function pickedPeriod(
  { compare: of, span, buckets }: Period,
  { day }: ActorsPoint,
  { query, zone, periods }: TrendsPlan,
  context: KindContext,
): Period {
  if (buckets === null || day === null || day === undefined) {
    return { compare: of, span, buckets: isGrowing(query) ? buckets : null };
  }
  const at = pickedPlace(day, of === 'previous' ? [periods[0]!.buckets!, buckets] : [buckets], zone, context);
  if (at === null) {
    return { compare: of, span: intervalAround(day, buckets.interval, zone, context), buckets: null };
  }
  const end = buckets.starts[at + 1] ?? buckets.end;
  if (isGrowing(query)) {
    const until = { ...buckets, starts: buckets.starts.slice(0, at + 1), end };
    return { compare: of, span: { from: span.from, to: Math.min(end, span.to) }, buckets: until };
  }
  const start = buckets.starts[at] ?? buckets.end;
  return {
    compare: of,
    span: { from: Math.max(start, span.from), to: Math.min(end, span.to) },
    buckets: null,
  };
}

/** Of a day that the query does not show, as in PostHog. Throws invalid_input for an invalid day. */
function intervalAround(
  day: string | number,
  interval: Interval,
  zone: TimeZone,
  { now, weekStartDay: weekStart }: KindContext,
): DateSpan {
  const moment = readDateWord(String(day), { zone, weekStart, now })?.exact;
  if (moment === undefined) throw noInterval(day);
  const { start, end } = unitAround(moment, interval, zone, weekStart);
  return { from: start, to: end };
}

async function breakdownConditions(
  values: readonly Expr[],
  {
    plan,
    series,
    point: { breakdown },
    period,
  }: { plan: TrendsPlan; series: PlannedSeries; point: ActorsPoint; period: Period },
  context: KindContext,
): Promise<Expr[]> {
  if (plan.breakdown === null || breakdown === null || breakdown === undefined) return [];
  const selected = (Array.isArray(breakdown) ? breakdown : [breakdown]).map(String);
  if (selected[0] !== OTHER_VALUE) {
    const { dimensions } = plan.breakdown;
    return selected.slice(0, values.length).map((value, at) => {
      const { bins, number } = dimensions[at]!;
      if (bins === null || value === NULL_VALUE) return hasValue(values[at]!, value);
      return value === NO_BIN ? isMissing(values[at]!) : isInBin(number, value);
    });
  }
  const numbers = await queryNumbers(plan, context);
  const shown = numbers[plan.periods.indexOf(period)]!.filter(
    (one) => one.series === series && !one.values.includes(OTHER_VALUE),
  ).map(({ values: of }) => of);
  const { dimensions } = plan.breakdown;
  const isShown = shown.map((value) =>
    and(
      ...value.map((one, at) =>
        one === NO_BIN && dimensions[at]!.bins !== null ? isMissing(values[at]!) : hasValue(values[at]!, one),
      ),
    ),
  );
  return isShown.length === 0 ? [] : [not(call('coalesce', or(...isShown), constant(false)))];
}

const BIN = /^\[(-?[\d.]+(?:e[+-]?\d+)?),\s*(-?[\d.]+(?:e[+-]?\d+)?)\]$/;

/** Whether a number is in a range such as `[10,17.5]`, whose end is exclusive. Throws invalid_input. */
function isInBin(number: Expr, name: string): Expr {
  const [start, end] = (BIN.exec(name) ?? []).slice(1).map(Number);
  if (!Number.isFinite(start) || !Number.isFinite(end)) {
    throw fail('invalid_input', {
      detail: `${name.slice(0, 40)} is not a range of numbers such as [10,17.5].`,
    });
  }
  return and(compare('>=', number, constant(start!)), compare('<', number, constant(end!)));
}

function hasValue(text: Expr, value: string): Expr {
  return value === NULL_VALUE ? isMissing(text) : compare('==', text, constant(value));
}
