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
  const ratio = query.samplingFactor ?? 1;
  const found = new Map(
    rows.map(([intervals, actors]) => [Number(intervals), Math.round(Number(actors) / ratio)]),
  );
  const most = Math.max(period.counts, ...found.keys());
  const exactly = Array.from({ length: most }, (_, at) => found.get(at + 1) ?? 0);
  const isCumulative = query.stickinessFilter?.computedAs === 'cumulative';
  const days = exactly.map((_, at) => at + 1);
  const unit = query.interval ?? 'day';
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    label: series.name,
    action: seriesAction(series.node, series.order, series.name, days),
    filter: {},
    data: isCumulative ? exactly.map((_, at) => sum(exactly.slice(at))) : exactly,
    labels: days.map((count) => `${count} ${unit}${count === 1 ? '' : 's'}${isCumulative ? ' or more' : ''}`),
    days,
    count: sum(exactly),
    ...(period.compare !== null && { compare: true, compare_label: period.compare }),
  };
}
