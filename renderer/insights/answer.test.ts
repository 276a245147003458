import { describe, expect, test } from 'vitest';
import { problemOfAnswer } from './answer.ts';
import { conversionTimes, funnelLines } from './funnels/funnel-course.ts';
import { funnelGroups } from './funnels/funnel-steps.ts';
import type { InsightQuery } from './insight-query.ts';
import { pointOfCell, retentionMeans, retentionRows } from './retention/retention-rows.ts';
import { isNothing, KINDS, kindOf, insightQueryOf, tableOf } from './kinds.ts';
import { courseOf, pictureOf } from './trends/trend-lines.ts';

const series: InsightQuery['series'] = [{ kind: 'EventsNode', event: 'looked' }];
const trend: InsightQuery = { kind: 'TrendsQuery', series };
const funnel: InsightQuery = { kind: 'FunnelsQuery', series };

test.each([
  [{ kind: 'InsightVizNode', source: trend }, 'TrendsQuery'],
  [{ kind: 'LifecycleQuery' }, 'TrendsQuery'],
  [funnel, 'FunnelsQuery'],
  [{ kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'SELECT 1' } }, null],
  [{ kind: 'DataTableNode', source: { kind: 'EventsQuery' } }, null],
  [null, null],
])('%j is drawn as %s', (query, kind) => {
  const insightQuery = insightQueryOf(query);
  const view = KINDS.find(({ id }) => id === kind)?.view ?? null;
  expect(insightQuery && kindOf(insightQuery).view).toBe(view);
});

describe('a query result', () => {
  test('of a tile and of the query endpoint is read the same way', () => {
    const lines = [{ label: 'looked', data: [0, 0], count: 0 }];
    expect(isNothing(trend, { results: lines })).toBe(true);
    expect(isNothing(trend, { result: [{ ...lines[0], count: 2, data: [1, 1] }] })).toBe(false);
    expect(isNothing(trend, { result: null })).toBe(false);
    expect(isNothing({ kind: 'HogQLQuery' }, { results: [] })).toBe(true);
  });

  test('that failed has the error message', () => {
    expect(problemOfAnswer({ query_status: { error: true, error_message: 'Too slow' } })).toBe('Too slow');
    expect(problemOfAnswer({ query_status: { error: false } })).toBe('');
  });
});

describe('a number', () => {
  const number = { ...trend, trendsFilter: { display: 'BoldNumber' }, compareFilter: { compare: true } };

  test('has a separate query for its trend, which lines have not', () => {
    expect(pictureOf(number)).toBe('number');
    expect(courseOf(number)).toEqual({ ...trend, trendsFilter: { display: 'ActionsLineGraph' } });
    expect(courseOf(trend)).toBeNull();
  });
});

describe('a funnel', () => {
  test('has its conversion times in bins of equal width', () => {
    const results = {
      bins: [
        [10, 2],
        [70, 0],
        [130, 1],
      ],
      average_conversion_time: 45,
    };
    expect(conversionTimes(results)[0]).toMatchObject({
      bins: [
        { from: 10, to: 70, count: 2 },
        { from: 70, to: 130, count: 0 },
        { from: 130, to: 190, count: 1 },
      ],
      mean: 45,
    });
    const insightQuery = { ...funnel, funnelsFilter: { funnelVizType: 'time_to_convert' } };
    expect(tableOf(insightQuery, results).rows).toEqual([
      [10, 70, 2],
      [130, 190, 1],
    ]);
    expect(isNothing(insightQuery, { results: { bins: [], average_conversion_time: null } })).toBe(true);
  });

  test('over time is a line for each value', () => {
    const results = [
      { data: [50, 0], days: ['2026-11-01', '2026-11-02'], breakdown: 'Norway', breakdown_value: ['Norway'] },
    ];
    expect(funnelLines(results)).toMatchObject([{ name: 'Norway', values: [50, 0] }]);
  });

  test('compared to another period has the groups of both', () => {
    const stepsOf = (compare: object) =>
      [1, 2].map((count, order) => ({ name: 'visit', order, count, ...compare }));
    const [current, previous] = [{ compare_label: 'current' }, { compare_label: 'previous' }];
    expect(funnelGroups([...stepsOf(current), ...stepsOf(previous)])).toMatchObject([
      { name: 'Current', compare: 'current', steps: [{ order: 0 }, { order: 1 }] },
      { name: 'Previous', compare: 'previous', steps: [{ order: 0 }, { order: 1 }] },
    ]);
    const norway = stepsOf({ ...previous, breakdown: ['Norway'] });
    expect(funnelGroups([norway])).toMatchObject([{ name: 'Previous: Norway' }]);
  });
});

