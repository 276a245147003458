import { expect, test } from 'vitest';
import { boxTable, boxesBySeries, heatmapTable, heatmaps } from './distributions.ts';

const box = (series_index: number, median: number) => ({
  day: '2026-11-16',
  label: '16-Nov-2026',
  series_index,
  series_label: `paid ${series_index}`,
  min: 1,
  p25: 2,
  median,
  p75: 4,
  max: 5,
  mean: 3,
  count: 9,
});

test('boxes are grouped by series, and all their numbers are in the table', () => {
  const results = [box(0, 3), box(0, 4), box(2, 5)];
  expect(boxesBySeries(results).map((boxes) => boxes.map(({ median }) => median))).toEqual([[3, 4], [5]]);
  expect(boxTable(results).rows.at(-1)).toEqual(['paid 2', '16-Nov-2026', 9, 1, 2, 5, 4, 5, 3]);
  expect(boxTable(null).rows).toEqual([]);
});

test('a heatmap has seven days of 24 hours, with zeros where nothing happened, and sums as the server sent them', () => {
  const calendar_heatmap_data = {
    data: [{ row: 7, column: 23, value: 4 }],
    rowAggregations: [{ row: 7, value: 3 }],
    columnAggregations: [{ column: 23, value: 2 }],
    allAggregations: 1,
  };
  const results = [{ label: 'paid', calendar_heatmap_data }];
  const [one] = heatmaps(results);
  expect(one!.rows.map(({ name, cells }) => [name, cells.length])).toEqual(
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((name) => [name, 24]),
  );
  expect([one!.rows[6]!.cells[23], one!.rows[6]!.total, one!.columns[23], one!.total]).toEqual([4, 3, 2, 1]);
  expect(one!.rows.flatMap(({ cells }) => cells).filter((value) => value !== 0)).toEqual([4]);
  const { columns, rows } = heatmapTable(results);
  expect([columns.length, rows.length, rows.every((row) => row.length === columns.length)]).toEqual([
    27,
    8,
    true,
  ]);
  expect(heatmaps([{ label: 'a line' }])).toEqual([]);
});
