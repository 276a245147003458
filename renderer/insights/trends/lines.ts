import { defineAsyncComponent } from 'vue';
import type { ChartShape } from '../../ui/charts/chart-scale.ts';
import type { AnswerTable, InsightKind, Preview } from '../insight-kind.ts';
import { axisOf } from './axis.ts';
import type { InsightQuery } from '../insight-query.ts';
import { boxTable, heatmapTable } from './distributions.ts';
import { linesOf, pictureOf, placesOf, shapeOf, type Place, type TrendLine } from './trend-lines.ts';

/** How a kind whose answers are series over time differs from trends. */
export interface LineOptions {
  places(lines: readonly TrendLine[], insightQuery: InsightQuery): Place[];
  shape(insightQuery: InsightQuery): ChartShape;
  /** The place of a point, as the server names it. */
  dayOf(line: TrendLine, place: number): string | number | undefined;
  /** The kind of the query for the persons behind a point. */
  readonly pointKind: string;
  /** Places are times, of which the last may not be over. */
  readonly isOverTime: boolean;
  /** What is counted, where it does not depend on math. */
  readonly noun?: string;
  /** Whether the numbers of a line can be added up at all; absent: its math decides. */
  hasTotals?(insightQuery: InsightQuery): boolean;
}

export const TREND_OPTIONS: LineOptions = {
  places: placesOf,
  shape: shapeOf,
  dayOf: (line, place) => line.days[place],
  pointKind: 'InsightActorsQuery',
  isOverTime: true,
};

const LinesView = defineAsyncComponent(() => import('./TrendsAnswer.vue'));

/** View and table of a kind whose answers are series over time. */
export function drawnAsLines(
  nameOf: InsightKind['nameOf'],
  options: LineOptions,
): Pick<InsightKind, 'nameOf' | 'view' | 'props' | 'preview' | 'table'> {
  return {
    nameOf,
    view: LinesView,
    props: (insightQuery, drawn) => ({ ...drawn, name: nameOf(insightQuery), options }),
    preview: (insightQuery, results) => linesPreview(insightQuery, results, options),
    table: (insightQuery, results) => linesTable(insightQuery, results, options),
  };
}

/** Bars of a preview. */
const MOST_BARS = 12;

/** Lines that add up are one; of others the first is drawn. A number is only that of one line. */
function linesPreview(insightQuery: InsightQuery, results: unknown, options: LineOptions): Preview | null {
  const picture = pictureOf(insightQuery);
  if (picture === 'boxes' || picture === 'heatmap') return null;
  const lines = linesOf(insightQuery, results, options).filter(({ status }) => status !== 'dormant');
  const [first] = lines;
  if (first === undefined) return null;
  const { format } = axisOf(insightQuery);
  if (picture !== 'chart') {
    if (lines.length === 1) return { shape: 'number', values: [], fact: format.full(first.total) };
    const totals = lines.map(({ total }) => total).toSorted((a, b) => b - a);
    return { shape: 'bars', values: totals.slice(0, MOST_BARS), fact: '' };
  }
  const isSum = lines.every(({ hasTotal, status }) => hasTotal || status !== undefined);
  const values = isSum
    ? first.values.map((_, at) => lines.reduce((sum, line) => sum + (line.values[at] ?? 0), 0))
    : first.values;
  if (!options.isOverTime) return { shape: 'bars', values: values.slice(0, MOST_BARS), fact: '' };
  const last = values.at(-1);
  const hasFact = last !== undefined && (isSum || lines.length === 1);
  return { shape: 'line', values, fact: hasFact ? [format.full(last), spanOf(insightQuery)].join(' ') : '' };
}

/** The interval that is not over, or the last one of a range with an end. */
function spanOf({ interval, dateRange }: InsightQuery): string {
  const unit = interval ?? 'day';
  if (dateRange?.date_to) return `in the last ${unit}`;
  return unit === 'day' ? 'today' : `this ${unit}`;
}

function linesTable(insightQuery: InsightQuery, results: unknown, options: LineOptions): AnswerTable {
  const picture = pictureOf(insightQuery);
  if (picture === 'boxes') return boxTable(results);
  if (picture === 'heatmap') return heatmapTable(results);
  const lines = linesOf(insightQuery, results, options);
  const places = options.places(lines, insightQuery).map(({ long }) => long);
  // Of unique persons and means there is no total.
  const hasTotals = lines.some(({ hasTotal }) => hasTotal);
  const totalOf = (line: TrendLine, total: number): (string | number)[] =>
    hasTotals ? [line.hasTotal ? total : ''] : [];
  const rows = lines.flatMap((line) => {
    const { name, total, values, before } = line;
    return [
      [name, ...totalOf(line, total), ...values],
      ...(before ? [[`${name} (previous)`, ...totalOf(line, before.total), ...before.values]] : []),
    ];
  });
  return { columns: ['Series', ...(hasTotals ? ['Total'] : []), ...places], rows };
}
