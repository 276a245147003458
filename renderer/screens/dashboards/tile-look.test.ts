import { expect, test } from 'vitest';
import type { DashboardJson as Dashboard } from '../../../server/features/dashboards/dashboards.contract.ts';
import { changeOf, NO_EDITS, shownOf, looksOf } from './dashboard-draft.ts';
import { withDates, withLook } from './tile-look.ts';

const QUESTION = {
  kind: 'TrendsQuery',
  series: [],
  trendsFilter: { display: 'ActionsBar', formula: 'A' },
  own: 1,
};

test('a query gets another chart type and a comparison and keeps all other fields, wrapped or not', () => {
  const expected = {
    ...QUESTION,
    trendsFilter: { display: 'ActionsPie', formula: 'A' },
    compareFilter: { compare: true },
  };
  const look = { shape: 'ActionsPie', against: 'before' } as const;
  expect(withLook(QUESTION, look)).toEqual(expected);
  const wrapped = { kind: 'InsightVizNode', source: QUESTION, showTable: true };
  expect(withLook(wrapped, look)).toEqual({ ...wrapped, source: expected });
  expect(withLook(expected, { against: 'nothing' })).not.toHaveProperty('compareFilter');
  expect(withLook(QUESTION, { against: '-1m' })).toMatchObject({
    compareFilter: { compare: true, compare_to: '-1m' },
  });
});

test('a query without this chart type, and one without overrides, stay the same', () => {
  const sql = { kind: 'DataTableNode', source: { kind: 'HogQLQuery', query: 'select 1' } };
  expect(withLook(sql, { shape: 'ActionsPie' })).toBe(sql);
  expect(withLook(QUESTION, {})).toBe(QUESTION);
});

test('a query gets the dates of its dashboard, if it has any', () => {
  const dated = { ...QUESTION, dateRange: { date_from: '-14d' } };
  expect(withDates(QUESTION, { date_from: '-14d', date_to: null })).toEqual(dated);
  expect(withDates(dated, { date_from: null })).toBe(dated);
  const onMondays = { ...QUESTION, dateRange: { date_from: '-7d', date_to: '-1d', daysOfWeek: [1] } };
  expect(withDates(onMondays, { date_from: '-14d' })).toEqual({
    ...QUESTION,
    dateRange: { date_from: '-14d', daysOfWeek: [1] },
  });
});

test('a changed chart type is shown on its tile and changes the insight, not the dashboard', () => {
  const insight = { id: 12, query: QUESTION };
  const tile = { id: 2, layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } }, color: null, text: null, insight };
  const saved = {
    name: '',
    description: '',
    filters: {},
    variables: {},
    tiles: [tile],
  } as unknown as Dashboard;
  const look = { shape: 'BoldNumber' } as const;
  const edits = { ...NO_EDITS, tiles: { 2: { look } } };
  expect(shownOf(saved, edits).tiles[0]!.insight!.query).toMatchObject({
    trendsFilter: { display: 'BoldNumber' },
  });
  expect(changeOf(saved, edits)).toBeNull();
  expect([...looksOf(saved, edits)]).toEqual([[12, look]]);
  expect(looksOf(saved, { ...NO_EDITS, tiles: { 2: { look, isRemoved: true } } }).size).toBe(0);
});
