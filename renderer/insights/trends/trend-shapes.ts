import {
  CalendarDays,
  ChartArea,
  ChartBar,
  ChartCandlestick,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  ChartPie,
  Earth,
  Hash,
  Slash,
  Table,
  TrendingUp,
} from '@lucide/vue';
import type { InsightQuery } from '../insight-query.ts';
import { beforeLabel } from '../../ui/dates/date-ranges.ts';

/** How trends can be drawn. */
export const TREND_SHAPES = [
  { id: 'ActionsLineGraph', label: 'Line', icon: ChartLine },
  { id: 'ActionsLineGraphCumulative', label: 'Cumulative line', icon: TrendingUp },
  { id: 'SlopeGraph', label: 'First and last', icon: Slash },
  { id: 'ActionsAreaGraph', label: 'Stacked area', icon: ChartArea },
  { id: 'ActionsBar', label: 'Stacked bar', icon: ChartColumnStacked },
  { id: 'ActionsUnstackedBar', label: 'Grouped bar', icon: ChartColumn },
  { id: 'ActionsBarValue', label: 'Bar by total', icon: ChartBar },
  { id: 'ActionsPie', label: 'Pie', icon: ChartPie },
  { id: 'BoldNumber', label: 'Number', icon: Hash },
  { id: 'ActionsTable', label: 'Table', icon: Table },
  { id: 'WorldMap', label: 'World map', icon: Earth },
  { id: 'CalendarHeatmap', label: 'Calendar heatmap', icon: CalendarDays },
  { id: 'BoxPlot', label: 'Box plot', icon: ChartCandlestick },
] as const;
export type TrendShape = (typeof TREND_SHAPES)[number]['id'];

/** How much earlier the time lies that a comparison looks at. */
const EARLIER = ['-1d', '-1w', '-1m', '-3m', '-1y'] as const;
const NOTHING = 'nothing';
const BEFORE = 'before';

/** How a query is drawn. */
export function trendShapeOf({ trendsFilter }: InsightQuery): TrendShape {
  return TREND_SHAPES.find(({ id }) => id === trendsFilter?.display)?.id ?? 'ActionsLineGraph';
}

/** Distributions cannot be compared: the server refuses it. */
const WITHOUT_COMPARISON: ReadonlySet<string> = new Set<TrendShape>(['CalendarHeatmap', 'BoxPlot']);

/** Whether a comparison can be chosen; a stored one can be removed in any case. */
export function canCompareTrend({ trendsFilter, compareFilter }: InsightQuery): boolean {
  return !WITHOUT_COMPARISON.has(trendsFilter?.display ?? '') || compareFilter?.compare === true;
}

/** The same query, drawn otherwise. */
export function withTrendShape(insightQuery: InsightQuery, display: TrendShape): InsightQuery {
  const { compareFilter: _, ...plain } = insightQuery;
  const kept = WITHOUT_COMPARISON.has(display) ? plain : insightQuery;
  return { ...kept, trendsFilter: { ...insightQuery.trendsFilter, display } };
}

/** What a query is compared with: `nothing`, `before`, or how much earlier. */
export function comparisonOf({ compareFilter }: InsightQuery): string {
  const { compare, compare_to: to } = compareFilter ?? {};
  return compare ? (to ?? BEFORE) : NOTHING;
}

/** The same query, compared with another time. */
export function withComparison(insightQuery: InsightQuery, id: string): InsightQuery {
  const { compareFilter: _, ...rest } = insightQuery;
  const compareFilter = id === BEFORE ? { compare: true } : { compare: true, compare_to: id };
  return (id === NOTHING ? rest : { ...rest, compareFilter }) as InsightQuery;
}

/** The comparisons of a query; one that was set through the API is listed among the offered ones. */
export function comparisonsOf(insightQuery: InsightQuery): { id: string; label: string }[] {
  const { dateRange } = insightQuery;
  const earlier = [...new Set<string>([...EARLIER, comparisonOf(insightQuery)])].filter((id) =>
    id.startsWith('-'),
  );
  return [
    { id: NOTHING, label: 'No comparison' },
    { id: BEFORE, label: `vs. ${beforeLabel({ dateRange })}` },
    ...earlier.map((id) => ({
      id,
      label: `vs. ${beforeLabel({ dateRange, compareFilter: { compare_to: id } })}`,
    })),
  ];
}
