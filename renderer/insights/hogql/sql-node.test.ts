import { describe, expect, test } from 'vitest';
import { columnsOf } from './result-values.ts';
import {
  choiceOf,
  displayOf,
  sqlOf,
  sqlQueryOf,
  withChoice,
  withDisplay,
  withSqlQuery,
  type SqlQuery,
} from './sql-node.ts';

const source: SqlQuery = { kind: 'HogQLQuery', query: 'SELECT 1' };
const shapes = [
  source,
  { kind: 'DataTableNode', source, columns: ['1'] },
  { kind: 'DataVisualizationNode', source, display: 'ActionsBar', tableSettings: { columns: [] } },
];
const columns = columnsOf({
  columns: ['day', 'event', 'times', 'persons'],
  types: [
    ['day', 'Date'],
    ['event', 'String'],
    ['times', 'UInt64'],
    ['persons', 'UInt64'],
  ],
});

describe.each(shapes)('SQL stored as $kind', (node) => {
  test('is read, and written back unchanged', () => {
    const read = sqlOf(node)!;
    expect(sqlQueryOf(read)).toEqual(source);
    expect(withSqlQuery(read, source)).toEqual(node);
  });

  test('gets a new text within its wrapper', () => {
    const next = { ...source, query: 'SELECT 2' };
    expect(withSqlQuery(sqlOf(node)!, next)).toEqual('source' in node ? { ...node, source: next } : next);
  });

  test('gets a display, in a DataVisualizationNode', () => {
    const shown = withDisplay(sqlOf(node)!, 'ActionsLineGraph');
    expect(shown).toMatchObject({ kind: 'DataVisualizationNode', source, display: 'ActionsLineGraph' });
    expect(displayOf(shown)).toBe('ActionsLineGraph');
  });
});

test('queries of other kinds are not SQL', () => {
  expect(sqlOf({ kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series: [] } })).toBeNull();
  expect(sqlOf({ kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['*'] } })).toBeNull();
  expect(sqlOf(null)).toBeNull();
});

describe('columns of the chart', () => {
  const node = { kind: 'DataVisualizationNode', source };

  test('are guessed without settings', () => {
    expect(choiceOf(node, columns)).toEqual({ x: 0, y: 3, split: 1 });
  });

  test('are those of the stored settings', () => {
    const yAxis = [{ column: 'times', settings: { formatting: { prefix: '€' } } }];
    const stored = { ...node, chartSettings: { xAxis: { column: 'day' }, yAxis, goalLines: [] } };
    expect(choiceOf(stored, columns)).toEqual({ x: 0, y: 2, split: null });
    const changed = withChoice(stored, columns, { x: 1, y: 2, split: null });
    expect(changed.chartSettings).toEqual({ xAxis: { column: 'event' }, yAxis, goalLines: [] });
  });

  test('keep several stored columns, and are written back unchanged', () => {
    const yAxis = [{ column: 'persons' }, { column: 'times' }];
    const stored = { ...node, chartSettings: { xAxis: { column: 'event' }, yAxis } };
    const choice = choiceOf(stored, columns)!;
    expect(choice).toEqual({ x: 1, y: null, split: null, among: [3, 2] });
    expect(withChoice(stored, columns, choice)).toEqual(stored);
  });

  test('that the result does not have are ignored', () => {
    const stored = { ...node, chartSettings: { xAxis: { column: 'gone' }, yAxis: [{ column: 'gone' }] } };
    expect(choiceOf(stored, columns)).toEqual({ x: 0, y: 3, split: null });
  });

  test('a breakdown column is stored and read', () => {
    const changed = withChoice(node, columns, { x: 0, y: 2, split: 1 });
    expect(changed.chartSettings).toMatchObject({ seriesBreakdownColumn: 'event' });
    expect(choiceOf(changed, columns)).toEqual({ x: 0, y: 2, split: 1 });
  });
});
