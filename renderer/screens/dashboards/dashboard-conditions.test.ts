import { expect, test } from 'vitest';
import type { PropertyFilter } from '../../ui/property-filter.ts';
import { conditionsOf, propertiesOf } from './dashboard-conditions.ts';

const plan = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] } as PropertyFilter;
const country = { type: 'event', key: 'country', operator: 'exact', value: ['NO'] } as PropertyFilter;
const either = { type: 'OR', values: [plan, country] };

test('a list is edited one condition at a time, and stays a list', () => {
  expect(conditionsOf([plan, country])).toEqual({ single: [plan, country], groups: [] });
  expect(propertiesOf(conditionsOf([plan]))).toEqual([plan]);
});

test('an added condition is combined with the existing groups by AND', () => {
  for (const stored of [either, { type: 'AND', values: [either] }]) {
    const { single, groups } = conditionsOf(stored);
    expect(propertiesOf({ groups, single: [...single, plan] })).toEqual({
      type: 'AND',
      values: [either, { type: 'AND', values: [plan] }],
    });
  }
});

test('written conditions are read back, and removing the added one restores the original', () => {
  const written = propertiesOf({ groups: [either], single: [plan] });
  expect(conditionsOf(written)).toEqual({ groups: [either], single: [plan] });
  expect(propertiesOf({ groups: [either], single: [] })).toEqual(either);
});

test('groups in which all conditions must match are edited one condition at a time', () => {
  const stored = { type: 'AND', values: [{ type: 'AND', values: [plan] }, country] };
  expect(conditionsOf(stored)).toEqual({ single: [plan, country], groups: [] });
});

test.each([undefined, null, 'x', {}, { type: 'OR', values: [] }])('%j has no conditions', (nothing) => {
  expect(propertiesOf(conditionsOf(nothing))).toEqual([]);
});
