import type { ChartSeries, ChartShape } from '../../ui/charts/chart-scale.ts';
import { dayLabel } from '../../ui/dates/day-labels.ts';
import type { InsightQuery } from '../insight-query.ts';
import type { PickedPoint } from '../answer.ts';
import type { LineOptions } from './lines.ts';

/** A series as the server sends it (management contract 9.9). */
export interface SeriesAnswer {
  label: string;
  data: number[];
  days?: (string | number)[];
  labels?: string[];
  count: number;
  aggregated_value?: number | null;
  action?: { order?: number; name?: string | null } | null;
  order?: number;
  breakdown_value?: unknown;
  /** The name of a formula's cohort. */
  breakdown_label?: string;
  compare_label?: 'current' | 'previous';
  status?: string;
}

/** One line of a result: its series and breakdown value, its numbers, and those of the previous period. */
export interface TrendLine {
  id: string;
  name: string;
  /** The place of its series in the query. */
  order: number;
  breakdown: unknown;
  status: string | undefined;
  values: number[];
  total: number;
  before: { values: number[]; total: number; days: (string | number)[] } | null;
  days: (string | number)[];
}

/** The labels of a place in time. */
export interface Place {
  long: string;
  short: string;
}

const OTHERS: Readonly<Record<string, string>> = {
  $$_posthog_breakdown_other_$$: 'Other',
  $$_posthog_breakdown_null_$$: '(none)',
  '["",""]': '(none)',
};

/** The lines of a result, each with the numbers of its previous period; then those that only the previous period has. */
export function trendLines(results: unknown): TrendLine[] {
  const answers = (Array.isArray(results) ? results : []) as SeriesAnswer[];
  const current = answers.filter((one) => one.compare_label !== 'previous');
  const previous = new Map(
    answers.filter((one) => one.compare_label === 'previous').map((one) => [keyOf(one), one]),
  );
  const keys = new Set(current.map(keyOf));
  const gone = [...previous]
    .filter(([key]) => !keys.has(key))
    .map(([, one]) => withoutNumbers(one, current[0]));
  return [...current, ...gone].map((one, place) => {
    const before = previous.get(keyOf(one));
    return {
      id: `${place} ${keyOf(one)}`,
      name: wordsOf(one),
      order: one.action?.order ?? one.order ?? 0,
      breakdown: one.breakdown_value,
      status: one.status,
      values: one.data ?? [],
      total: one.aggregated_value ?? one.count ?? 0,
      before: before
        ? {
            values: before.data ?? [],
            total: before.aggregated_value ?? before.count ?? 0,
            days: before.days ?? [],
          }
        : null,
      days: one.days ?? [],
    };
  });
}

/** What a series of the previous period is now: nothing. */
function withoutNumbers(one: SeriesAnswer, current: SeriesAnswer | undefined): SeriesAnswer {
  const days = current?.days ?? one.days ?? [];
  return {
    ...one,
    days,
    data: days.map(() => 0),
    count: 0,
    aggregated_value: one.aggregated_value == null ? null : 0,
  };
}

function keyOf({ label, action, order, breakdown_value: breakdown, status }: SeriesAnswer): string {
  return JSON.stringify([action?.order ?? `${label} ${order ?? ''}`, breakdown, status]);
}

function wordsOf({
  label,
  status,
  action,
  breakdown_value: values,
  breakdown_label: cohort,
}: SeriesAnswer): string {
  if (status) return status.charAt(0).toUpperCase() + status.slice(1);
  // The label of a formula does not name the value of its breakdown.
  const value = action === null && values !== undefined ? (cohort ?? [values].flat().join('::')) : null;
  return (value === null ? label : `${label} - ${value}`)
    .split(/( - |::)/)
    .map((part) => OTHERS[part] ?? (part || '(empty)'))
    .join('');
}

/** The lines that are drawn, in their colors. */
export function chartSeries(
  lines: readonly TrendLine[],
  hidden: ReadonlySet<string>,
  placeOf?: (day: string | number) => string,
): ChartSeries[] {
  return lines.flatMap((line, place) => {
    if (hidden.has(line.id)) return [];
    const slot = slotOf(place);
    const now: ChartSeries = { id: line.id, name: line.name, values: line.values, slot };
    if (!line.before) return [now];
    const { values, days } = line.before;
    const before: ChartSeries = {
      ...now,
      id: `${line.id} before`,
      // A whole month is compared with the days of this one that have been.
      values: values.slice(0, Math.max(1, line.values.length)),
      previousOf: line.id,
      ...(placeOf && { places: days.map(placeOf) }),
    };
    return [now, before];
  });
}

/** The color and dash of a line by its index: 1 to 8, then again from 1. */
export function slotOf(place: number): number {
  return (place % 8) + 1;
}

/** The labels of the intervals. */
export function placesOf(lines: readonly TrendLine[], insightQuery: InsightQuery): Place[] {
  const days = lines[0]?.days ?? [];
  return days.map((day) => dayLabel(String(day), insightQuery.interval ?? 'day'));
}

const SHAPES: Readonly<Record<string, ChartShape>> = {
  ActionsAreaGraph: 'area',
  ActionsBar: 'bar',
  ActionsStackedBar: 'bar',
  ActionsUnstackedBar: 'grouped',
};

/** How the numbers are drawn over time. */
export function shapeOf({ trendsFilter }: InsightQuery): ChartShape {
  return SHAPES[trendsFilter?.display ?? ''] ?? 'line';
}

/** How a result is drawn. */
export type TrendPicture = 'chart' | 'number' | 'bars' | 'pie' | 'map' | 'table' | 'heatmap' | 'boxes';

const PICTURES: Readonly<Record<string, TrendPicture>> = {
  BoldNumber: 'number',
  ActionsBarValue: 'bars',
  ActionsPie: 'pie',
  WorldMap: 'map',
  ActionsTable: 'table',
  CalendarHeatmap: 'heatmap',
  BoxPlot: 'boxes',
};

/** The picture of a query: totals, or a chart over time. */
export function pictureOf({ kind, trendsFilter }: InsightQuery): TrendPicture {
  return (kind === 'TrendsQuery' && PICTURES[trendsFilter?.display ?? '']) || 'chart';
}

/** The query for the small line beside a large number; `null` for other pictures. */
export function courseOf(insightQuery: InsightQuery): InsightQuery | null {
  if (pictureOf(insightQuery) !== 'number') return null;
  const { compareFilter: _, ...rest } = insightQuery;
  return { ...rest, trendsFilter: { ...insightQuery.trendsFilter, display: 'ActionsLineGraph' } };
}

/** The point whose actors to list: an interval of a line; null: all of it. */
export function pointOfLine(
  insightQuery: InsightQuery,
  line: TrendLine,
  place: number | null,
  { title, options }: { title: string; options: LineOptions },
): PickedPoint {
  const point = {
    series: line.order,
    day: place === null ? undefined : options.dayOf(line, place),
    breakdown: line.breakdown,
    status: line.status,
    compare: line.before ? 'current' : undefined,
  };
  return { title, source: { kind: options.pointKind, source: insightQuery, ...point } };
}
