import { describe, expect, test } from 'vitest';
import { addDays, addMonths } from './calendar-days.ts';
import { exactDay } from './day-labels.ts';
import { beforeLabel, isDateText, rangeLabel } from './date-ranges.ts';

const NOW = Date.parse('2026-11-22T12:00:00');

describe('a calendar', () => {
  test('adds days and months, also where months have different lengths', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  });
});

test.each([
  ['-30d', null, 'Last 30 days'],
  ['-1mStart', '-1mEnd', 'Last month'],
  ['-45d', null, 'Last 45 days'],
  ['-1w', null, 'Last 1 week'],
  ['2026-11-01', '2026-11-15', '1 Nov to 15 Nov'],
  ['2026-11-01', '2026-11-01', '1 Nov'],
  ['2025-11-01', null, '1 Nov 2025 to now'],
  ['-7d', '-1d', '7 days ago to 1 day ago'],
  ['2026-11-05T09:00:00', '2026-11-05T11:59:59', '5 Nov, 09:00 to 5 Nov, 11:59'],
  ['2025-03-04 10:30', null, '4 Mar 2025, 10:30 to now'],
])('the time from %s to %s is called %s', (from, to, words) => {
  expect(rangeLabel({ from, to }, NOW)).toBe(words);
});

test.each([
  [{ dateRange: { date_from: '-30d' } }, 'previous 30 days'],
  [{ dateRange: { date_from: '2026-11-01' } }, 'previous period'],
  [{ dateRange: { date_from: '-30d' }, compareFilter: { compare_to: '-1w' } }, '1 week earlier'],
  [{ compareFilter: { compare_to: '-3m' } }, '3 months earlier'],
])('%j is compared with %s', (insightQuery, words) => {
  expect(beforeLabel(insightQuery)).toBe(words);
});

test.each([
  ['2026-11-01', true],
  ['2026-11-01 10:30', true],
  ['-7d', true],
  ['mStart', true],
  ['all', true],
  ['d', false],
  ['2026-13-41', false],
  ['yesterday', false],
  ['', false],
])('%j may be a date: %s', (text, isDate) => {
  expect(isDateText(text)).toBe(isDate);
});

test.each([
  ['2026-11-10', 'day', 'Tue 10 Nov 2026'],
  ['2026-11-09', 'week', 'the week of 9 Nov 2026'],
  ['2026-11-10 14:00:00', 'hour', 'Tue 10 Nov 2026 at 14:00'],
  ['2026-11-01', 'month', 'Nov 2026'],
])('the exact date of %s by %s is %s', (day, interval, words) => {
  expect(exactDay(day, interval)).toBe(words);
});
