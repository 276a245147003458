import type { BoxValues } from '../../ui/charts/chart-scale.ts';
import type { AnswerTable } from '../insight-kind.ts';

/** Answers that are no series over time: box plots and calendar heatmaps (management contract 9.9). */

/** The box of a series in an interval. */
export interface Box extends BoxValues {
  day: string;
  label: string;
  series_index: number;
  series_label: string;
}

/** The boxes of a result, by series. */
export function boxesBySeries(results: unknown): Box[][] {
  const series: Box[][] = [];
  for (const box of (Array.isArray(results) ? results : []) as Box[])
    (series[box.series_index] ??= []).push(box);
  return series.filter((boxes) => boxes !== undefined);
}

export function boxTable(results: unknown): AnswerTable {
  return {
    columns: [
      'Series',
      'Interval',
      'Values',
      'Minimum',
      '25th percentile',
      'Median',
      '75th percentile',
      'Maximum',
      'Mean',
    ],
    rows: boxesBySeries(results)
      .flat()
      .map((box) => [
        box.series_label,
        box.label,
        box.count,
        box.min,
        box.p25,
        box.median,
        box.p75,
        box.max,
        box.mean,
      ]),
  };
}

/** Numbers by weekday, from Monday, and hour. */
export interface Heatmap {
  name: string;
  rows: { name: string; cells: number[]; total: number }[];
  columns: number[];
  total: number;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
export const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

interface HeatmapAnswer {
  label: string;
  calendar_heatmap_data?: {
    data: { row: number; column: number; value: number }[];
    rowAggregations: { row: number; value: number }[];
    columnAggregations: { column: number; value: number }[];
    allAggregations: number;
  };
}

/** The heatmaps of a result, one for each series, with zeros where nothing happened. */
export function heatmaps(results: unknown): Heatmap[] {
  return ((Array.isArray(results) ? results : []) as HeatmapAnswer[]).flatMap(
    ({ label, calendar_heatmap_data: found }) => {
      if (!found) return [];
      const cells = new Map(found.data.map(({ row, column, value }) => [`${row} ${column}`, value]));
      const ofRows = new Map(found.rowAggregations.map(({ row, value }) => [row, value]));
      const ofColumns = new Map(found.columnAggregations.map(({ column, value }) => [column, value]));
      return {
        name: label,
        rows: WEEKDAYS.map((name, at) => ({
          name,
          cells: HOURS.map((_, hour) => cells.get(`${at + 1} ${hour}`) ?? 0),
          total: ofRows.get(at + 1) ?? 0,
        })),
        columns: HOURS.map((_, hour) => ofColumns.get(hour) ?? 0),
        total: found.allAggregations,
      };
    },
  );
}

export function heatmapTable(results: unknown): AnswerTable {
  return {
    columns: ['Series', 'Weekday', ...HOURS.map((hour) => `${hour}:00`), 'All'],
    rows: heatmaps(results).flatMap(({ name, rows, columns, total }) => [
      ...rows.map((row) => [name, row.name, ...row.cells, row.total]),
      [name, 'All', ...columns, total],
    ]),
  };
}
