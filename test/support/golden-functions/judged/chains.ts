import type { GoldenTable } from '../golden-table.ts';

const VALUES = '(SELECT arrayJoin([1, 2, 3, NULL, 2]) AS x)';
const NONE = `(SELECT 1 AS x, 'a' AS s, toNullable(1) AS n WHERE 1 = 2)`;
const FLOATS = `(SELECT toFloat(arrayJoin(['1', '2', 'nan'])) AS f)`;
const EVENTS = '(SELECT toDateTime(arrayJoin([1, 2, 3, 5])) AS t, toUnixTimestamp(t) AS i)';

/** what ClickHouse 26.7 answers about many rows. */
export const chainsJudged: readonly GoldenTable[] = [
  {
    title: 'aggregates of values with NULL',
    from: VALUES,
    rows: [
      ['any_value(x)', 1],
      ['any_value(toString(x))', '1'],
      ['exponentialMovingAverage(1)(x, x)', 2.625],
      ['exponentialMovingAverage(2)(x, x)', 1.85355339059],
      ['retention(x = 1, x = 2)', [1, 1]],
      ['retention(x = 9, x = 2)', [0, 0]],
      ['max(x = 2)', 1],
      ['groupArray(x > 1)', [0, 1, 1, 0, 1]],
    ],
  },
  {
    title: 'functions that PostHog has beside',
    rows: [
      [`JSONExtractKey('{"a":1,"b":2}', 2)`, 'b'],
      [`JSONExtractKey('{"a":{"k":1}}', 'a', 1)`, 'k'],
      [`JSONExtractKey('[1]', 1)`, ''],
      ['reinterpretAsFloat32(1065353216)', 1],
      ['reinterpretAsFloat32(1073741824)', 2],
      ['rand() >= 0', 1],
      ['rand() < 4294967296', 1],
      ['rowNumberInAllBlocks()', 0],
      ['rowNumberInAllBlocks() + 1', 1],
      ['rowNumberInBlock()', 0],
      ['rowNumberInBlock() + 1', 1],
      ['sparkline([1, 2])', ['__hx_tag', 'Sparkline', 'data', [1, 2]]],
      [
        `recordingButton('id', 'active')`,
        ['__hx_tag', 'RecordingButton', 'sessionId', 'id', 'recordingStatus', 'active'],
      ],
      ['tuple()', []],
      ["EXTRACT(year FROM toDate('2026-03-29'))", 2026],
      ["EXTRACT(day FROM toDate('2026-03-29')) + 1", 30],
      [`dateAdd(day, 3, toDate('2026-03-29'))`, '2026-04-01'],
      [`dateDiff(week, toDate('2026-03-29'), toDate('2026-03-30'))`, 1],
      ['1 IN tuple(1, 2)', 1],
      ["multiMatchAnyIndex('abc', NULL)", null],
      ['arrayMap(x -> (x AS y) + y, [1, 2])', [2, 4]],
      ['18446744073709551615', '18446744073709551615'],
      ['9223372036854775807 + 1', '-9223372036854775808'],
      ['1000000000000 * 1000000000000', '2003764205206896640'],
    ],
  },
  {
    title: 'aggregates of no rows',
    from: NONE,
    rows: [
      [`string_agg(s, ',')`, ''],
      ['sum(n)', null],
      ['min(s)', ''],
      ['any(x)', 0],
      ['groupArray(x)', []],
    ],
  },
  {
    title: 'NaN is less than all, and comes last',
    from: FLOATS,
    rows: [
      ['max(f)', 2],
      ['min(f)', 1],
      ['argMax(f, f)', 2],
      ['countIf(f > 1)', 1],
      ['countIf(f = f)', 2],
      ['countIf(f != f)', 1],
      ['countIf(f < 5)', 2],
    ],
  },
  {
    title: 'events in their order',
    from: EVENTS,
    rows: [
      ['windowFunnel(10)(t, i = 1, i = 1)', 2],
      ['windowFunnel(10)(t, i = 1, i = 1, i = 2)', 3],
      ['windowFunnel(10)(t, i > 0, i = 3, i > 0)', 3],
      [`sequenceMatch('(?1)(?2)')(t, i = 1, i = 2)`, 1],
      [`sequenceMatch('(?1)(?2)')(t, i = 1, i = 3, i = 2)`, 0],
      [`sequenceMatch('(?1).*(?2)')(t, i = 1, i = 5, i = 2)`, 1],
      [`sequenceCount('(?1)(?2)')(t, i = 1, i = 2)`, 1],
      [`sequenceCount('(?1)(?2)')(t, i < 3, i > 1)`, 1],
      ['retention(i = 1, i = 2, i = 9)', [1, 1, 0]],
    ],
  },
];
