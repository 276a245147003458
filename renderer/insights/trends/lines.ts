import { defineAsyncComponent } from 'vue';
import type { ChartShape } from '../../ui/charts/chart-scale.ts';
import type { AnswerTable, InsightKind } from '../insight-kind.ts';
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
): Pick<InsightKind, 'nameOf' | 'view' | 'props' | 'table'> {
  return {
    nameOf,
    view: LinesView,
    props: (insightQuery, drawn) => ({ ...drawn, name: nameOf(insightQuery), options }),
    table: (insightQuery, results) => linesTable(insightQuery, results, options),
  };
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
