import { fail } from '../../../../errors.ts';
import type { SelectQuery } from '../../../../hogql/ast.ts';
import { alias, and, call, constant, field, from, parametric, select } from '../../../../hogql/build.ts';
import { bucketIndex, type Buckets, type Period } from '../../buckets.ts';
import { resolvedRange } from '../../dates.ts';
import type { KindAnswer, KindContext } from '../../query-kind.ts';
import { eventsFrom, inSpan } from '../../series.ts';
import {
  checkAlone,
  conditionOf,
  isOfSession,
  mathValue,
  type PlannedSeries,
  type TrendsPlan,
} from './plan.ts';

/**
 * How the values of a property are distributed in each interval: the least, the quartiles, the greatest and the mean of each
 * series; zeros where there is none. Throws invalid_input for a series without a property.
 */
export async function boxPlot(plan: TrendsPlan, { runQuery }: KindContext): Promise<KindAnswer> {
  checkAlone(plan.query, 'A box plot');
  const { span, buckets } = plan.periods[0] as Period & { buckets: Buckets };
  const results = await Promise.all(
    plan.series.map(async (series) => {
      const { rows } = await runQuery(statementOf(series, plan, buckets));
      const byBucket = new Map(rows.map(([bucket, ...numbers]) => [Number(bucket), numbers.map(Number)]));
      return buckets.days.map((day, at) => {
        const [count = 0, min = 0, p25 = 0, median = 0, p75 = 0, max = 0, mean = 0] = byBucket.get(at) ?? [];
        const place = {
          day,
          label: buckets.labels[at]!,
          series_index: series.order,
          series_label: labelOf(series),
        };
        return { ...place, min, p25, median, p75, max, mean, count };
      });
    }),
  );
  return { results: results.flat(), resolved_date_range: resolvedRange(span) };
}

function labelOf({ name, node }: PlannedSeries): string {
  return `${node.custom_name || name} - ${node.math_property}`;
}

const VALUE = field('value');
const BUCKET = field('bucket');

function statementOf(series: PlannedSeries, plan: TrendsPlan, buckets: Buckets): SelectQuery {
  const { node } = series;
  if (!node.math_property) {
    throw fail('invalid_input', {
      detail: 'A box plot requires a property with numbers in each series (math_property).',
    });
  }
  const own = conditionOf(series);
  const { span } = plan.periods[0]!;
  const value = mathValue(node, plan.filterContext);
  const bucket = alias(bucketIndex(field('timestamp'), buckets), 'bucket');
  // A session has one value, however many of its events are looked at.
  const isSession = isOfSession(node);
  const values = select({
    select: [bucket, alias(isSession ? call('any', value) : value, 'value')],
    from: eventsFrom(plan.query),
    where: and(inSpan(span, plan.filterContext), ...plan.scope, ...(own === null ? [] : [own])),
    ...(isSession && { groupBy: [BUCKET, field('$session_id')] }),
  });
  const quantile = (share: number) => parametric('quantile', [constant(share)], VALUE);
  return select({
    select: [
      BUCKET,
      call('count', VALUE),
      call('min', VALUE),
      quantile(0.25),
      quantile(0.5),
      quantile(0.75),
      call('max', VALUE),
      call('avg', VALUE),
    ],
    from: from(values),
    groupBy: [BUCKET],
  });
}
