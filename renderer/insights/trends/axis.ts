import type { GoalLine } from '../../ui/charts/chart-scale.ts';
import { valueFormat, type ValueFormat } from '../../ui/charts/value-format.ts';
import type { InsightQuery } from '../insight-query.ts';

/** How the numbers of a trend are written, and which lines are drawn beside them. */
export interface TrendAxis {
  format: ValueFormat;
  isLog: boolean;
  goals: GoalLine[];
}

/** The formats of an axis, as a choice. */
export const AXIS_FORMATS = [
  { id: 'numeric', label: 'Number' },
  { id: 'currency', label: 'Currency' },
  { id: 'percentage', label: 'Percent (0 to 100)' },
  { id: 'percentage_scaled', label: 'Percent (0 to 1)' },
  { id: 'duration', label: 'Duration (seconds)' },
  { id: 'duration_ms', label: 'Duration (milliseconds)' },
] as const;
export type AxisFormat = (typeof AXIS_FORMATS)[number]['id'];

export const SCALES = [
  { id: 'linear', label: 'Linear' },
  { id: 'log10', label: 'Logarithmic' },
] as const;

/** The fields of an axis in `trendsFilter`, of whatever type they were stored. */
export function axisFieldsOf({ trendsFilter }: InsightQuery) {
  const filter = trendsFilter ?? {};
  const text = (key: string): string => (typeof filter[key] === 'string' ? filter[key] : '');
  const number = (key: string): number | null => (typeof filter[key] === 'number' ? filter[key] : null);
  return {
    format: AXIS_FORMATS.find(({ id }) => id === filter['aggregationAxisFormat'])?.id ?? 'numeric',
    prefix: text('aggregationAxisPrefix'),
    postfix: text('aggregationAxisPostfix'),
    decimals: number('decimalPlaces'),
    minDecimals: number('minDecimalPlaces'),
    scale: filter['yAxisScaleType'] === 'log10' ? 'log10' : 'linear',
    goals: goalsOf(filter['goalLines']),
  } as const;
}

function goalsOf(stored: unknown): GoalLine[] {
  return (Array.isArray(stored) ? (stored as Partial<GoalLine>[]) : []).flatMap((goal) =>
    typeof goal?.value === 'number' && Number.isFinite(goal.value)
      ? [
          {
            label: typeof goal.label === 'string' && goal.label !== '' ? goal.label : 'Goal',
            value: goal.value,
          },
        ]
      : [],
  );
}

/** The axis that a query has settled on. */
export function axisOf(insightQuery: InsightQuery): TrendAxis {
  const fields = axisFieldsOf(insightQuery);
  return { format: valueFormat(fields), isLog: fields.scale === 'log10', goals: fields.goals };
}

/** The same query with another field of its axis; one that is empty is removed. */
export function withAxisField(insightQuery: InsightQuery, key: string, value: unknown): InsightQuery {
  const { [key]: _, ...rest } = insightQuery.trendsFilter ?? {};
  const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0);
  return { ...insightQuery, trendsFilter: isEmpty ? rest : { ...rest, [key]: value } };
}