describe('retention', () => {
  const values = [
    { count: 4, label: 'Day 0' },
    { count: 1, label: 'Day 1' },
  ];

  test('has its own rows for each value of a breakdown', () => {
    const rows = retentionRows(
      [
        { date: '2026-11-01T00:00:00Z', label: 'Day 0', values, breakdown_value: 'Norway' },
        {
          date: '2026-11-02T00:00:00Z',
          label: 'Day 1',
          values: values.slice(0, 1),
          breakdown_value: 'Norway',
        },
        { date: '2026-11-01T00:00:00Z', label: 'Day 0', values, breakdown_value: 'Chile' },
      ],
      'Day',
    );
    expect(rows.map(({ name, interval }) => [name, interval])).toEqual([
      ['Norway, 1 Nov', 0],
      ['Norway, 2 Nov', 1],
      ['Chile, 1 Nov', 0],
    ]);
    expect(rows[0]!.cells.map(({ share }) => share)).toEqual([1, 0.25]);
  });

  test('marks the cells whose interval is not over, by the clocks of the project', () => {
    const cells = Array.from({ length: 3 }, (_, at) => ({ count: 4 - at, label: `Day ${at}` }));
    const results = [
      { date: '2026-11-01T00:00:00Z', label: 'Day 0', values: cells },
      { date: '2026-11-02T00:00:00Z', label: 'Day 1', values: cells.slice(0, 2) },
    ];
    const unfinished = (clock: object) =>
      retentionRows(results, 'Day', {
        clock: { zone: 'UTC', now: new Date('2026-11-03T12:00:00Z'), ...clock },
      }).map((row) => row.cells.map(({ isUnfinished }) => isUnfinished));
    expect(unfinished({})).toEqual([
      [false, false, true],
      [false, true],
    ]);
    // In Tokyo the third of November is over three hours later.
    expect(unfinished({ now: new Date('2026-11-03T15:00:00Z'), zone: 'Asia/Tokyo' })[0]).toEqual([
      false,
      false,
      false,
    ]);
    expect(unfinished({ isRolling: true })[0]).toEqual([false, true, true]);
    expect(unfinished({ brackets: [2] })[0]).toEqual([false, true, true]);
    expect(unfinished({ zone: null })[0]).toEqual([false, false, false]);
  });

  test('has a mean weighted by size, of finished intervals only', () => {
    const row = (size: number, ...counts: [number, boolean][]) => ({
      interval: 0,
      name: '',
      group: '',
      breakdown: undefined,
      size,
      cells: counts.map(([count, isUnfinished]) => ({ count, label: '', share: count / size, isUnfinished })),
    });
    const [mean] = retentionMeans([
      row(100, [100, false], [50, false], [10, true]),
      row(300, [300, false], [30, false]),
      row(50, [50, false], [50, true]),
    ]);
    expect(mean!.cells.map(({ share }) => share)).toEqual([1, 0.2, null]);
    expect(mean!.size).toBe(450);
  });

  test('names all users in a breakdown by cohorts', () => {
    const results = [{ date: '2026-11-01T00:00:00Z', label: 'Day 0', values, breakdown_value: '0' }];
    expect(retentionRows(results, 'Day', { isByCohort: true })[0]!.name).toBe('All users, 1 Nov');
    expect(retentionRows(results, 'Day')[0]!.name).toBe('0, 1 Nov');
  });

  test('selects the persons of a cell, or of a row', () => {
    const insightQuery = { kind: 'RetentionQuery' } as const;
    const words = { title: 'Began', breakdown: undefined };
    expect(pointOfCell(insightQuery, 2, 1, words).source).toMatchObject({ interval: 2, day: 1 });
    expect(pointOfCell(insightQuery, 2, null, words).source).not.toHaveProperty('day');
  });
});
