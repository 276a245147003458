import { describe, expect, test } from 'vitest';
import { dayLabel } from '../ui/dates/day-labels.ts';
import { csvOf } from './csv.ts';
import { nameOfQuery, insightQueryOf, tableOf } from './kinds.ts';
import { chartSeries, trendLines } from './trends/trend-lines.ts';

const looked = { kind: 'EventsNode', event: 'looked' } as const;
const trend = { kind: 'TrendsQuery', series: [looked], interval: 'week', extra: 1 } as const;

describe('a query', () => {
  test('is found inside its wrapper node, whole', () => {
    expect(insightQueryOf({ kind: 'InsightVizNode', source: trend })).toEqual(trend);
    expect(insightQueryOf({ kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery' } })).toBeNull();
  });

  test('has a generated name', () => {
    const breakdownFilter = { breakdowns: [{ property: 'country', type: 'event' as const }] };
    expect(nameOfQuery({ kind: 'TrendsQuery', series: [looked], breakdownFilter })).toBe('looked by country');
  });
});

describe('a query result', () => {
  test('labels a missing breakdown value (none), and keeps the value "none"', () => {
    const nameOf = (label: string, breakdown_value: unknown) =>
      trendLines([{ label, breakdown_value, data: [1], count: 1 }])[0]!.name;
    expect(nameOf('$$_posthog_breakdown_null_$$', '$$_posthog_breakdown_null_$$')).toBe('(none)');
    expect(nameOf('looked - $$_posthog_breakdown_null_$$', ['$$_posthog_breakdown_null_$$'])).toBe(
      'looked - (none)',
    );
    expect(nameOf('$$_posthog_breakdown_other_$$::pro', ['$$_posthog_breakdown_other_$$', 'pro'])).toBe(
      'Other::pro',
    );
    expect(nameOf('none', 'none')).toBe('none');
    expect(nameOf('', '')).toBe('(empty)');
  });

  const results = [
    { label: 'looked', data: [2, 3], days: ['2026-09-01', '2026-09-02'], count: 5, compare_label: 'current' },
    {
      label: 'looked',
      data: [1, 1],
      days: ['2026-08-30', '2026-08-31'],
      count: 2,
      compare_label: 'previous',
    },
  ];

  test('has a line with its previous values', () => {
    const [line] = trendLines(results);
    expect(line).toMatchObject({ name: 'looked', total: 5, before: { total: 2, values: [1, 1] } });
    expect(chartSeries([line!]).map(({ values }) => values)).toEqual([
      [2, 3],
      [1, 1],
    ]);
    // The tooltip names the dates of both periods.
    const [, before] = chartSeries([line!], (day) => dayLabel(String(day), 'day').long);
    expect(before!.places).toEqual(results[1]!.days.map((day) => dayLabel(day, 'day').long));
  });

  const lineOf = (name: string, more: object = {}, breakdown?: string) => ({
    label: breakdown === undefined ? name : `${name} - ${breakdown}`,
    data: [1, 2],
    count: 3,
    action: { order: 0, name, ...more },
    ...(breakdown !== undefined && { breakdown_value: breakdown }),
  });
  const namesOf = (...list: object[]) => trendLines(list).map(({ name }) => name);

  test('names series by their own name, else by event and math', () => {
    expect(namesOf(lineOf('search performed', { math: 'p90', math_property: 'ms' }))).toEqual([
      'search performed, p90',
    ]);
    expect(namesOf(lineOf('looked', { custom_name: 'Visits 🎉', math: 'dau' }))).toEqual(['Visits 🎉']);
    expect(namesOf(lineOf('looked'))).toEqual(['looked']);
    expect(namesOf(lineOf('looked', { math: 'dau' }, 'Norway'))).toEqual(['looked, unique persons - Norway']);
  });

  test('names two series apart that would have the same name', () => {
    const p90 = (math_property: string, order: number) =>
      lineOf('paid', { math: 'p90', math_property, order });
    expect(namesOf(p90('amount', 0), p90('seconds', 1))).toEqual([
      'paid, p90 of amount',
      'paid, p90 of seconds',
    ]);
    expect(namesOf(lineOf('paid'), lineOf('paid', { order: 1 }))).toEqual(['paid (A)', 'paid (B)']);
  });

  test('has totals only of what can be added up', () => {
    const hasTotal = (more: object) => trendLines([lineOf('paid', more)])[0]!.hasTotal;
    expect(
      [{}, { math: 'sum' }, { math: 'dau' }, { math: 'p90' }, { math: 'unique_session' }].map(hasTotal),
    ).toEqual([true, true, false, false, false]);
    expect(trendLines([{ ...lineOf('paid'), action: null }])[0]!.hasTotal).toBe(false);
    // A number of the whole range is counted by the server.
    expect(trendLines([{ ...lineOf('paid', { math: 'dau' }), aggregated_value: 7 }])[0]!.hasTotal).toBe(true);
    const { columns, rows } = tableOf({ kind: 'TrendsQuery' }, [lineOf('paid', { math: 'dau' })]);
    expect([columns[0], rows[0]]).toEqual(['Series', ['paid, unique persons', 1, 2]]);
  });

  test('has the color of each value whatever its rank, gray for all others, and the first for a line alone', () => {
    const slotsOf = (...values: string[]) =>
      new Map(
        trendLines(values.map((value) => lineOf('paid', {}, value))).map((line) => [line.name, line.slot]),
      );
    expect(slotsOf('Norway', 'Chile')).toEqual(slotsOf('Chile', 'Norway'));
    expect(slotsOf('Norway', '$$_posthog_breakdown_other_$$').get('paid - Other')).toBe(0);
    expect(trendLines([lineOf('paid')])[0]!.slot).toBe(1);
  });

  test('of a lifecycle has four words, each in its color', () => {
    const statuses = ['new', 'returning', 'resurrecting', 'dormant'];
    const found = trendLines(statuses.map((status) => ({ ...lineOf('looked'), status })));
    expect(found.map(({ name }) => name)).toEqual(['New', 'Returning', 'Resurrecting', 'Dormant']);
    expect(new Set(found.map(({ slot }) => slot)).size).toBe(4);
  });

  test('A-5 has lines that only the previous period has, with zeros now, and formulas named by their breakdown', () => {
    const one = (label: string, compare_label: string, data: number[], more: object = {}) => ({
      label,
      data,
      count: 1,
      compare_label,
      days: ['2026-09-01'],
      action: { order: 0 },
      ...more,
    });
    const found = trendLines([
      one('Chrome', 'current', [1], { breakdown_value: 'Chrome' }),
      one('Safari', 'previous', [4], { breakdown_value: 'Safari', days: ['2026-08-25'] }),
    ]);
    expect(found.map(({ name, values, before }) => [name, values, before?.values])).toEqual([
      ['Chrome', [1], undefined],
      ['Safari', [0], [4]],
    ]);
    const formula = { action: null, order: 0 };
    const names = trendLines([
      one('Formula (A/B)', 'current', [1], {
        ...formula,
        breakdown_value: ['$$_posthog_breakdown_null_$$', 'x'],
      }),
      one('Formula (A/B)', 'current', [1], { ...formula, breakdown_value: 7, breakdown_label: 'Payers' }),
    ]).map(({ name }) => name);
    expect(names).toEqual(['Formula (A/B) - (none)::x', 'Formula (A/B) - Payers']);
  });

  test('is a table too, and a file that a spreadsheet reads as texts and numbers', () => {
    const { columns, rows } = tableOf({ kind: 'TrendsQuery', interval: 'day' }, results);
    expect(columns).toEqual(['Series', 'Total', 'Tue 1 Sep', 'Wed 2 Sep']);
    expect(rows).toEqual([
      ['looked', 5, 2, 3],
      ['looked (previous)', 2, 1, 1],
    ]);
    expect(csvOf([['a "b", c', -5, '=1+1', null]])).toBe('"a ""b"", c",-5,\'=1+1,');
  });
});

test('a date is formatted by its interval', () => {
  expect(dayLabel('2026-11-10 09:00:00', 'hour').short).toBe('09:00');
  expect(dayLabel('2026-11-01', 'month').long).toBe('Nov 2026');
  expect(dayLabel('whenever', 'day').long).toBe('whenever');
});
