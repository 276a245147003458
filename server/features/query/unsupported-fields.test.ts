import { describe, expect, test } from 'vitest';
import { postInsight } from '../../../test/support/insights.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { unsupportedFields } from './unsupported-fields.ts';

const VISIT = { kind: 'EventsNode', event: 'visit' };
const TRENDS = { kind: 'TrendsQuery', series: [VISIT] };

/** Queries with a field that is not computed, and the words that name it. */
const REFUSED: readonly [name: string, query: { kind: string; [field: string]: unknown }, detail: string][] =
  [
    [
      'a field of PostHog',
      { ...TRENDS, excludeIncompletePeriods: true },
      '"excludeIncompletePeriods" is not supported yet.',
    ],
    [
      'a field of the dates',
      { ...TRENDS, dateRange: { daysOfWeek: [1] } },
      'dateRange: "daysOfWeek" is not supported yet.',
    ],
    [
      'a currency of a series',
      { ...TRENDS, series: [{ ...VISIT, math_property_revenue_currency: { static: 'EUR' } }] },
      'series.0: "math_property_revenue_currency"',
    ],
    [
      'a factor of what is not multiplied',
      { kind: 'StickinessQuery', series: [{ ...VISIT, math_multiplier: 2 }] },
      'series.0: "math_multiplier"',
    ],
    [
      'two events at once',
      { ...TRENDS, series: [{ kind: 'GroupNode', operator: 'AND', nodes: [VISIT, VISIT] }] },
      'the operator AND of a GroupNode',
    ],
    [
      'a sum in stickiness',
      { kind: 'StickinessQuery', series: [{ ...VISIT, math: 'sum' }] },
      '"math": "sum"',
    ],
    [
      'a sum in a funnel',
      { kind: 'FunnelsQuery', series: [{ ...VISIT, math: 'sum', math_property: 'price' }, VISIT] },
      'series.0: "math": "sum" is not supported yet.',
    ],
    [
      'a display',
      { ...TRENDS, trendsFilter: { display: 'TwoDimensionalHeatmap' } },
      'trendsFilter: "display": "TwoDimensionalHeatmap" is not supported yet.',
    ],
    [
      'a comparison of a retention',
      { kind: 'RetentionQuery', retentionFilter: {}, compareFilter: { compare: true } },
      '"compareFilter"',
    ],
    [
      'a name that nothing has',
      { ...TRENDS, propertys: [] },
      '"propertys" is not a field of TrendsQuery. Did you mean "properties"?',
    ],
    [
      'in an insight that is wrapped',
      {
        kind: 'InsightVizNode',
        source: { ...TRENDS, calendarHeatmapFilter: { bucketBySessionStart: true } },
      },
      'source: "calendarHeatmapFilter" is not supported yet.',
    ],
  ];

describe('A-1 an unsupported field', () => {
  test('is refused by its name, when the query is run and when it is stored', async () => {
    const app = await openTestApp();
    for (const [name, query, detail] of REFUSED) {
      const asked = await app.ask('/api/projects/1/query/', {
        method: 'POST',
        body: { query },
      });
      for (const { status, json } of [asked, await postInsight(app, { query })]) {
        expect([name, status, json.code]).toEqual([name, 400, 'invalid_input']);
        expect(json.detail).toContain(detail);
      }
    }
  });

  test('is accepted when it is disabled or empty', () => {
    const off = { excludeIncompletePeriods: false, conversionGoal: null, calendarHeatmapFilter: {} };
    expect(unsupportedFields({ ...TRENDS, ...off })).toEqual([]);
    expect(
      unsupportedFields({
        kind: 'FunnelsQuery',
        series: [VISIT, VISIT],
        compareFilter: { compare: false },
      }),
    ).toEqual([]);
  });
});
