import { expect, test } from 'vitest';
import type { InsightQuery } from './insight-query.ts';
import { ownLooks, withOwnColor } from './own-colors.ts';
import { groupSlots, funnelGroups } from './funnels/funnel-steps.ts';
import { TREND_OPTIONS } from './trends/lines.ts';
import { linesOf } from './trends/trend-lines.ts';

const answer = (breakdown_value?: string, more: object = {}) => ({
  label: breakdown_value ?? 'looked',
  action: { order: 0, name: 'looked' },
  data: [1],
  count: 1,
  ...(breakdown_value !== undefined && { breakdown_value }),
  ...more,
});

const trend = (trendsFilter: object): InsightQuery => ({ kind: 'TrendsQuery', trendsFilter }) as InsightQuery;
const slotsOf = (query: InsightQuery, results: object[]) =>
  linesOf(query, results, TREND_OPTIONS).map(({ slot }) => slot);

test('a color by value belongs to the value, wherever it is in the answer', () => {
  const resultCustomizations = {
    '{"series":0,"breakdown_value":["pro"]}': { assignmentBy: 'value', color: 'preset-7' },
  };
  const query = trend({ resultCustomizations });
  expect(slotsOf(query, [answer('free'), answer('pro')])[1]).toBe(7);
  expect(slotsOf(query, [answer('pro'), answer('free')])[0]).toBe(7);
  expect(slotsOf(query, [answer('pro', { compare_label: 'current' })])).toEqual([7]);
});

test('a color by position belongs to the place in the answer', () => {
  const resultCustomizations = { 1: { assignmentBy: 'position', color: 'preset-10' } };
  const query = trend({ resultCustomizationBy: 'position', resultCustomizations });
  expect(slotsOf(query, [answer('free'), answer('pro')])[1]).toBe(2);
  expect(slotsOf(query, [answer('pro'), answer('free')])[1]).toBe(2);
});

test('a color is set as PostHog stores it, changed, and taken away without a trace', () => {
  const [line] = linesOf(trend({}), [answer()], TREND_OPTIONS);
  const red = withOwnColor(trend({ display: 'ActionsBar' }), line!.keys, 7);
  expect(red.trendsFilter).toEqual({
    display: 'ActionsBar',
    resultCustomizations: { '{"series":0}': { assignmentBy: 'value', color: 'preset-7' } },
  });
  expect(ownLooks(withOwnColor(red, line!.keys, 3)).slotOf(line!.keys)).toBe(3);
  expect(withOwnColor(red, line!.keys, null).trendsFilter).toEqual({ display: 'ActionsBar' });
});

test('a result that is hidden stays so when its color changes', () => {
  const [line] = linesOf(trend({}), [answer('pro')], TREND_OPTIONS);
  const key = '{"series":0,"breakdown_value":["pro"]}';
  const query = trend({ resultCustomizations: { [key]: { assignmentBy: 'value', hidden: true } } });
  const looks = ownLooks(withOwnColor(query, line!.keys, 2));
  expect([looks.isHidden(line!.keys), looks.slotOf(line!.keys)]).toEqual([true, 2]);
});

test('a group of a funnel has its own color in both periods', () => {
  const step = (breakdown: string, compare_label: string) => [
    {
      name: 'looked',
      order: 0,
      count: 2,
      breakdown: [breakdown],
      breakdown_value: [breakdown],
      compare_label,
    },
  ];
  const groups = funnelGroups([step('pro', 'current'), step('pro', 'previous'), step('free', 'current')]);
  const resultCustomizations = { '{"breakdown_value":"pro"}': { color: 'preset-4' } };
  const query = { kind: 'FunnelsQuery', funnelsFilter: { resultCustomizations } } as InsightQuery;
  expect(groupSlots(groups, query).slice(0, 2)).toEqual([4, 4]);
});

test('an unknown color changes nothing', () => {
  const resultCustomizations = { '{"series":0}': { color: 'red' }, 'no JSON': null };
  expect(slotsOf(trend({ resultCustomizations }), [answer()])).toEqual([1]);
  expect(slotsOf(trend({ resultCustomizations: null }), [answer()])).toEqual([1]);
});
