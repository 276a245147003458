import { dayLabel } from '../../ui/dates/day-labels.ts';
import type { PickedPoint } from '../answer.ts';
import type { InsightQuery } from '../insight-query.ts';
import { trendLines, type SeriesAnswer, type TrendLine } from '../trends/trend-lines.ts';
import { groupName, titleInPeriod, type Breakdown, type ComparedPeriod } from './funnel-steps.ts';

/** How a funnel is shown. */
export type FunnelViz = 'steps' | 'time_to_convert' | 'trends';

/** How a funnel is shown: as steps unless it says otherwise. */
export function vizOf({ funnelsFilter }: InsightQuery): FunnelViz {
  const viz = funnelsFilter?.['funnelVizType'];
  return viz === 'time_to_convert' || viz === 'trends' ? viz : 'steps';
}

/** Persons that took from `from` to below `to` seconds. */
export interface ConversionBin {
  from: number;
  to: number;
  count: number;
}

/** How long it took in a period, in bins of the same width; in seconds. */
export interface ConversionTimes {
  period: ComparedPeriod | undefined;
  bins: ConversionBin[];
  mean: number | null;
  median: number | null;
}

/** The conversion times of each period; without a comparison there is one. The bins of two periods are the same. */
export function conversionTimes(results: unknown): ConversionTimes[] {
  const answers = (Array.isArray(results) ? results : [results ?? {}]) as {
    bins?: [number, number][];
    average_conversion_time?: number | null;
    median_conversion_time?: number | null;
    compare_label?: ComparedPeriod;
  }[];
  return answers.map((one) => {
    const { bins = [] } = one;
    const width = bins.length > 1 ? bins[1]![0] - bins[0]![0] : 60;
    return {
      period: one.compare_label,
      bins: bins.map(([from, count]) => ({ from, to: from + width, count })),
      mean: one.average_conversion_time ?? null,
      median: one.median_conversion_time ?? null,
    };
  });
}

/** The lines of a funnel over time: the share of converted persons, in percent, by when they entered; one without a breakdown. */
export function funnelLines(results: unknown): TrendLine[] {
  const list = (Array.isArray(results) ? results : []) as (Omit<SeriesAnswer, 'label'> & {
    breakdown?: Breakdown;
  })[];
  const lines = trendLines(list.map((one) => ({ ...one, label: groupName(one.breakdown) || 'Converted' })));
  // Shares have no sum.
  return lines.map((line) => ({ ...line, hasTotal: false, noun: '' }));
}

/** The persons that entered a funnel over time in an interval of a line, and converted. */
export function pointOfEntrance(
  insightQuery: InsightQuery,
  { breakdown, days, before }: TrendLine,
  place: number,
  period: ComparedPeriod,
): PickedPoint {
  const day = String((period === 'previous' ? before?.days : days)?.[place] ?? '');
  const { long } = dayLabel(day, insightQuery.interval ?? 'day');
  return {
    title: titleInPeriod(`Entered ${long} and converted`, period),
    source: {
      kind: 'FunnelsActorsQuery',
      source: insightQuery,
      funnelTrendsEntrancePeriodStart: day,
      funnelTrendsDropOff: false,
      funnelStepBreakdown: breakdown,
      compare: before ? period : undefined,
    },
  };
}
