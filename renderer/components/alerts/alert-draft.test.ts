import { expect, test } from 'vitest';
import { alertBody, alertProblems, newAlertDraft, offeredChoices } from './alert-draft.ts';
import { alertSentence, alertSubject } from './alert-labels.ts';

const TREND = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }] },
};

test('a percentage is sent as a share, and shown as a percentage', () => {
  const draft = {
    ...newAlertDraft(),
    condition: 'relative_increase',
    unit: 'percentage',
    upper: '20',
  } as const;
  const body = alertBody(draft, 7, alertSubject(TREND)!, null);
  expect(body).toMatchObject({
    insight: 7,
    threshold: { configuration: { type: 'percentage', bounds: { lower: null, upper: 0.2 } } },
    config: { type: 'TrendsAlertConfig', series_index: 0, check_ongoing_interval: false },
  });
  const threshold = {
    id: '',
    name: '',
    created_at: '',
    configuration: body.threshold.configuration,
  } as const;
  expect(
    alertSentence({ condition: body.condition, threshold, calculation_interval: 'hourly' } as never),
  ).toBe('Increase of more than 20%, checked every hour');
});

test.each([
  [{}, { lower: '', upper: 'Enter at least one number.', quiet: '' }],
  [{ lower: 'x' }, { lower: 'Enter a number.', upper: '', quiet: '' }],
  [
    { lower: '3', upper: '2' },
    { lower: '', upper: 'This must not be less than the first number.', quiet: '' },
  ],
  [{ lower: '1,200' }, { lower: '', upper: '', quiet: '' }],
  [
    { lower: '1', quietFrom: '22:00' },
    { lower: '', upper: '', quiet: 'Enter two times such as 22:00 and 07:00.' },
  ],
])('the problems of %j are %j', (change, expected) => {
  expect(alertProblems({ ...newAlertDraft(), ...change })).toEqual(expected);
});

test('choices that the insight does not offer give way to the first', () => {
  const draft = {
    ...newAlertDraft(),
    series: '2',
    evaluation: 'any_row',
    condition: 'relative_increase',
  } as const;
  expect(offeredChoices(draft, alertSubject(TREND)!)).toMatchObject({
    series: '0',
    condition: 'relative_increase',
  });
  const total = { ...TREND.source, trendsFilter: { display: 'BoldNumber' } };
  expect(offeredChoices(draft, alertSubject(total)!)).toMatchObject({ condition: 'absolute_value' });
  const sql = alertSubject({ kind: 'HogQLQuery', query: 'select 1' })!;
  expect(offeredChoices(draft, sql)).toMatchObject({ evaluation: 'last_row' });
  expect(offeredChoices({ ...draft, condition: 'absolute_value' }, sql)).toMatchObject({
    evaluation: 'any_row',
  });
});

test('trends and SQL can have alerts, funnels and box plots cannot', () => {
  expect(alertSubject(TREND)).toMatchObject({ kind: 'trend', series: [{ id: '0', label: 'signup' }] });
  expect(alertSubject({ kind: 'HogQLQuery', query: 'select 1' })).toMatchObject({ kind: 'sql' });
  expect(alertSubject({ kind: 'FunnelsQuery', series: [] })).toBeNull();
  const plot = { ...TREND.source, trendsFilter: { display: 'BoxPlot' } };
  expect(alertSubject({ kind: 'InsightVizNode', source: plot })).toBeNull();
});
