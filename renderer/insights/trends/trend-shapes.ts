import {
  ChartArea,
  ChartBar,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  ChartPie,
  Earth,
  Hash,
  Table,
  TrendingUp,
} from '@lucide/vue';
import type { Question } from '../question.ts';
import { beforeLabel } from '../../ui/dates/date-ranges.ts';

/** How trends can be drawn. */
export const TREND_SHAPES = [
  { id: 'ActionsLineGraph', label: 'Line', icon: ChartLine },
  { id: 'ActionsLineGraphCumulative', label: 'Cumulative line', icon: TrendingUp },
  { id: 'ActionsAreaGraph', label: 'Stacked area', icon: ChartArea },
  { id: 'ActionsBar', label: 'Stacked bar', icon: ChartColumnStacked },
  { id: 'ActionsUnstackedBar', label: 'Grouped bar', icon: ChartColumn },
  { id: 'ActionsBarValue', label: 'Bar by total', icon: ChartBar },
  { id: 'ActionsPie', label: 'Pie', icon: ChartPie },
  { id: 'BoldNumber', label: 'Number', icon: Hash },
  { id: 'ActionsTable', label: 'Table', icon: Table },
  { id: 'WorldMap', label: 'World map', icon: Earth },
] as const;
export type TrendShape = (typeof TREND_SHAPES)[number]['id'];

/** How much earlier the time lies that a comparison looks at. */
const EARLIER = ['-1d', '-1w', '-1m', '-3m', '-1y'] as const;
const NOTHING = 'nothing';
const BEFORE = 'before';

/** How a question is drawn. */
export function trendShapeOf({ trendsFilter }: Question): TrendShape {
  return TREND_SHAPES.find(({ id }) => id === trendsFilter?.display)?.id ?? 'ActionsLineGraph';
}

/** The same question, drawn otherwise. */
export function withTrendShape(question: Question, display: TrendShape): Question {
  return { ...question, trendsFilter: { ...question.trendsFilter, display } };
}

/** What a question is compared with: `nothing`, `before`, or how much earlier. */
export function comparisonOf({ compareFilter }: Question): string {
  const { compare, compare_to: to } = compareFilter ?? {};
  return compare ? (to ?? BEFORE) : NOTHING;
}

/** The same question, compared with another time. */
export function withComparison(question: Question, id: string): Question {
  const { compareFilter: _, ...rest } = question;
  const compareFilter = id === BEFORE ? { compare: true } : { compare: true, compare_to: id };
  return (id === NOTHING ? rest : { ...rest, compareFilter }) as Question;
}

/** What a question can be compared with; one that was set through the API stands among those that are offered. */
export function comparisonsOf(question: Question): { id: string; label: string }[] {
  const { dateRange } = question;
  const earlier = [...new Set<string>([...EARLIER, comparisonOf(question)])].filter((id) =>
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
