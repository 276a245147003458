import { describe, expect, test } from 'vitest';
import { tableOf } from '../kinds.ts';
import { chartSeries } from '../trends/trend-lines.ts';
import { conversionTimes, funnelLines, pointOfEntrance } from './funnel-course.ts';
import { funnelGroups, pointOfStep, wholeFunnel } from './funnel-steps.ts';
import { funnels } from './index.ts';

const QUERY = {
  kind: 'FunnelsQuery',
  interval: 'day',
  funnelsFilter: { funnelVizType: 'trends' },
  compareFilter: { compare: true },
};

const line = (compare_label: 'current' | 'previous', data: number[], days: string[], more: object = {}) => ({
  count: data.length,
  data,
  days,
  compare_label,
  ...more,
});

const COMPARED = [
  line('current', [50, 25], ['2026-11-09', '2026-11-10']),
  line('previous', [10, 20, 30], ['2026-11-01', '2026-11-02', '2026-11-03']),
];

describe('a funnel over time', () => {
  test('draws the previous period as the comparison of its line, no longer than the current one', () => {
    const series = chartSeries(funnelLines(COMPARED));
    expect(series.map(({ name, values, slot }) => [name, values, slot])).toEqual([
      ['Converted', [50, 25], 1],
      ['Converted', [10, 20], 1],
    ]);
    expect(series[1]!.previousOf).toBe(series[0]!.id);
  });

  test('compares each breakdown value with itself, also one that only the previous period has', () => {
    const of = (name: string) => ({ breakdown: [name], breakdown_value: [name] });
    const [day, before] = [['2026-11-09'], ['2026-11-02']];
    const lines = funnelLines([
      line('current', [50], day, of('Chrome')),
      line('previous', [40], before, of('Safari')),
      line('previous', [30], before, of('Chrome')),
    ]);
    expect(lines.map((one) => [one.name, one.values, one.before?.values])).toEqual([
      ['Chrome', [50], [30]],
      ['Safari', [0], [40]],
    ]);
  });

  test('a point of the previous period asks for the persons of its own day and names that day', () => {
    const [one] = funnelLines(COMPARED);
    const current = pointOfEntrance(QUERY, one!, 1, 'current');
    expect(current.title).toBe('Entered Tue 10 Nov and converted');
    expect(current.source).toMatchObject({
      funnelTrendsEntrancePeriodStart: '2026-11-10',
      compare: 'current',
    });
    const previous = pointOfEntrance(QUERY, one!, 1, 'previous');
    expect(previous.title).toBe('Entered Mon 2 Nov and converted (previous period)');
    expect(previous.source).toMatchObject({
      funnelTrendsEntrancePeriodStart: '2026-11-02',
      compare: 'previous',
    });
  });

  test('a point of a funnel that is not compared names no period', () => {
    const { compare_label: _, ...plain } = COMPARED[0]!;
    const { source } = pointOfEntrance(QUERY, funnelLines([plain])[0]!, 0, 'current');
    expect(source['compare']).toBeUndefined();
  });

  test('is a table with its periods in a column of their own', () => {
    expect(tableOf(QUERY, COMPARED)).toEqual({
      columns: ['Period', '2026-11-09', '2026-11-10'],
      rows: [
        ['Current', 50, 25],
        ['Previous', 10, 20],
      ],
    });
    const broken = COMPARED.map((one) => ({ ...one, breakdown: ['Chrome'], breakdown_value: ['Chrome'] }));
    expect(tableOf(QUERY, broken)).toMatchObject({
      columns: ['Breakdown', 'Period', '2026-11-09', '2026-11-10'],
      rows: [
        ['Chrome', 'Current', 50, 25],
        ['Chrome', 'Previous', 10, 20],
      ],
    });
    const { compare_label: _, ...plain } = COMPARED[0]!;
    expect(tableOf(QUERY, [plain])).toEqual({
      columns: ['Breakdown', '2026-11-09', '2026-11-10'],
      rows: [['Converted', 50, 25]],
    });
  });
});

