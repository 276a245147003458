import { expect, test } from 'vitest';
import { arrayOf, boolean, scalar, tupleOf, type ValueType } from './value-type.ts';
import { shownBy, shownValues } from './shown-value.ts';

const DATETIME = scalar('DateTime', true);
const KOLKATA = 'Asia/Kolkata';

test('A-7 a comparison is shown as 1 or 0, a boolean as true or false', () => {
  expect(shownBy(scalar('Bool', true), 'UTC')!(true)).toBe(1);
  expect(shownBy(scalar('Bool', true), 'UTC')!(false)).toBe(0);
  expect(shownBy(scalar('Bool', true), 'UTC')!(null)).toBeNull();
  expect(shownBy(boolean(), 'UTC')).toBeNull();
  expect(shownBy(arrayOf(scalar('Bool')), 'UTC')!([true, false])).toEqual([1, 0]);
});

test('A-7 a moment is shown with the offset of its zone, which is that of the project unless the query names one', () => {
  const show = shownBy(DATETIME, KOLKATA)!;
  expect(show('2026-11-23T18:30:00.000000Z')).toBe('2026-11-24T00:00:00+05:30');
  expect(show('2026-11-23T18:30:00.123456Z')).toBe('2026-11-24T00:00:00.123456+05:30');
  expect(show(null)).toBeNull();
  expect(shownBy(DATETIME, 'UTC')).toBeNull();
  const tokyo: ValueType = { name: 'DateTime', nullable: false, zone: 'Asia/Tokyo' };
  expect(shownBy(tokyo, 'UTC')!('2026-11-23T18:30:00.000000Z')).toBe('2026-11-24T03:30:00+09:00');
});

test('A-7 the offset of a moment follows the clocks of the zone, also where they lack an hour or have one twice', () => {
  const show = shownBy(DATETIME, 'America/New_York')!;
  expect(show('2026-03-08T06:59:59.000000Z')).toBe('2026-03-08T01:59:59-05:00');
  expect(show('2026-03-08T07:00:00.000000Z')).toBe('2026-03-08T03:00:00-04:00');
  expect(show('2026-11-01T05:30:00.000000Z')).toBe('2026-11-01T01:30:00-04:00');
  expect(show('2026-11-01T06:30:00.000000Z')).toBe('2026-11-01T01:30:00-05:00');
  expect(show('1969-12-31T23:59:59.500000Z')).toBe('1969-12-31T18:59:59.500000-05:00');
});

test('A-7 a map is shown as an object, also within lists and tuples', () => {
  const map: ValueType = { name: 'Map', key: scalar('String'), value: scalar('Bool'), nullable: false };
  expect(shownBy(map, 'UTC')!([['a', true]])).toEqual({ a: 1 });
  expect(shownBy(arrayOf(map), 'UTC')!([[['a', false]], []])).toEqual([{ a: 0 }, {}]);
  expect(shownBy(tupleOf([map, scalar('Int64')]), 'UTC')!([[['a', null]], 5])).toEqual([{ a: null }, 5]);
});

test('rows whose columns all stay as they are come back unchanged', () => {
  const rows = [[1, 'a']];
  expect(shownValues(rows, [scalar('Int64'), scalar('String')], KOLKATA)).toBe(rows);
});
