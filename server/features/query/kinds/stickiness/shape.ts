import type { Value } from '../../../../db/db.ts';
import { seriesAction } from '../../series.ts';
import type { PlannedSeries, StickinessPlan, StickyPeriod } from './to-hogql.ts';

/** The result of a series in a period, of the rows of `stickinessStatement`. */
export function seriesObject(
  rows: readonly (readonly Value[])[],
  { query }: StickinessPlan,
  series: PlannedSeries,
  period: StickyPeriod,
): object {
  const exactly = period.buckets.starts.map(() => 0);
  const ratio = query.samplingFactor ?? 1;
  for (const [intervals, actors] of rows) exactly[Number(intervals) - 1] = Math.round(Number(actors) / ratio);
  const isCumulative = query.stickinessFilter?.computedAs === 'cumulative';
  const days = exactly.map((_, at) => at + 1);
  const unit = query.interval ?? 'day';
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    label: series.name,
    action: seriesAction(series.node, series.order, series.name, days),
    filter: {},
    data: isCumulative ? exactly.map((_, at) => sum(exactly.slice(at))) : exactly,
    labels: days.map((count) => `${count} ${unit}${count === 1 ? '' : 's'}`),
    days,
    count: sum(exactly),
    ...(period.compare !== null && { compare: true, compare_label: period.compare }),
  };
}
