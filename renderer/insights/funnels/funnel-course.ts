import type { PickedPoint } from '../answer.ts';
import type { InsightQuery } from '../insight-query.ts';
import { groupName, nameInPeriod, type Breakdown, type ComparedPeriod } from './funnel-steps.ts';

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

/** How long it took, in bins of the same width, and the mean in seconds; of two periods those of the current one. */
export function conversionBins(results: unknown): { bins: ConversionBin[]; mean: number | null } {
  const { bins = [], average_conversion_time: mean = null } = (
    Array.isArray(results) ? (results[0] ?? {}) : (results ?? {})
  ) as {
    bins?: [number, number][];
    average_conversion_time?: number | null;
  };
  const width = bins.length > 1 ? bins[1]![0] - bins[0]![0] : 60;
  return { bins: bins.map(([from, count]) => ({ from, to: from + width, count })), mean };
}

/** The share of those who went all the way, in percent, by when they began. */
export interface FunnelLine {
  id: string;
  name: string;
  breakdown: unknown;
  compare?: ComparedPeriod | undefined;
  values: number[];
  days: (string | number)[];
}

/** The lines of a funnel over time: one without a breakdown. */
export function funnelLines(results: unknown): FunnelLine[] {
  const list = (Array.isArray(results) ? results : []) as {
    data?: number[];
    days?: (string | number)[];
    breakdown?: Breakdown;
    breakdown_value?: unknown;
    compare_label?: ComparedPeriod;
  }[];
  return list.map(
    ({ data = [], days = [], breakdown, breakdown_value: value, compare_label: compare }, place) => ({
      id: String(place),
      name: nameInPeriod(groupName(breakdown) || 'Converted', compare),
      breakdown: value,
      compare,
      values: data,
      days,
    }),
  );
}

/** Who began in an interval of a funnel over time, and went all the way; or did not. */
export function pointOfEntrance(
  insightQuery: InsightQuery,
  day: string | number,
  { breakdown, compare }: Pick<FunnelLine, 'breakdown' | 'compare'>,
  title: string,
): PickedPoint {
  return {
    title,
    source: {
      kind: 'FunnelsActorsQuery',
      source: insightQuery,
      funnelTrendsEntrancePeriodStart: String(day),
      funnelTrendsDropOff: false,
      funnelStepBreakdown: breakdown,
      compare,
    },
  };
}