describe('the steps of a funnel', () => {
  const STEPS = { ...QUERY, funnelsFilter: { funnelVizType: 'steps' } };
  const step = (compare_label: 'current' | 'previous', order: number, count: number) => ({
    name: ['looked', 'bought'][order]!,
    order,
    count,
    compare_label,
  });
  const results = [
    step('current', 0, 8),
    step('current', 1, 4),
    step('previous', 0, 6),
    step('previous', 1, 3),
  ];

  test('the title of a point names the previous period', () => {
    const [current, previous] = funnelGroups(results);
    expect(pointOfStep(STEPS, current!, 1, true).title).toBe('Dropped off before “bought”');
    expect(pointOfStep(STEPS, previous!, 1, true).title).toBe(
      'Dropped off before “bought” (previous period)',
    );
    expect(pointOfStep(STEPS, previous!, 1, false).title).toBe('Converted to “bought” (previous period)');
  });

  test('are a table with their periods in a column of their own', () => {
    const { columns, rows } = tableOf(STEPS, results);
    expect(columns.slice(0, 4)).toEqual(['Period', 'Step', 'Event', 'Persons']);
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['Current', 1, 'looked', 8],
      ['Current', 2, 'bought', 4],
      ['Previous', 1, 'looked', 6],
      ['Previous', 2, 'bought', 3],
    ]);
  });
});

test('conversion times of two periods are drawn and listed both, in the same bins', () => {
  const query = { ...QUERY, funnelsFilter: { funnelVizType: 'time_to_convert' } };
  const results = [
    {
      bins: [
        [10, 2],
        [70, 0],
        [130, 0],
      ],
      average_conversion_time: 45,
      compare_label: 'current',
    },
    {
      bins: [
        [10, 3],
        [70, 0],
        [130, 1],
      ],
      average_conversion_time: 60,
      compare_label: 'previous',
    },
  ];
  expect(conversionTimes(results).map(({ period, mean }) => [period, mean])).toEqual([
    ['current', 45],
    ['previous', 60],
  ]);
  expect(tableOf(query, results)).toEqual({
    columns: ['From (seconds)', 'To (seconds)', 'Persons', 'Persons (previous)'],
    rows: [
      [10, 70, 2, 3],
      [130, 190, 0, 1],
    ],
  });
  expect(funnels.canCompare?.(query)).toBe(true);
});

test.each([
  [{ funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id' } }, 'Sessions'],
  [{ aggregation_group_type_index: 0 }, 'Groups'],
  [{}, 'Persons'],
])('a funnel of %j has a column of %s', (more, label) => {
  const query = { kind: 'FunnelsQuery', ...more };
  const steps = ['looked', 'bought'].map((name, order) => ({ name, order, count: 2 - order }));
  expect(tableOf(query, steps).columns).toContain(label);
});

test('the groups of a breakdown are added up to the whole, and those of two periods are not', () => {
  const steps = (counts: number[], more: object) =>
    counts.map((count, order) => ({ name: 'x', order, count, ...more }));
  const groups = funnelGroups([
    steps([712, 441], { breakdown: ['Free'], breakdown_value: ['Free'] }),
    steps([348, 276], { breakdown: ['Solo'], breakdown_value: ['Solo'] }),
  ]);
  expect(wholeFunnel(groups)!.steps.map(({ count, lost }) => [count, lost])).toEqual([
    [1060, 0],
    [717, 343],
  ]);
  expect(
    wholeFunnel(
      funnelGroups([
        ...steps([2], { compare_label: 'current' }),
        ...steps([1], { compare_label: 'previous' }),
      ]),
    ),
  ).toBeNull();
});

test('a funnel with optional steps has required ones when it is drawn over time', () => {
  const node = { kind: 'EventsNode', event: 'looked' } as const;
  const query = { kind: 'FunnelsQuery', series: [node, { ...node, optionalInFunnel: true }] };
  expect(funnels.chartTypes!.with(query, 'trends').series).toEqual([node, node]);
  expect(funnels.chartTypes!.with(query, 'steps').series).toEqual(query.series);
});
