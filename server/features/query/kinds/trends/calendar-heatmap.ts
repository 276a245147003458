import { fail } from '../../../../errors.ts';
import type { Expr, JoinExpr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  dateTime,
  field,
  from,
  order,
  select,
} from '../../../../hogql/build.ts';
import { resolvedRange } from '../../dates.ts';
import type { KindAnswer, KindContext } from '../../query-kind.ts';
import { between, eventsFrom, inSpan, seriesAction } from '../../series.ts';
import { checkAlone, conditionOf, type PlannedSeries, type TrendsPlan } from './plan.ts';

/**
 * How often something happens by weekday (1 is Monday) and hour of the project's time zone: events, or with the math `dau`
 * persons, at the moment when their session began. Throws invalid_input for any other math.
 */
export async function calendarHeatmap(plan: TrendsPlan, context: KindContext): Promise<KindAnswer> {
  checkAlone(plan.query, 'A calendar heatmap');
  const results = await Promise.all(plan.series.map((series) => heatmapOf(series, plan, context)));
  return { results, resolved_date_range: resolvedRange(plan.periods[0]!.span) };
}

const WEEKDAY = 'weekday';
const HOUR = 'hour';

async function heatmapOf(series: PlannedSeries, plan: TrendsPlan, { runQuery }: KindContext) {
  const counted = countedOf(series, plan);
  const countBy = async (...keys: string[]): Promise<number[][]> => {
    const table = await runQuery(statementOf(counted, keys));
    return table.rows.map((row) => row.map(Number));
  };
  const [cells, rows, columns, all] = await Promise.all([
    countBy(WEEKDAY, HOUR),
    countBy(WEEKDAY),
    countBy(HOUR),
    countBy(),
  ]);
  const total = all[0]?.[0] ?? 0;
  return {
    action: seriesAction(series.node, series.order, series.name, []),
    label: series.name,
    data: [],
    aggregated_value: total,
    count: total,
    calendar_heatmap_data: {
      data: cells.map(([row, column, value]) => ({ row, column, value })),
      rowAggregations: rows.map(([row, value]) => ({ row, value })),
      columnAggregations: columns.map(([column, value]) => ({ column, value })),
      allAggregations: total,
    },
  };
}

/** What is counted, where, and at which moment it happened. */
interface Counted {
  readonly count: Expr;
  readonly moment: Expr;
  readonly from: JoinExpr;
  readonly where: Expr;
}

function countedOf(series: PlannedSeries, plan: TrendsPlan): Counted {
  const { span } = plan.periods[0]!;
  const own = conditionOf(series);
  const conditions = [...plan.scope, ...(own === null ? [] : [own])];
  const events = eventsFrom(plan.query);
  switch (series.node.math ?? 'total') {
    case 'total':
      return {
        count: call('count'),
        moment: field('timestamp'),
        from: events,
        where: and(inSpan(span, plan.filterContext), ...conditions),
      };
    case 'dau': {
      const visits = select({
        select: [
          alias(call('any', field('person_id')), 'visitor'),
          alias(call('min', field('session', '$start_timestamp')), 'started'),
        ],
        from: events,
        // A session that began in the span has no event before it.
        where: and(
          compare('>=', field('timestamp'), dateTime(span.from)),
          compare('!=', field('$session_id'), constant('')),
          ...conditions,
        ),
        groupBy: [field('$session_id')],
      });
      const started = field('started');
      return {
        count: call('uniq', field('visitor')),
        moment: started,
        from: from(visits),
        where: between(started, span),
      };
    }
    default: {
      const detail = 'A calendar heatmap counts events (math total) or persons (math dau).';
      throw fail('invalid_input', { detail });
    }
  }
}

function statementOf({ count, moment, from: table, where }: Counted, keys: readonly string[]): SelectQuery {
  const parts: Readonly<Record<string, Expr>> = {
    [WEEKDAY]: call('toDayOfWeek', moment),
    [HOUR]: call('toHour', moment),
  };
  return select({
    select: [...keys.map((key) => alias(parts[key]!, key)), count],
    from: table,
    where,
    groupBy: keys.map((key) => field(key)),
    orderBy: keys.map((key) => order(field(key))),
  });
}
