import { expect, test } from 'vitest';
import { flagMoment, parseRelativeTime, readFlagDate, readRelativeDate } from './relative-date.contract.ts';
import { timeZone } from './time-zone.ts';

const now = Date.parse('2026-03-31T10:20:30.400Z');

test.each([
  ['-24h', '2026-03-30T10:20:30.400Z'],
  ['-7d', '2026-03-24T10:20:30.400Z'],
  ['-2w', '2026-03-17T10:20:30.400Z'],
  ['-90s', '2026-03-31T10:19:00.400Z'],
  ['-5M', '2026-03-31T10:15:30.400Z'],
  ['-1m', '2026-02-28T10:20:30.400Z'],
  ['-1q', '2025-12-31T10:20:30.400Z'],
  ['-2y', '2024-03-31T10:20:30.400Z'],
  ['-0d', '2026-03-31T10:20:30.400Z'],
])('%s is %s', (text, expected) => {
  expect(new Date(parseRelativeTime(text, now)!).toISOString()).toBe(expected);
});

test.each(['', '7d', '-7', '-d', '-7 d', '-7x', '-1.5h', '2026-03-31', 'yesterday', '-999999y'])(
  '%j is not a relative time',
  (text) => {
    expect(parseRelativeTime(text, now)).toBe(null);
  },
);

test.each([
  ['mStart', { count: 0, letter: 'm', edge: 'Start' }],
  ['-1mEnd', { count: 1, letter: 'm', edge: 'End' }],
  ['3d', { count: 3, letter: 'd', edge: null }],
])('%s is read where edges and dates without a minus are', (text, expected) => {
  expect(readRelativeDate(text, { minus: 'optional', edges: true })).toEqual(expected);
  expect(readRelativeDate(text)).toBe(null);
});

test.each(['d', '-d', '-mStart', '-1234567d', '-7dstart'])('%j is read nowhere', (text) => {
  expect(readRelativeDate(text, { minus: 'optional', edges: true })).toBe(null);
});

test.each([
  ['-2m', '2026-01-28T10:20:30.400Z'],
  ['1m', '2026-02-28T10:20:30.400Z'],
  ['-1y', '2025-03-31T10:20:30.400Z'],
])('of a flag, %s is %s: month after month, as SDKs count', (text, expected) => {
  expect(new Date(flagMoment(readFlagDate(text)!, now, timeZone('UTC'))).toISOString()).toBe(expected);
});

// New York's clocks went from 02:00 to 03:00 on 8 March 2026.
test.each([
  ['-1d', '2026-03-08T12:00:00Z', '2026-03-07T13:00:00.000Z'],
  ['-24h', '2026-03-08T12:00:00Z', '2026-03-07T12:00:00.000Z'],
  // From 22:00 on the 30th to 22:00 on the last of February.
  ['-1m', '2026-03-31T02:00:00Z', '2026-03-01T03:00:00.000Z'],
  ['-1y', '2026-03-08T12:00:00Z', '2025-03-08T13:00:00.000Z'],
])('in New York, %s at %s is %s: days and longer units go by its clocks', (text, at, expected) => {
  const moment = flagMoment(readFlagDate(text)!, Date.parse(at), timeZone('America/New_York'));
  expect(new Date(moment).toISOString()).toBe(expected);
});

test.each(['-5s', '-5M', '-1q', 'mStart', '-10000d'])('%j is not a relative date of a flag', (text) => {
  expect(readFlagDate(text)).toBe(null);
});
